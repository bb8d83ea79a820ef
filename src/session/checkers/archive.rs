//! Games that have ended go into the server's archive, if there is one.
//!
//! A game ends with a move of ours after which the other side has none, with the next `NEWGAME`, or with the session. Its
//! result is known where the rules tell it. Games in which no best move was asked for are not ours to keep.

use super::{Session, Step};
use crate::chess::{Color, Tags};
use crate::session::{FinishedGame, KeptGame};
use std::time::Instant;

/// What is known of our part in the game.
#[derive(Clone, Copy, Debug)]
pub(super) struct OurPart {
    pub(super) side: Color,
    /// When our first move was made.
    pub(super) began: Instant,
}

impl Session {
    /// Notes that we have a best move for the side on move.
    pub(super) fn note_move(&mut self, step: &Step<'_>) {
        if self.player.engine.profile().archives {
            let side = self.board.game().position().turn();
            let began = self.our_part.map_or(step.now, |part| part.began);
            self.our_part = Some(OurPart { side, began });
        }
    }

    /// The game is over: nobody can move, another one begins, or the session ends.
    pub(super) fn archive_game(&mut self, step: &mut Step<'_>) {
        step.archive(self.take_game(step.now));
    }

    /// The game that is left for the archive, when the session ends otherwise than by its own wish: the connection is lost, the
    /// client kicked, the server over.
    pub fn take_game(&mut self, _now: Instant) -> Option<Box<FinishedGame>> {
        let OurPart { side, began } = self.our_part.take()?;
        let game = self.board.game().clone();
        if game.moves().is_empty() {
            return None;
        }
        let mut names = [self.player.engine.profile().name.clone(), String::new()];
        let mut program = [true, false];
        if side == Color::Black {
            names.reverse();
            program.reverse();
        }
        let [white, black] = names;
        Some(Box::new(FinishedGame {
            identity: self.player.next_game_identity(),
            outcome: game.ending().map(|(outcome, _)| outcome),
            game: KeptGame::Draughts(game),
            tags: Tags { white, black, program, ..Tags::default() },
            comment: String::new(),
            time_control: "?".to_owned(),
            notes: Vec::new(),
            began,
        }))
    }
}
