//! The settings of a user, in any protocol.
//!
//! The `table` declares the options; this file holds their values, looks options up and parses
//! values.

mod table;

use super::Profile;
use crate::book::Books;
use crate::protocol::OptionKind;
use crate::search::Strength;
pub(in crate::session) use table::parse_flag;
use table::{LOCAL_OPTIONS, OPTIONS, OptionEntry};

/// The users for whom an option is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::session) enum Audience {
    /// Players: GUIs show it in their dialogs.
    Players,
    /// Operators of a server or of an engine on a chess server, who set it in a configuration.
    /// Dialogs do not show it.
    Operators,
}

/// An option and its current value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::session) struct OptionState {
    pub(in crate::session) name: &'static str,
    pub(in crate::session) audience: Audience,
    pub(in crate::session) kind: OptionKind,
    /// The effect of a change.
    pub(in crate::session) change: OptionChange,
}

/// The effect of a changed option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionChange {
    /// None at once: the value is read when it is needed.
    Nothing,
    /// On the engine's play: pondering restarts.
    Play,
    /// On every search: those not for the engine's move restart.
    Search,
    /// Clears the table.
    ClearTable,
    /// Shows all settings to the user.
    ShowSettings,
    /// Returns all options to their defaults.
    Defaults,
    /// Reads another file as the user's book.
    UserBook,
}

/// The values of all options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The least overhead of a move to keep, in milliseconds.
    pub(in crate::session) move_overhead: u64,
    /// The number of lines to show.
    pub(in crate::session) lines: u8,
    /// From 0; [`Strength::LEVELS`] for no limit.
    pub(in crate::session) skill_level: u8,
    /// Whether `elo` counts instead of the skill level.
    pub(in crate::session) limit_strength: bool,
    pub(in crate::session) elo: u16,
    /// Centipawns by which a draw is worth less than an even game.
    pub(in crate::session) contempt: i16,
    /// Whether the engine may think on the opponent's time.
    pub(in crate::session) ponder: bool,
    /// The book: 0 for none, else its index among the books plus one.
    pub(in crate::session) book: usize,
    /// Whether to resign lost games.
    pub(in crate::session) resign: bool,
    /// The loss at which the engine resigns. Centipawns.
    pub(in crate::session) resign_score: i32,
    /// The range of evaluations in random mode. Centipawns.
    pub(in crate::session) randomness: u8,
    /// Whether variations are shown in coordinates.
    pub(in crate::session) coordinates: bool,
    /// Whether the GUI is as old as xboard 3.6.
    pub(in crate::session) old_gui: bool,
    /// The readers of the engine's comments on a chess server.
    pub(in crate::session) kibitz: Kibitz,
    /// The form of the umpire's announcements in kriegspiel.
    pub(in crate::session) announcements: Announcements,
    /// Sent to the opponent with the engine's first move; none if empty.
    pub(in crate::session) greeting: String,
    /// The path of the user's own book, which replaces `book`; none if empty.
    pub(in crate::session) book_file: String,
    /// The folder where finished games are saved; none if empty.
    pub(in crate::session) game_folder: String,
}

/// The readers of the engine's comments on a chess server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::session) enum Kibitz {
    Nobody,
    Observers,
    Everybody,
}

impl Kibitz {
    const ALL: [Kibitz; 3] = [Kibitz::Nobody, Kibitz::Observers, Kibitz::Everybody];
}

/// The form of announcements in kriegspiel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::session) enum Announcements {
    /// As comments for the GUI's log.
    Comments,
    /// As messages to the user; most GUIs open a window for each.
    Windows,
    /// Not at all.
    None,
}

impl Announcements {
    const ALL: [Announcements; 3] = [Announcements::Comments, Announcements::Windows, Announcements::None];
}

/// The reason that an option was not set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// There is no option of this name.
    #[error("there is no such option")]
    Unknown,
    /// The value must be a number from the first to the second.
    #[error("the value must be a number from {0} to {1}")]
    Number(i64, i64),
    /// The value must be 0 or 1.
    #[error("the value must be 0 or 1")]
    Flag,
    /// The value must be one of these.
    #[error("the value must be one of {}", .0.join(", "))]
    Choice(Vec<String>),
    /// The option needs a value.
    #[error("a value is missing")]
    Missing,
}

impl Options {
    /// The defaults: full strength, the first book, nothing that only old GUIs need.
    pub fn new(books: &Books) -> Options {
        Options {
            move_overhead: 50,
            lines: 1,
            skill_level: Strength::LEVELS,
            limit_strength: false,
            elo: 1500,
            contempt: 0,
            ponder: true,
            book: books.names().count().min(1),
            resign: false,
            resign_score: 900,
            randomness: 4,
            coordinates: false,
            old_gui: false,
            kibitz: Kibitz::Nobody,
            announcements: Announcements::Comments,
            greeting: String::new(),
            book_file: String::new(),
            game_folder: String::new(),
        }
    }

    /// Sets an option and returns the effect; a button stores nothing. With `local`, options about
    /// files exist.
    ///
    /// # Errors
    /// There is no such option, or the value is invalid.
    pub fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
        books: &Books,
        local: bool,
    ) -> Result<OptionChange, OptionError> {
        let is_meant = |entry: &&OptionEntry| bare_name(entry.name) == bare_name(name);
        let entry = entries(local).find(is_meant).ok_or(OptionError::Unknown)?;
        entry.set(self, books, value)?;
        Ok(entry.change)
    }

    /// The playing strength; `None` for full strength.
    pub(in crate::session) fn strength(&self) -> Option<Strength> {
        if self.limit_strength {
            Some(Strength::of_elo(self.elo))
        } else {
            Strength::of_level(self.skill_level)
        }
    }

    /// All options with their current values, in the order of announcement.
    pub(super) fn states(&self, profile: &Profile) -> impl Iterator<Item = OptionState> {
        entries(profile.local).map(move |entry| OptionState {
            name: entry.name,
            audience: entry.audience,
            kind: entry.kind(self, &profile.books),
            change: entry.change,
        })
    }
}

/// The name of an option without differences in spelling: blanks, underscores, capitals.
pub(crate) fn bare_name(name: &str) -> String {
    name.replace([' ', '_'], "").to_ascii_lowercase()
}

fn entries(local: bool) -> impl Iterator<Item = &'static OptionEntry> {
    OPTIONS.iter().chain(LOCAL_OPTIONS.iter().filter(move |_| local))
}
