//! What every node does first, and how scores go into the table and come out.

use super::score::{MAX_PLY, Score};
use super::worker::Worker;
use crate::chess::{Color, Position, Rules};

impl Worker<'_> {
    /// Counts a node and clears its line. The score if nothing has to be searched: the search is stopped
    /// (any score will do), the game is drawn, or the line is as long as lines get.
    #[inline]
    pub fn enter<R: Rules>(&mut self, position: &Position<R>, ply: usize) -> Option<i32> {
        if self.visit() {
            return Some(0);
        }
        self.lines[ply][0] = None;
        self.selective_depth = self.selective_depth.max(ply);
        if self.is_draw(position, ply) {
            return Some(self.draw_score(position.turn()));
        }
        (ply >= MAX_PLY - 1).then(|| self.noise.evaluate(position))
    }

    /// What a draw is worth to a side.
    #[inline]
    pub fn draw_score(&self, side: Color) -> i32 {
        if side == self.root_side { self.draw } else { -self.draw }
    }

    /// Whether a position is a draw whatever follows: it repeats one of this line, or for the third
    /// time one of the game; or 50 moves are over (mate on the last of them aside); or nobody can mate.
    pub fn is_draw<R: Rules>(&self, position: &Position<R>, ply: usize) -> bool {
        let reversible = position.halfmove_clock() as usize;
        if reversible >= 100 && (!position.in_check() || position.has_legal_move()) {
            return true;
        }
        let known = self.keys.len();
        let mut seen = 0;
        for back in (4..=reversible.min(known)).step_by(2) {
            if self.keys[known - back] == position.key() {
                seen += 1;
                if back <= ply || seen == 2 {
                    return true;
                }
            }
        }
        position.insufficient_material()
    }
}

/// A mate score as the table keeps it: counted from the position, not from the root.
#[inline]
pub fn to_table(score: i32, ply: usize) -> i32 {
    if score >= Score::MATE_BOUND.0 {
        score + ply as i32
    } else if score <= -Score::MATE_BOUND.0 {
        score - ply as i32
    } else {
        score
    }
}

/// The reverse of [`to_table`].
#[inline]
pub fn from_table(score: i32, ply: usize) -> i32 {
    if score >= Score::MATE_BOUND.0 {
        score - ply as i32
    } else if score <= -Score::MATE_BOUND.0 {
        score + ply as i32
    } else {
        score
    }
}
