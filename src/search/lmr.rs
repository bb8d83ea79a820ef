//! LMR: late moves are searched less deep until they prove better than expected.

use super::alpha_beta::{Candidate, Node, Pressure};
use super::params::{
    LMR_BASE, LMR_CUTOFFS, LMR_DEPTH, LMR_DIVISOR, LMR_HISTORY, LMR_ROOT_DEPTH, LMR_ROOT_MOVES,
};
use super::searchable::Searchable;
use super::worker::Worker;
use std::sync::LazyLock;

/// The formula, tabulated for depths and move numbers up to 63.
#[derive(Clone, Copy)]
pub(super) struct Lmr(&'static [[u8; 64]; 64]);

impl Lmr {
    /// The formula.
    pub(super) fn new() -> Lmr {
        static TABLE: LazyLock<[[u8; 64]; 64]> = LazyLock::new(|| {
            std::array::from_fn(|depth| std::array::from_fn(|number| formula(depth, number)))
        });
        Lmr(&TABLE)
    }

    #[inline]
    fn plies(self, depth: i32, number: usize) -> i32 {
        i32::from(self.0[depth.min(63) as usize][number.min(63)])
    }

    /// Returns the reduction of a quiet root move; `number` counts from 0. The side on move must
    /// not be in check.
    pub(super) fn root_reduction(self, depth: i32, number: usize) -> i32 {
        if depth < LMR_ROOT_DEPTH || number < LMR_ROOT_MOVES {
            return 0;
        }
        (self.plies(depth, number) - 1).clamp(0, depth - 2)
    }
}

impl Worker<'_> {
    /// Returns the reduction of a move below the root that is about to be played.
    #[inline]
    pub(super) fn reduction<P: Searchable>(&self, position: &P, node: &Node, candidate: &Candidate) -> i32 {
        let Node { depth, ply, .. } = *node;
        let Candidate { mv, number, .. } = *candidate;
        let late = depth >= LMR_DEPTH && number > 1 + i32::from(node.pv);
        if !late || node.pressure == Pressure::Compelled {
            return 0;
        }
        let mut plies = self.lmr.plies(depth, number as usize);
        if candidate.quiet {
            let histories = &self.scratch.histories;
            plies += i32::from(!node.improving) + i32::from(node.window.cut) + i32::from(node.noisy_tt_move);
            plies -= histories.quiet(position, mv, candidate.before) / LMR_HISTORY;
            plies -= i32::from(histories.is_killer(ply, mv));
        } else {
            plies /= 2;
        }
        // Many moves caused cutoffs in child nodes.
        plies += i32::from(self.path[ply + 1].cutoffs > LMR_CUTOFFS);
        plies -= i32::from(node.pv) + i32::from(candidate.gives_check) + i32::from(node.was_pv());
        plies.clamp(0, depth - 2)
    }
}

fn formula(depth: usize, number: usize) -> u8 {
    if depth == 0 || number == 0 {
        return 0;
    }
    (LMR_BASE + (depth as f64).ln() * (number as f64).ln() / LMR_DIVISOR) as u8
}
