//! External engines, which search instead of the built-in one.

use super::{Done, Gate, Report, Request};
use crate::chess::{AnyPosition, Move};
use std::fmt;

/// A game from its start to the searched position.
#[derive(Clone, Debug)]
pub struct Played {
    /// The first position.
    pub start: AnyPosition,
    /// The moves played since.
    pub moves: Vec<Move>,
}

/// An external engine. Called on many threads at once.
pub trait ExternalEngine: fmt::Debug + Send + Sync {
    /// Searches like [`super::search`]; returns `None` if the built-in engine must take over, which
    /// may report from the beginning. No process runs for the search while the gate blocks.
    fn search(&self, request: &Request, gate: &mut dyn Gate, reports: &mut dyn FnMut(Report))
    -> Option<Done>;
}
