//! Games that have ended go into the server's archive, if there is one.
//!
//! A game ends with the client's `result`, or when the rules leave no move; a draw that we have claimed and a game that we have
//! resigned end with the next one or with the session, since a client may go on. Games in which we have made no move are not
//! ours to keep.

use super::{Session, Step};
use crate::chess::{Color, Ending, Move, Outcome};
use crate::protocol::xboard::GameResult;
use crate::session::player::Search;
use crate::session::{FinishedGame, MoveNote};
use std::time::Instant;

impl Session {
    /// Notes our move before it is played.
    pub(super) fn note_move(&mut self, mv: Move, search: Option<&Search>, step: &Step<'_>) {
        if !self.player.engine.profile().archives {
            return;
        }
        let note = MoveNote {
            ply: self.game.moves().len(),
            mv,
            score: search.and_then(Search::score),
            time: search.map(|search| self.player.limits.used(search, step.now)).unwrap_or_default(),
        };
        self.notebook.note(note, self.game.position().turn(), step.now);
    }

    /// The game has ended by rule, and nobody can go on with it.
    pub(super) fn archive_final(&mut self, outcome: Outcome, ending: Ending, step: &mut Step<'_>) {
        if !matches!(ending, Ending::Repetition | Ending::FiftyMoves) {
            self.archive(Some(outcome), "", step);
        }
    }

    /// The client has told the result.
    pub(super) fn archive_result(&mut self, result: GameResult, comment: &str, step: &mut Step<'_>) {
        let outcome = match result {
            GameResult::WhiteWins => Some(Outcome::Win(Color::White)),
            GameResult::BlackWins => Some(Outcome::Win(Color::Black)),
            GameResult::Draw => Some(Outcome::Draw),
            GameResult::Unfinished => None,
        };
        self.archive(outcome, comment, step);
    }

    /// Another game begins, or the session ends: what we have claimed or resigned is the result.
    pub(super) fn archive_claimed(&mut self, step: &mut Step<'_>) {
        step.archive(self.take_game(step.now));
    }

    /// The game that has ended and is left for the archive, when the session ends otherwise than by its own wish: the connection
    /// is lost, the client kicked, the server over.
    pub fn take_game(&mut self, now: Instant) -> Option<Box<FinishedGame>> {
        let ours = self.notebook.unarchived_side().filter(|_| self.over)?;
        match self.game.ending() {
            Some((outcome, _)) => self.finished(Some(outcome), "", now),
            None if self.offers.resigned => self.finished(Some(Outcome::Win(!ours)), "resigned", now),
            None => None,
        }
    }

    fn archive(&mut self, outcome: Option<Outcome>, comment: &str, step: &mut Step<'_>) {
        step.archive(self.finished(outcome, comment, step.now));
    }

    fn finished(
        &mut self,
        outcome: Option<Outcome>,
        comment: &str,
        now: Instant,
    ) -> Option<Box<FinishedGame>> {
        let ours = self.notebook.unarchived_side()?;
        let (tags, clock) = (self.tags(ours), self.player.limits.clocks.in_pgn());
        Some(self.notebook.archive(&self.game, tags, outcome, comment, clock, now))
    }
}
