//! What a search is asked, and who may interrupt it.

use crate::chess::{AnyPosition, Move};
use std::time::Duration;

/// One search to be done.
#[derive(Clone)]
pub struct Request {
    /// The position to search.
    pub position: AnyPosition,
    /// Keys of earlier positions of the game since the last irreversible move, oldest first
    /// ([`crate::chess::Game::history`]); the searched position itself is not among them.
    pub history: Vec<u64>,
    /// When to end although nobody says stop.
    pub limits: Limits,
    /// How many best lines to report, at least 1 (principal variations of different first moves).
    pub lines: u8,
    /// First moves not to consider.
    pub excluded: Vec<Move>,
    /// Mixed into table keys: searches see each other's entries only if they have the same salt.
    pub salt: u64,
}

/// Limits of a search that do not depend on a clock. Time is the gate's affair.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Plies.
    pub depth: Option<u8>,
    /// Nodes; exact to a few thousand.
    pub nodes: Option<u64>,
}

/// What a gate answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Search on.
    Continue,
    /// End now; the best move known is the result.
    Stop,
}

/// How a search meets the rest of the world. The implementation may keep the caller waiting in
/// [`Gate::poll`], which is how a search is suspended in the middle of its tree.
pub trait Gate {
    /// Called about every [`POLL_NODES`] nodes.
    fn poll(&mut self) -> Verdict;

    /// Time since the search was asked for.
    fn elapsed(&self) -> Duration;

    /// Whether `scale` times the optimum of the time allotment is used up. Never true without an
    /// allotment, which may come later (a ponder hit).
    fn past_optimum(&self, scale: f32) -> bool;
}

/// Nodes between two calls of [`Gate::poll`]: some 0.5 to 1 ms.
pub const POLL_NODES: u64 = 1024;
