//! Commands of administrators: one JSON object on a line.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// Longest ban in seconds: a year.
pub(super) const MAX_BAN_SECONDS: u64 = 366 * 24 * 3600;

/// Ban after a kick without `seconds`. Shims look for a lost server for a minute.
pub(super) const DEFAULT_BAN_SECONDS: u64 = 90;

/// A command.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Command {
    /// Ends sessions and bans their users, or the addresses of clients without a user name.
    Kick {
        /// The sessions.
        who: Target,
        /// Length of the ban in seconds; 0 for none. With an explicit length, users and addresses
        /// without a session are banned too; without one (90 s), naming them is an error.
        seconds: Option<u64>,
        /// Reason shown to the clients.
        because: String,
    },
    /// Shows a message.
    Message {
        /// The sessions.
        who: Target,
        /// The message.
        text: String,
    },
    /// Refuses new sessions.
    Drain {
        /// Whether to end existing sessions too: idle ones now, others after their game.
        sessions: bool,
    },
    /// Accepts new sessions again.
    Undrain {},
    /// Sets the share weight of sessions and of later sessions of the same user or address.
    Weight {
        /// Sessions concerned.
        who: Target,
        /// Weight from 1 to 1024; `None` for the configured one, which applies from the next login.
        weight: Option<u32>,
    },
}

/// The sessions a command applies to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// All sessions.
    All,
    /// The session with this number.
    Session(u64),
    /// Sessions from this address.
    Address(IpAddr),
    /// Sessions of this user.
    User(String),
}

/// Parses `all`, a session number, an address or a user name; `user=NAME` for an ambiguous one.
impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Target, String> {
        if let Some(name) = text.strip_prefix("user=") {
            return Ok(Target::User(name.to_owned()));
        }
        let number = text.parse().ok().map(Target::Session);
        let address = || text.parse().ok().map(Target::Address);
        match text {
            "all" => Ok(Target::All),
            "" => Err("missing target: a session number, a user name, an address or all".to_owned()),
            name => Ok(number.or_else(address).unwrap_or_else(|| Target::User(name.to_owned()))),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::All => f.write_str("all sessions"),
            Target::Session(number) => write!(f, "session {number}"),
            Target::Address(address) => write!(f, "the address {address}"),
            Target::User(name) => write!(f, "the user {name:?}"),
        }
    }
}

/// Response to a command.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Response {
    /// The command was executed for this number of sessions.
    Done(usize),
    /// Reason for doing nothing.
    Error(String),
}

/// Response to `state NUMBER`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StateResponse {
    /// The state as text.
    State(String),
    /// Reason for having no state.
    Error(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_read_back_from_their_line() {
        for (command, text) in [
            (
                Command::Kick { who: Target::Session(7), seconds: Some(60), because: "x\ny".to_owned() },
                r#"{"kick":{"who":{"session":7},"seconds":60,"because":"x\ny"}}"#,
            ),
            (
                Command::Message { who: Target::All, text: "tea".to_owned() },
                r#"{"message":{"who":"all","text":"tea"}}"#,
            ),
            (Command::Drain { sessions: false }, r#"{"drain":{"sessions":false}}"#),
            (Command::Undrain {}, r#"{"undrain":{}}"#),
            (
                Command::Weight { who: Target::User("a".to_owned()), weight: None },
                r#"{"weight":{"who":{"user":"a"},"weight":null}}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&command).expect("text"), text);
            assert_eq!(serde_json::from_str::<Command>(text).expect("a command"), command);
        }
        assert!(serde_json::from_str::<Command>(r#"{"kick":{"who":"all","seconds":1}}"#).is_err());
        assert!(serde_json::from_str::<Command>(r#"{"reboot":{}}"#).is_err());
    }

    #[test]
    fn a_word_names_the_target() {
        let target = |text: &str| text.parse::<Target>().expect("a target");
        assert_eq!(target("all"), Target::All);
        assert_eq!(target("7"), Target::Session(7));
        assert_eq!(target("user=7"), Target::User("7".to_owned()));
        assert_eq!(target("192.0.2.7"), Target::Address("192.0.2.7".parse().expect("an address")));
        assert_eq!(target("alice"), Target::User("alice".to_owned()));
        assert!("".parse::<Target>().is_err());
    }
}
