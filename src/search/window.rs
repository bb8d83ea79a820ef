//! The window of a node.

use super::Bound;

/// The window and how a node came about.
#[derive(Clone, Copy)]
pub struct Window {
    pub alpha: i32,
    pub beta: i32,
    /// Whether the best score is expected to be at least `beta`.
    pub cut: bool,
}

/// Whether a bound from the TT settles a node.
#[inline]
pub fn decides(bound: Bound, score: i32, window: Window) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    }
}
