//! The positions of games that nets are trained on.

use crate::chess::Move;
use crate::search::{RootPosition, Score};
use crate::with_position;

/// Returns true if the static evaluation should agree with a search that found this move and score:
/// nothing is about to be captured or promoted, there is no check, and no mate was found.
pub(super) fn is_quiet(position: &RootPosition, best: Move, score: i16) -> bool {
    if i32::from(score).abs() >= Score::MATE_BOUND.0 {
        return false;
    }
    match position {
        RootPosition::Chess(any) => with_position!(any, position => {
            let noisy = position.is_capture(best) || best.promotion().is_some();
            !noisy && !position.in_check() && !position.must_capture()
        }),
        RootPosition::Draughts(position) => !position.must_jump(),
    }
}
