//! `exclude` and `include`: root moves that are not searched. `setscore`: scores set by the user.

use super::{Session, Step};
use crate::chess::Move;
use crate::protocol::xboard::{ErrorReason, RootMoves};
use crate::search::{KnownScore, Score};
use crate::session::player::Purpose;

/// The highest absolute score that `setscore` accepts, in centipawns: less than a mate.
const MAX_SCORE: i32 = 20_000;

impl Session {
    /// `exclude`: leaves these moves out of searches of the position on the board.
    pub(super) fn exclude(&mut self, moves: &RootMoves, step: &mut Step<'_>) {
        if let Some(meant) = self.root_moves("exclude", moves, step) {
            self.excluded.retain(|mv| !meant.contains(mv));
            self.excluded.extend(meant);
            self.restart_search(step);
        }
    }

    /// `include`: searches these moves again.
    pub(super) fn include(&mut self, moves: &RootMoves, step: &mut Step<'_>) {
        if let Some(meant) = self.root_moves("include", moves, step) {
            self.excluded.retain(|mv| !meant.contains(mv));
            self.restart_search(step);
        }
    }

    /// Returns the moves that a command names; `None`, after an error message, if it names none.
    fn root_moves(&mut self, word: &str, moves: &RootMoves, step: &mut Step<'_>) -> Option<Vec<Move>> {
        if !self.settle_turn(step) {
            return None;
        }
        let position = self.game.position();
        match moves {
            RootMoves::All => Some(position.legal_moves().into_iter().collect()),
            RootMoves::One(text) => match position.parse_move(text) {
                Ok(mv) => Some(vec![mv]),
                Err(_) => {
                    let reason = ErrorReason::Argument("no such move in this position".to_owned());
                    self.refuse(reason, format!("{word} {moves}"), step);
                    None
                }
            },
        }
    }

    /// Restarts searches whose root moves have changed: an analysis, pondering on the position on
    /// the board, and the search for the engine's move, even if it has ended or is held in a pause.
    fn restart_search(&mut self, step: &mut Step<'_>) {
        self.analyse(step);
        if self.player.owes_move() && self.player.is_paused() {
            self.end_pause(step);
        } else if let Some(search) = self.player.search().filter(|search| search.purpose == Purpose::Move) {
            self.search_for_move(search.since, step);
        } else if self.player.purpose() == Some(Purpose::PonderOnBoard) && !self.player.is_paused() {
            self.ponder_on_board(step);
        }
    }

    /// Returns true if all moves are excluded. Then nothing is analysed, and a move that is due is
    /// chosen from all moves.
    pub(super) fn excludes_all(&self) -> bool {
        !self.excluded.is_empty() && self.excluded.len() == self.game.position().legal_moves().len()
    }

    /// `setscore SCORE DEPTH`: searches up to that depth use this score for the position on the
    /// board, until the next game.
    pub(super) fn set_score(&mut self, score: i32, depth: u32, step: &mut Step<'_>) {
        if !self.settle_turn(step) {
            return;
        }
        let key = self.game.position().key();
        let score = Score(score.clamp(-MAX_SCORE, MAX_SCORE));
        self.player.learn_score(KnownScore { key, score, depth: depth.min(255) as u8 });
    }
}
