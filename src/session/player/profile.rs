//! The common part of all sessions of a profile.

use super::{OptionError, Options};
use crate::auth::Visibility;
use crate::book::Books;
use crate::draughts::endgames::SharedEndgames;
use crate::search::ExternalEngine;
use crate::session::closing::MAX_TIME_AFTER_EOF;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// The engine as presented to a client: its name, its books, and the initial values of its options.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The name announced by `feature myname`.
    pub name: String,
    /// The choices of the option `Book`.
    pub books: Books,
    /// Endgames of draughts.
    pub endgames: Arc<SharedEndgames>,
    /// The hosted engine that searches in place of the built-in one.
    pub engine: Option<Arc<dyn ExternalEngine>>,
    /// Whether sessions run on the user's own machine, and may read and write files there.
    pub local: bool,
    /// Whether finished games go to an archive.
    pub archives: bool,
    /// The effect of a client's interrupt.
    pub interrupt: Interrupt,
    /// The initial values of the options.
    pub options: Arc<Options>,
    /// The exact time for each move, until the client sets a time control.
    pub move_time: Option<Duration>,
    /// A message for the user at the beginning of a session.
    pub banner: Option<String>,
    /// The longest time for a search that ends by itself after the end of the client's input;
    /// `None` for no limit.
    pub time_after_eof: Option<Duration>,
    /// The most resources of a session.
    pub resources: Resources,
    /// The audience of its sessions.
    pub watch: Visibility,
}

/// The most resources of a session: the server's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resources {
    /// MiB of the transposition table.
    pub memory: usize,
    /// Cores for one search.
    pub cores: u8,
}

impl Default for Resources {
    /// As much as any server may have.
    fn default() -> Resources {
        Resources { memory: 1 << 20, cores: u8::MAX }
    }
}

/// The meaning of an interrupt. It is never "move now": xboard signals before almost every command.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "server", derive(serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Interrupt {
    /// "Look at your input", which the server always does.
    #[default]
    Look,
    /// As with GNU Chess: "stops it from pondering until the next move" (xboard, protocol 1,
    /// section 7).
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

/// An invalid option in a profile.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the option {name} cannot be set: {error}")]
pub struct SettingError {
    /// The option's name as given.
    pub name: String,
    /// The reason.
    pub error: OptionError,
}

impl Profile {
    /// An engine of this name with these books and the default options.
    pub fn new(name: &str, books: Books) -> Profile {
        Profile {
            name: name.to_owned(),
            options: Arc::new(Options::new(&books)),
            books,
            endgames: Arc::default(),
            engine: None,
            local: false,
            archives: false,
            interrupt: Interrupt::default(),
            move_time: None,
            banner: None,
            time_after_eof: Some(MAX_TIME_AFTER_EOF),
            resources: Resources::default(),
            watch: Visibility::default(),
        }
    }

    /// Whether the engine's moves are noted: for the archive, and for watchers who come later.
    pub(in crate::session) fn takes_notes(&self) -> bool {
        self.archives || self.watch != Visibility::Nobody
    }

    /// Turns the profile into one for a user of this machine, whose session has a table of the size
    /// it asks for.
    pub fn local(mut self) -> Profile {
        self.local = true;
        self.archives = false;
        self.resources.memory = Resources::default().memory;
        // A script that has written its lines waits for the answers.
        self.time_after_eof = None;
        self
    }

    /// Sets these options, as `option NAME=VALUE` does.
    ///
    /// # Errors
    /// An option does not exist, or its value is invalid.
    pub fn with<'a>(
        mut self,
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Profile, SettingError> {
        for (name, value) in settings {
            let set = Arc::make_mut(&mut self.options).set(name, Some(value), &self.books, self.local);
            set.map_err(|error| SettingError { name: name.to_owned(), error })?;
        }
        Ok(self)
    }
}
