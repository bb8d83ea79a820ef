//! Search windows.

use super::{Bound, Score};

/// The window of a node, and whether a cutoff is expected.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub alpha: i32,
    pub beta: i32,
    /// Whether a cutoff is expected.
    pub cut: bool,
}

impl Window {
    /// Contains every score.
    pub(super) const FULL: Window = Window { alpha: -Score::INFINITE.0, beta: Score::INFINITE.0, cut: false };

    /// Returns true for more than a null window.
    #[inline]
    pub(super) fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }
}

/// Returns true if a TT bound settles a node.
#[inline]
pub(super) fn decides(bound: Bound, score: i32, window: Window) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    }
}
