//! `exclude` and `include`: root moves that are not searched. `setscore`: scores set by the user.

use super::{Session, Step};
use crate::protocol::xboard::{ErrorReason, RootMoves};
use crate::search::{KnownScore, Score};
use crate::session::player::Purpose;

/// The highest absolute score that `setscore` accepts, in centipawns: less than a mate.
const MAX_SCORE: i32 = 20_000;

impl Session {
    /// `exclude` and `include`: leaves these moves out of searches of the position on the board, or
    /// searches them again.
    pub(super) fn exclude(&mut self, is_excluded: bool, moves: &RootMoves, step: &mut Step<'_>) {
        if !self.settle_turn(step) {
            return;
        }
        let Ok(meant) = self.board.root_moves(moves) else {
            let reason = ErrorReason::Argument("no such move in this position".to_owned());
            let word = if is_excluded { "exclude" } else { "include" };
            return self.refuse(reason, format!("{word} {moves}"), step);
        };
        self.board.excluded.retain(|mv| !meant.contains(mv));
        self.board.excluded.extend(meant.into_iter().filter(|_| is_excluded));
        self.restart_search(step);
    }

    /// Restarts searches whose root moves have changed: an analysis, pondering on the position on
    /// the board, and the search for the engine's move, even if it has ended or is held in a pause.
    fn restart_search(&mut self, step: &mut Step<'_>) {
        self.analyse(step);
        if self.player.owes_move() && self.player.is_paused() {
            // The search begins anew.
            if let Some(since) = self.player.end_pause(step.now) {
                self.search_for_move(since, step);
            }
        } else if let Some(search) = self.player.search().filter(|search| search.purpose == Purpose::Move) {
            self.search_for_move(search.since, step);
        } else if self.player.purpose() == Some(Purpose::PonderOnBoard) && !self.player.is_paused() {
            self.ponder_on_board(step);
        }
    }

    /// `setscore SCORE DEPTH`: searches up to that depth use this score for the position on the
    /// board, until the next game.
    pub(super) fn set_score(&mut self, score: i32, depth: u32, step: &mut Step<'_>) {
        if !self.settle_turn(step) {
            return;
        }
        let key = self.board.position().key();
        let score = Score(score.clamp(-MAX_SCORE, MAX_SCORE));
        self.player.learn_score(KnownScore { key, score, depth: depth.min(255) as u8 });
    }
}
