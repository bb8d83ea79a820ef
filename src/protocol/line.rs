//! What is said to a client, whatever the protocol.

/// Names what a line says, so that a later line that says it anew makes an earlier one superfluous: of a thinking
/// line its depth and which of several lines it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineKey(pub u32, pub u32);

/// A line for a client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// With its end.
    pub text: String,
    /// Set if a later line of the same key replaces this one where the client has not read it yet.
    pub key: Option<LineKey>,
}

impl Line {
    /// A line that nothing replaces.
    pub fn lasting(text: String) -> Line {
        Line { text, key: None }
    }
}
