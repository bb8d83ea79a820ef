//! Required answers of an engine in xboard's protocol.

/// The number of a `ping` that crashes servers.
pub const POISON: u64 = 666_666;

/// A required answer.
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
