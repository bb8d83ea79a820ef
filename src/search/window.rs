//! Search windows.

use super::Bound;

/// The window of a node, and whether a cutoff is expected.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub alpha: i32,
    pub beta: i32,
    /// Whether a cutoff is expected.
    pub cut: bool,
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
