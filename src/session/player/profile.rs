//! What all sessions of one kind have in common.

use super::{OptionError, Options};
use crate::book::Books;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The engine as a client meets it: its name, its books, and what its options are set to at the start.
#[derive(Clone, Debug)]
pub struct Profile {
    /// As `feature myname` shows it.
    pub name: String,
    /// What the option `Book` may be.
    pub books: Books,
    /// Whether sessions run on the machine of their users, whose files they may then read and write.
    pub local: bool,
    /// What a client's signal does.
    pub interrupt: Interrupt,
    /// What a session begins with.
    pub options: Options,
    /// How long each move takes, exactly, until the client says otherwise.
    pub move_time: Option<Duration>,
    /// A message for the user when a session begins.
    pub banner: Option<String>,
}

/// What an interrupt means. Whichever it is, it is never "move now": xboard signals before almost every command.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "server", derive(serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Interrupt {
    /// "Look at your input": we always do.
    #[default]
    Look,
    /// What it did to GNU Chess: "stops it from pondering until the next move" (xboard, protocol 1, section 7).
    StopPondering,
}

impl FromStr for Interrupt {
    type Err = String;

    fn from_str(text: &str) -> Result<Interrupt, String> {
        match text {
            "look" => Ok(Interrupt::Look),
            "stop-pondering" => Ok(Interrupt::StopPondering),
            _ => Err("it is either look or stop-pondering".to_owned()),
        }
    }
}

/// A setting of a profile that cannot be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingError {
    /// The option's name as it was given.
    pub name: String,
    /// What is wrong.
    pub error: OptionError,
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the option {} cannot be set: {}", self.name, self.error)
    }
}

impl std::error::Error for SettingError {}

impl Profile {
    /// An engine of this name with these books; options are as [`Options::new`] has them.
    pub fn new(name: &str, books: Books) -> Profile {
        Profile {
            name: name.to_owned(),
            options: Options::new(&books),
            books,
            local: false,
            interrupt: Interrupt::default(),
            move_time: None,
            banner: None,
        }
    }

    /// The same for users on this machine.
    pub fn local(mut self) -> Profile {
        self.local = true;
        self
    }

    /// The same with these options set, as `option NAME=VALUE` sets them.
    ///
    /// # Errors
    /// The first option that does not exist or does not take its value.
    pub fn with<'a>(
        mut self,
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Profile, SettingError> {
        for (name, value) in settings {
            let set = self.options.set(name, Some(value), &self.books, self.local);
            set.map_err(|error| SettingError { name: name.to_owned(), error })?;
        }
        Ok(self)
    }
}
