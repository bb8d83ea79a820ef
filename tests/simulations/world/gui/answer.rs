//! What an engine of xboard's protocol must answer.

/// The number of a ping that servers may die of.
pub const POISON: u64 = 666_666;

/// An answer that must come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    Move,
    Pong(u64),
    /// `Illegal move`, about this text.
    Illegal(String),
    /// `Error`, about this word.
    Error(String),
    /// `tellusererror`, about a position.
    BadPosition,
}
