//! The state of a session as text, so that another server, or the next version of this one, can
//! continue it.
//!
//! The first line names the format and its version; each further line is a key and its values:
//!
//! ```text
//! farboard session 1
//! protocol xboard
//! game.moves e2e4 e7e5
//! clocks.left 59120
//! ```
//!
//! A missing key means the value of a new session, an unknown one is an error. Times are seconds
//! relative to the instant at which the state was written. Options are those that differ from the
//! profile's. What the client must not see (kriegspiel, talk in bughouse) is encrypted in one line,
//! which also authenticates the others.
//!
//! A state comes from outside, so it is validated like any input: reading it cannot panic, and
//! yields nothing that commands could not have led to. Seeds and table salts are the restoring
//! server's, and so are profiles and limits.
//!
//! * `fields`: one description of a session's fields, for writing and reading. `values`: values as
//!   text.
//! * `games`: moves, positions and games. `searches`: findings of searches. `seal`: encryption.
//!
//! Each session describes its fields in a file of its own folder.

mod fields;
mod games;
mod seal;
mod searches;
mod values;

pub use seal::StateKey;

pub(super) use fields::{Fields, describe};
pub(super) use games::{chess_game, draughts_game};
pub(super) use values::{Value, Words, record, text, words};

use fields::Defaults;
use std::collections::BTreeMap;
use std::time::Instant;

/// The first line of a state.
const HEADER: &str = "farboard session 1";

/// The longest state that is read, in bytes: games of some 20,000 plies.
pub const MAX_STATE: usize = 1 << 18;

/// The state of a session.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SessionState {
    /// Lines that the client may see.
    open: String,
    /// Lines that the client must not see.
    secret: String,
}

/// The reason that a state cannot be restored.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StateError {
    /// The text is not a state, or one of another version.
    #[error("the session's state is not of the form \"{HEADER}\"")]
    Header,
    /// The state is longer than [`MAX_STATE`].
    #[error("the session's state is longer than {MAX_STATE} bytes")]
    TooLong,
    /// An unknown key.
    #[error("the session's state has an unknown key {0:?}")]
    UnknownKey(String),
    /// A repeated key.
    #[error("the session's state has the key {0:?} twice")]
    RepeatedKey(String),
    /// An impossible value of this key.
    #[error("the session's state has an impossible value for {0:?}")]
    Value(String),
    /// Values of several keys contradict each other.
    #[error("the session's state contradicts itself")]
    Inconsistent,
    /// The encrypted part was made with another key, or has been changed.
    #[error("the session's encrypted state cannot be opened: its server had another state key")]
    Sealed,
}

impl SessionState {
    /// Returns the lines of `describe` that differ from a new session's.
    pub(super) fn written(
        now: Instant,
        protocol: &str,
        describe: impl FnOnce(&mut Fields<'_>) -> Result<(), StateError>,
        describe_new: impl FnOnce(&mut Fields<'_>) -> Result<(), StateError>,
    ) -> SessionState {
        let mut new = SessionState::default();
        let mut state = SessionState::empty(protocol);
        // Writing cannot fail.
        let _ = describe_new(&mut Fields::writing(&mut new, Defaults::default(), now));
        let _ = describe(&mut Fields::writing(&mut state, Defaults::of(new), now));
        state
    }

    /// The state of a client that has not sent anything yet.
    pub(super) fn empty(protocol: &str) -> SessionState {
        SessionState { open: format!("protocol {protocol}\n"), secret: String::new() }
    }

    /// The name of the session's protocol.
    pub(super) fn protocol(&self) -> Option<&str> {
        self.open.lines().find_map(|line| line.strip_prefix("protocol "))
    }

    /// Reads the values with `describe`; times are relative to `now`.
    ///
    /// # Errors
    /// A key is unknown, or a value impossible.
    pub(super) fn read(
        &self,
        now: Instant,
        describe: impl FnOnce(&mut Fields<'_>) -> Result<(), StateError>,
    ) -> Result<(), StateError> {
        let mut values = BTreeMap::new();
        for line in self.open.lines().chain(self.secret.lines()) {
            let (key, value) = line.split_once(' ').unwrap_or((line, ""));
            if key != "protocol" && values.insert(key.to_owned(), value.to_owned()).is_some() {
                return Err(StateError::RepeatedKey(key.to_owned()));
            }
        }
        describe(&mut Fields::reading(&mut values, now))?;
        values.into_keys().next().map_or(Ok(()), |key| Err(StateError::UnknownKey(key)))
    }

    /// The text. Each nonce may be used only once with this key.
    pub fn text(&self, key: &StateKey, nonce: [u8; 12]) -> String {
        let mut text = format!("{HEADER}\n{}", self.open);
        if !self.secret.is_empty() {
            let sealed = key.seal(&self.secret, text.as_bytes(), nonce);
            text.push_str(&format!("sealed {sealed}\n"));
        }
        text
    }

    /// The unencrypted text, for administrators.
    pub fn plain_text(&self) -> String {
        format!("{HEADER}\n{}{}", self.open, self.secret)
    }

    /// Reads a text.
    ///
    /// # Errors
    /// The text is too long or of another version, or its encrypted part cannot be opened.
    pub fn parse(text: &str, key: &StateKey) -> Result<SessionState, StateError> {
        if text.len() > MAX_STATE {
            return Err(StateError::TooLong);
        }
        let rest =
            text.strip_prefix(HEADER).and_then(|rest| rest.strip_prefix('\n')).ok_or(StateError::Header)?;
        // The encrypted line is the last one.
        let open_until = rest.trim_end_matches('\n').rfind('\n').map_or(0, |end| end + 1);
        let (open, last) = rest.split_at(open_until);
        match last.trim_end_matches('\n').strip_prefix("sealed ") {
            None => Ok(SessionState { open: rest.to_owned(), secret: String::new() }),
            Some(sealed) => {
                let vouched = &text[..text.len() - last.len()];
                let secret = key.open(sealed, vouched.as_bytes())?;
                Ok(SessionState { open: open.to_owned(), secret })
            }
        }
    }
}
