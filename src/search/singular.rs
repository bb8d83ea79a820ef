//! Singular extensions: a move that is clearly better than all others is searched deeper.

use super::Bound;
use super::alpha_beta::{Node, Pressure};
use super::params::*;
use super::score::Score;
use super::searchable::Searchable;
use super::window::Window;
use super::worker::Worker;
use crate::chess::Move;

impl Worker<'_> {
    /// Searches without the TT move. Returns the extension of the TT move if all others are clearly
    /// worse; or the score of the node as an error if another is good enough, too (multi-cut), or
    /// the search is stopped.
    pub(super) fn singularity<P: Searchable>(
        &mut self,
        position: &P,
        node: &Node,
        mv: Move,
    ) -> Result<i32, i32> {
        let Node { depth, ply, window, pv, .. } = *node;
        let Some(entry) = node.tt_entry else { return Ok(0) };
        let known = i32::from(entry.depth) >= depth - SINGULAR_TT_DEPTH && entry.bound != Bound::Upper;
        // Checks have been extended already. In a principal variation no search is cut off by the
        // TT, so this one would be repeated in each iteration, and in each resumed search.
        if depth < SINGULAR_DEPTH
            || pv
            || node.pressure == Pressure::Compelled
            || !known
            || node.excluded.is_some()
            || entry.score.abs() >= Score::MATE_BOUND.0
            || ply >= 2 * self.root.depth as usize
        {
            return Ok(0);
        }
        let beta = entry.score - SINGULAR_MARGIN * depth;
        self.path[ply].excluded = Some(mv);
        let without = Window { alpha: beta - 1, beta, cut: window.cut };
        let score = self.search(position, (depth - 1) / 2, ply, without, false);
        self.path[ply].excluded = None;
        self.scratch.lines.clear(ply);
        if self.pace.is_stopped() {
            return Err(0);
        }
        if score < beta {
            let twice = score < beta - SINGULAR_DOUBLE_MARGIN && self.path[ply].doubles < SINGULAR_DOUBLES;
            return Ok(1 + i32::from(twice));
        }
        if beta >= window.beta {
            return Err(beta);
        }
        // Other moves are about as good.
        Ok(if entry.score >= window.beta { -2 } else { -i32::from(window.cut) })
    }
}
