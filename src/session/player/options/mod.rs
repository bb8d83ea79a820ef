//! What a user may set, whatever the protocol calls the command.
//!
//! The `table` says what there is, this file keeps the values and finds the right one.

mod table;

use super::Profile;
use crate::book::Books;
use crate::search::Strength;
use std::fmt;
use table::{Entry, LOCAL, TABLE};

/// What an option takes, and its present value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::session) enum OptionKind {
    /// No value: it does something.
    Button,
    /// On or off.
    Check(bool),
    /// A number: value, least, greatest.
    Spin(i64, i64, i64),
    /// A number shown as a slider: value, least, greatest.
    Slider(i64, i64, i64),
    /// Text.
    Text(String),
    /// The path of a file.
    File(String),
    /// The path of a directory.
    Folder(String),
    /// One of several, and its index.
    Combo(Vec<String>, usize),
}

/// An option as it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::session) struct OptionState {
    pub(in crate::session) name: &'static str,
    pub(in crate::session) kind: OptionKind,
    /// What follows when it is set.
    pub(in crate::session) change: OptionChange,
}

/// What follows when an option was set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionChange {
    /// Nothing: it counts when it is needed.
    Nothing,
    /// Our play is another: what is thought on the opponent's time begins anew.
    Play,
    /// Every search is another: one that is not for a move begins anew.
    Search,
    /// What the table holds is to be forgotten.
    ClearTable,
    /// The user wants to see all settings.
    ShowSettings,
    /// All options are to be as they were at first.
    Defaults,
    /// The file of the user's book is another.
    UserBook,
}

/// The values of all options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Milliseconds to keep for what a move costs besides thinking.
    pub(in crate::session) move_overhead: u64,
    /// How many lines to show.
    pub(in crate::session) lines: u8,
    /// From 0; [`Strength::LEVELS`] for no limit.
    pub(in crate::session) skill_level: u8,
    /// Whether `elo` counts instead of the skill level.
    pub(in crate::session) limit_strength: bool,
    pub(in crate::session) elo: u16,
    /// Centipawns.
    pub(in crate::session) contempt: i16,
    /// Whether we may think on the opponent's time.
    pub(in crate::session) ponder: bool,
    /// Which book: 0 for none, or one more than its place among the books.
    pub(in crate::session) book: usize,
    /// Whether to resign lost games.
    pub(in crate::session) resign: bool,
    /// Centipawns we must be behind to resign.
    pub(in crate::session) resign_score: i32,
    /// Centipawns by which evaluations vary in random mode.
    pub(in crate::session) randomness: u8,
    /// Whether variations are shown in coordinates.
    pub(in crate::session) coordinates: bool,
    /// Whether the GUI is as old as xboard 3.6.
    pub(in crate::session) old_gui: bool,
    /// To whom we say on a chess server what we think of our moves.
    pub(in crate::session) kibitz: Kibitz,
    /// Said to the opponent with our first move; nothing if empty.
    pub(in crate::session) greeting: String,
    /// A book of the user's, played instead of `book`; none if empty.
    pub(in crate::session) book_file: String,
    /// Where games are written when they end; nowhere if empty.
    pub(in crate::session) game_folder: String,
}

/// Who hears what we think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::session) enum Kibitz {
    Nobody,
    Observers,
    Everybody,
}

/// What a client said for a value, understood as its option's kind wants it.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Value {
    /// It was pressed.
    None,
    Flag(bool),
    Number(i64),
    Text(String),
    /// Which of the choices.
    Choice(usize),
}

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionError {
    /// There is no option of this name.
    Unknown,
    /// A number from, to is wanted.
    Number(i64, i64),
    /// 0 or 1 is wanted.
    Flag,
    /// One of these is wanted.
    Choice(Vec<String>),
    /// A value is wanted.
    Missing,
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown => f.write_str("there is no such option"),
            OptionError::Number(least, greatest) => {
                write!(f, "the value must be a number from {least} to {greatest}")
            }
            OptionError::Flag => f.write_str("the value must be 0 or 1"),
            OptionError::Choice(choices) => write!(f, "the value must be one of {}", choices.join(", ")),
            OptionError::Missing => f.write_str("a value is missing"),
        }
    }
}

impl std::error::Error for OptionError {}

impl Options {
    /// What holds until something is set: full strength, the first book, nothing that old GUIs need.
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
            greeting: String::new(),
            book_file: String::new(),
            game_folder: String::new(),
        }
    }

    /// Sets one option, and tells what follows from that; for a button that is all. `local`: options about files exist.
    ///
    /// # Errors
    /// There is no such option, or it does not take this value.
    pub fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
        books: &Books,
        local: bool,
    ) -> Result<OptionChange, OptionError> {
        // Users write blanks where other engines have them.
        let bare = |name: &str| name.replace([' ', '_'], "").to_ascii_lowercase();
        let entry =
            entries(local).find(|entry| bare(entry.name) == bare(name)).ok_or(OptionError::Unknown)?;
        let value = understood(&(entry.kind)(self, books), value)?;
        (entry.set)(self, value);
        Ok(entry.change)
    }

    /// How strong to play; `None` for as well as we can.
    pub(in crate::session) fn strength(&self) -> Option<Strength> {
        if self.limit_strength {
            Some(Strength::of_elo(self.elo))
        } else {
            Strength::of_level(self.skill_level)
        }
    }

    /// All options with their present values, in the order in which they are announced.
    pub(super) fn states(&self, profile: &Profile) -> impl Iterator<Item = OptionState> {
        entries(profile.local).map(move |entry| OptionState {
            name: entry.name,
            kind: (entry.kind)(self, &profile.books),
            change: entry.change,
        })
    }
}

fn entries(local: bool) -> impl Iterator<Item = &'static Entry> {
    TABLE.iter().chain(LOCAL.iter().filter(move |_| local))
}

fn understood(kind: &OptionKind, value: Option<&str>) -> Result<Value, OptionError> {
    if let OptionKind::Button = kind {
        return Ok(Value::None);
    }
    let value = value.ok_or(OptionError::Missing)?;
    match kind {
        OptionKind::Check(_) => match value.to_ascii_lowercase().as_str() {
            "1" | "true" | "on" => Ok(Value::Flag(true)),
            "0" | "false" | "off" => Ok(Value::Flag(false)),
            _ => Err(OptionError::Flag),
        },
        OptionKind::Spin(_, least, greatest) | OptionKind::Slider(_, least, greatest) => value
            .parse()
            .ok()
            .filter(|number| (least..=greatest).contains(&number))
            .map(Value::Number)
            .ok_or(OptionError::Number(*least, *greatest)),
        OptionKind::Combo(choices, _) => choices
            .iter()
            .position(|choice| choice.eq_ignore_ascii_case(value))
            .map(Value::Choice)
            .ok_or_else(|| OptionError::Choice(choices.clone())),
        OptionKind::Button | OptionKind::Text(_) | OptionKind::File(_) | OptionKind::Folder(_) => {
            Ok(Value::Text(value.to_owned()))
        }
    }
}
