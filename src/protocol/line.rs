//! Lines for a client, whatever the protocol.

/// The key of a line that a later line with the same key replaces: depth and number of a thinking
/// line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineKey(pub u32, pub u32);

/// A line for a client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The text, with its line end.
    pub text: String,
    /// The key, if a later line with the same key replaces this one while it is unsent.
    pub key: Option<LineKey>,
}

impl Line {
    /// A line that is never replaced.
    pub fn lasting(text: String) -> Line {
        Line { text, key: None }
    }
}
