//! What the engine says to the GUI.

/// A reply.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// Answer to `ping`.
    Pong(i64),
}
