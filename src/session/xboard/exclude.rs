//! `exclude` and `include`: first moves not to consider. `setscore`: what the user knows better.

use super::{Session, Step};
use crate::protocol::xboard::{Command, ErrorReason, RootMoves};
use crate::search::{KnownScore, Score};
use crate::session::player::Purpose;

/// Centipawns a score may be told to be, on either side: less than a mate.
const MAX_SCORE: i32 = 20_000;

impl Session {
    /// `exclude` and `include`. The set is for the position on the board, and for no other.
    pub(super) fn exclude(&mut self, command: &Command, step: &mut Step<'_>) {
        let (moves, out) = match command {
            Command::Exclude(moves) => (moves, true),
            Command::Include(moves) => (moves, false),
            _ => return,
        };
        if !self.settle_turn(step) {
            return;
        }
        let position = self.game.position();
        let meant = match moves {
            RootMoves::All => position.legal_moves().into_iter().collect(),
            RootMoves::One(text) => match position.parse_move(text) {
                Ok(mv) => vec![mv],
                Err(_) => {
                    let why = ErrorReason::Argument("no such move in this position".to_owned());
                    return self.refuse(why, command.to_string(), step);
                }
            },
        };
        self.excluded.retain(|mv| !meant.contains(mv));
        if out {
            self.excluded.extend(meant);
        }
        self.consider_anew(step);
    }

    /// The set of first moves has changed in the middle of a search. One for our move begins anew, also out of a pause,
    /// and even if it has found one; so does one that ponders on the position on the board.
    fn consider_anew(&mut self, step: &mut Step<'_>) {
        self.analyse(step);
        if self.player.owes_move() && self.player.is_paused() {
            self.end_pause(step);
        } else if let Some(search) = self.player.search().filter(|search| search.purpose == Purpose::Move) {
            self.search_for_move(search.since, step);
        } else if self.player.purpose() == Some(Purpose::Ordered) && !self.player.is_paused() {
            self.ponder_on_board(step);
        }
    }

    /// Whether moves are left. Where all are excluded nothing is analysed; a move that is due is chosen from all.
    pub(super) fn excludes_all(&self) -> bool {
        !self.excluded.is_empty() && self.excluded.len() == self.game.position().legal_moves().len()
    }

    /// `setscore SCORE DEPTH`: the position on the board is worth that, up to that depth. Forgotten with the next game.
    pub(super) fn set_score(&mut self, score: i32, depth: u32, step: &mut Step<'_>) {
        if !self.settle_turn(step) {
            return;
        }
        let key = self.game.position().key();
        let score = Score(score.clamp(-MAX_SCORE, MAX_SCORE));
        self.player.learn_score(KnownScore { key, score, depth: depth.min(255) as u8 });
    }
}
