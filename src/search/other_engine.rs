//! Engines of others, which search in place of ours.

use super::{Done, Gate, Report, Request};
use crate::chess::{AnyPosition, Move};
use std::fmt;

/// A game from its start to the position that is searched.
#[derive(Clone, Debug)]
pub struct Played {
    /// Where it started.
    pub start: AnyPosition,
    /// The moves since then.
    pub moves: Vec<Move>,
}

/// An engine that somebody else has made. Called on many threads at once.
pub trait OtherEngine: fmt::Debug + Send + Sync {
    /// Searches like [`super::search`]. While the gate keeps it waiting, nothing runs for it.
    ///
    /// `None` if the engine cannot do it: ours is to search instead, and may report from the beginning.
    fn search(&self, request: &Request, gate: &mut dyn Gate, reports: &mut dyn FnMut(Report))
    -> Option<Done>;
}
