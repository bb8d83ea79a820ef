//! Games that have ended go to the server's archive, if there is one.
//!
//! A game ends with a move of the engine that leaves the other side none, with the next `NEWGAME`,
//! or with the session. Its result is known where the rules decide it. Games without a best move of
//! the engine are not archived.

use super::{Session, Step};
use crate::chess::{Color, Tags};
use crate::session::finished_game::by_color;
use crate::session::{FinishedGame, KeptGame};
use std::time::Instant;

/// The engine's part in the game.
#[derive(Clone, Copy, Debug)]
pub(super) struct OurPart {
    pub(super) side: Color,
    /// When the engine made its first move.
    pub(super) began: Instant,
}

impl Session {
    /// Records that the engine has found a best move for the side to move.
    pub(super) fn note_move(&mut self, step: &Step<'_>) {
        if self.player.engine.profile().archives {
            let side = self.board.game().position().turn();
            let began = self.our_part.map_or(step.now, |part| part.began);
            self.our_part = Some(OurPart { side, began });
        }
    }

    /// Archives the game when a side cannot move, another game begins, or the session ends.
    pub(super) fn archive_game(&mut self, step: &mut Step<'_>) {
        step.archive(self.take_game(step.now));
    }

    /// Returns the game that is not archived yet, where the session does not end by itself:
    /// connection lost, client disconnected by the administrator, server shutting down.
    pub fn take_game(&mut self, _now: Instant) -> Option<Box<FinishedGame>> {
        let OurPart { side, began } = self.our_part.take()?;
        let game = self.board.game().clone();
        if game.moves().is_empty() {
            return None;
        }
        let [white, black] = by_color(side, self.player.engine.profile().name.clone(), String::new());
        Some(Box::new(FinishedGame {
            identity: self.player.next_game_identity(),
            outcome: game.ending().map(|(outcome, _)| outcome),
            game: KeptGame::Draughts(game),
            tags: Tags { white, black, program: by_color(side, true, false), ..Tags::default() },
            comment: String::new(),
            time_control: "?".to_owned(),
            notes: Vec::new(),
            began,
        }))
    }
}
