//! LMR: late moves are searched less deep until they prove better than expected.

use super::params::{LMR_BASE, LMR_DEPTH, LMR_DIVISOR, LMR_HISTORY, LMR_ROOT_DEPTH, LMR_ROOT_MOVES};
use std::sync::LazyLock;

/// A late move and its context.
pub(super) struct LateMove {
    /// Plies left.
    pub depth: i32,
    /// Number of the move in its node, from 1.
    pub number: i32,
    /// Whether it neither captures nor promotes.
    pub quiet: bool,
    /// Its history, if it is quiet.
    pub history: i32,
    /// Whether it is a killer at this ply.
    pub killer: bool,
    /// Whether it gives check.
    pub checks: bool,
    /// Whether the node is a PV node.
    pub pv: bool,
    /// Whether a cutoff is expected.
    pub cut: bool,
    /// Whether the static evaluation is better than two plies before.
    pub improving: bool,
    /// Whether the TT move captures or promotes.
    pub noisy_tt_move: bool,
    /// Whether the node was once on a principal variation.
    pub was_pv: bool,
    /// Whether many moves caused cutoffs in child nodes.
    pub refuted: bool,
}

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

    /// Returns true if moves of this number, from 1, are reduced.
    #[inline]
    pub(super) fn is_late(depth: i32, number: i32, pv: bool) -> bool {
        depth >= LMR_DEPTH && number > 1 + i32::from(pv)
    }

    /// Returns the reduction of a late move below the root. The side on move must not be in check.
    #[inline]
    pub(super) fn reduction(self, late: &LateMove) -> i32 {
        let mut plies = self.plies(late.depth, late.number as usize);
        if late.quiet {
            plies += i32::from(!late.improving) + i32::from(late.cut) + i32::from(late.noisy_tt_move);
            plies -= late.history / LMR_HISTORY;
            plies -= i32::from(late.killer);
        } else {
            plies /= 2;
        }
        plies += i32::from(late.refuted);
        plies -= i32::from(late.pv) + i32::from(late.checks) + i32::from(late.was_pv);
        plies.clamp(0, late.depth - 2)
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

fn formula(depth: usize, number: usize) -> u8 {
    if depth == 0 || number == 0 {
        return 0;
    }
    (LMR_BASE + (depth as f64).ln() * (number as f64).ln() / LMR_DIVISOR) as u8
}
