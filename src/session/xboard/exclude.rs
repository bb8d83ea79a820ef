//! `exclude` and `include`: root moves that are not searched. `setscore`: scores set by the user.

use super::{Session, Step};
use crate::protocol::xboard::{Command, ErrorReason, RootMoves};
use crate::search::{KnownScore, Score};
use crate::session::player::Purpose;

/// The highest score, to either side, that `setscore` can set: less than a mate. Centipawns.
const MAX_SCORE: i32 = 20_000;

impl Session {
    /// `exclude` and `include`. The excluded moves are those of the position on the board, and of no other.
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
        self.restart_search(step);
    }

    /// The set of root moves has changed: restarts an analysis, pondering on the position on the board, and the search for
    /// our move, even if it has ended or is held in a pause.
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

    /// Whether all moves are excluded. Then nothing is analysed, and a move that is due is chosen from all moves.
    pub(super) fn excludes_all(&self) -> bool {
        !self.excluded.is_empty() && self.excluded.len() == self.game.position().legal_moves().len()
    }

    /// `setscore SCORE DEPTH`: searches up to that depth take the score for the position on the board, until the next game.
    pub(super) fn set_score(&mut self, score: i32, depth: u32, step: &mut Step<'_>) {
        if !self.settle_turn(step) {
            return;
        }
        let key = self.game.position().key();
        let score = Score(score.clamp(-MAX_SCORE, MAX_SCORE));
        self.player.learn_score(KnownScore { key, score, depth: depth.min(255) as u8 });
    }
}
