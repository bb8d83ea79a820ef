//! What administrators can order, as one JSON object on a line.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// The longest time in seconds for which somebody can be kept out: a year.
pub const MAX_BAN_SECONDS: u64 = 366 * 24 * 3600;

/// How long the users of kicked sessions are kept out if the order does not say, in seconds. Shims look for a lost server for
/// a minute, and would be back at once.
pub(super) const DEFAULT_BAN_SECONDS: u64 = 90;

/// An order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Command {
    /// End these sessions, and let their users, or the addresses of those who are none, in again after some time.
    Kick {
        /// Whose.
        who: Target,
        /// The time in seconds; 0 if they may come again at once. With a time a user or an address without a session is
        /// kept out as well; without one (90 s) that is a mistake.
        seconds: Option<u64>,
        /// What they are told.
        because: String,
    },
    /// Show a message.
    Message {
        /// To whom.
        who: Target,
        /// The message.
        text: String,
    },
    /// Let nobody in.
    Drain {
        /// Also end the sessions: idle ones now, others when their game is over.
        sessions: bool,
    },
    /// Let newcomers in again.
    Undrain {},
    /// Set the weight of the shares of these sessions and of later ones of their user or address.
    Weight {
        /// Whose.
        who: Target,
        /// The weight from 1 to 1024; `None` for the configured one, which counts from the next login.
        weight: Option<u32>,
    },
}

/// Sessions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// All.
    All,
    /// The one with this number.
    Session(u64),
    /// Those from this address.
    Address(IpAddr),
    /// Those of this user.
    User(String),
}

/// As people type it: `all`, a number, an address, a name; `user=NAME` if a name looks like one of the others.
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
            "" => Err("say who: a session's number, a user's name, an address or all".to_owned()),
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

/// The answer to an order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Response {
    /// It is done, for this number of sessions.
    Done(usize),
    /// Nothing was done: why.
    Error(String),
}

/// The answer to the question for a session's state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StateResponse {
    /// Its text.
    State(String),
    /// There is none: why.
    Error(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_read_back_from_their_line() {
        for (order, text) in [
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
            assert_eq!(serde_json::to_string(&order).expect("text"), text);
            assert_eq!(serde_json::from_str::<Command>(text).expect("an order"), order);
        }
        assert!(serde_json::from_str::<Command>(r#"{"kick":{"who":"all","seconds":1}}"#).is_err());
        assert!(serde_json::from_str::<Command>(r#"{"reboot":{}}"#).is_err());
    }

    #[test]
    fn a_word_says_who() {
        let who = |text: &str| text.parse::<Target>().expect("somebody");
        assert_eq!(who("all"), Target::All);
        assert_eq!(who("7"), Target::Session(7));
        assert_eq!(who("user=7"), Target::User("7".to_owned()));
        assert_eq!(who("192.0.2.7"), Target::Address("192.0.2.7".parse().expect("an address")));
        assert_eq!(who("alice"), Target::User("alice".to_owned()));
        assert!("".parse::<Target>().is_err());
    }
}
