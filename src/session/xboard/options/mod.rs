//! What a user may set: `option NAME=VALUE`.
//!
//! The `table` says what there is, `features` announces it, this file keeps the values and finds the right one.

mod engines;
mod features;
mod table;

pub use engines::DEFAULT_PROFILE;
pub(in crate::session) use engines::Engines;

use super::thinking::Purpose;
use super::{Profile, Session, Step};
use crate::book::Books;
use crate::protocol::xboard::{ErrorReason, OptionDeclaration, OptionKind, Reply};
use crate::search::Strength;
use std::fmt;
use table::{Entry, LOCAL, TABLE};

/// The values of all options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Milliseconds to keep for what a move costs besides thinking.
    pub(super) move_overhead: u64,
    /// How many lines to show.
    pub(super) lines: u8,
    /// From 0; [`Strength::LEVELS`] for no limit.
    pub(super) skill_level: u8,
    /// Whether `elo` counts instead of the skill level.
    pub(super) limit_strength: bool,
    pub(super) elo: u16,
    /// Centipawns.
    pub(super) contempt: i16,
    /// Whether `hard` is obeyed.
    pub(super) ponder: bool,
    /// Which book: 0 for none, or one more than its place among the books.
    pub(super) book: usize,
    /// Whether to resign lost games.
    pub(super) resign: bool,
    /// Centipawns we must be behind to resign.
    pub(super) resign_score: i32,
    /// Centipawns by which evaluations vary in random mode.
    pub(super) randomness: u8,
    /// Whether variations are shown in coordinates.
    pub(super) coordinates: bool,
    /// Whether the GUI is as old as xboard 3.6.
    pub(super) old_gui: bool,
    /// To whom we say on a chess server what we think of our moves.
    pub(super) kibitz: Kibitz,
    /// Said to the opponent with our first move; nothing if empty.
    pub(super) greeting: String,
    /// A book of the user's, played instead of `book`; none if empty.
    pub(super) book_file: String,
    /// Where games are written when they end; nowhere if empty.
    pub(super) game_folder: String,
}

/// Who hears what we think.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kibitz {
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

    /// Sets one option, as `option NAME=VALUE` does; buttons have no effect here. `local`: there are those about files.
    ///
    /// # Errors
    /// There is no such option, or it does not take this value.
    pub fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
        books: &Books,
        local: bool,
    ) -> Result<(), OptionError> {
        self.apply(name, value, books, local).map(|_| ())
    }

    fn apply(
        &mut self,
        name: &str,
        value: Option<&str>,
        books: &Books,
        local: bool,
    ) -> Result<&'static Entry, OptionError> {
        // Users write blanks where other engines have them.
        let bare = |name: &str| name.replace([' ', '_'], "").to_ascii_lowercase();
        let entry =
            entries(local).find(|entry| bare(entry.name) == bare(name)).ok_or(OptionError::Unknown)?;
        let value = understood(&(entry.kind)(self, books), value)?;
        (entry.set)(self, value);
        Ok(entry)
    }

    /// How strong to play; `None` for as well as we can.
    pub(super) fn strength(&self) -> Option<Strength> {
        if self.limit_strength {
            Some(Strength::of_elo(self.elo))
        } else {
            Strength::of_level(self.skill_level)
        }
    }

    fn declarations(&self, profile: &Profile) -> impl Iterator<Item = OptionDeclaration> {
        let kind = |entry: &Entry| (entry.kind)(self, &profile.books);
        entries(profile.local)
            .map(move |entry| OptionDeclaration { name: entry.name.to_owned(), kind: kind(entry) })
    }
}

fn entries(local: bool) -> impl Iterator<Item = &'static Entry> {
    TABLE.iter().chain(LOCAL.iter().filter(move |_| local))
}

fn understood(kind: &OptionKind, value: Option<&str>) -> Result<Value, OptionError> {
    if let OptionKind::Button | OptionKind::Save | OptionKind::Reset = kind {
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
        _ => Ok(Value::Text(value.to_owned())),
    }
}

impl Session {
    /// `option NAME=VALUE` or `option NAME`.
    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>, step: &mut Step<'_>) {
        if name.eq_ignore_ascii_case(engines::NAME)
            && let Some(value) = value
        {
            return self.choose_profile(value, step);
        }
        match self.options.apply(name, value, &self.setup.profile.books, self.setup.profile.local) {
            Ok(entry) => (entry.then)(self, step),
            Err(error) => {
                let line = value.map_or(format!("option {name}"), |value| format!("option {name}={value}"));
                self.refuse(ErrorReason::Argument(error.to_string()), line, step);
            }
        }
    }

    /// Something has changed that every search depends on: one that is not for a move begins anew.
    fn search_anew(&mut self, step: &mut Step<'_>) {
        self.analyse(step);
        self.ponder_anew(step);
    }

    /// Something has changed that our play depends on. In a pause nothing begins.
    fn ponder_anew(&mut self, step: &mut Step<'_>) {
        if self.paused.is_some() {
            return;
        }
        let ordered = self.purpose() == Some(Purpose::Ordered);
        self.stop_pondering(step);
        if ordered {
            self.ponder_on_board(step);
        } else {
            self.begin_pondering(step);
        }
    }

    /// Clear Hash: with another salt, no search finds what earlier ones wrote into the table.
    pub(super) fn forget(&mut self) {
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.known.clear();
    }

    /// `strength`: a question instead of a dialog, for whoever types commands. It is no button of the dialog, since xboard
    /// 4.9.1 crashes on the answer to a question while that dialog is open.
    fn ask_strength(&mut self, step: &mut Step<'_>) {
        let (least, greatest) = (Strength::WEAKEST, Strength::STRONGEST);
        let question = format!("How strong shall I play? Elo from {least} to {greatest}, or full");
        self.asked = true;
        step.reply(Reply::Askuser("strength", question));
    }

    /// The answer to that: Elo, or `full`. No answer changes nothing.
    pub(super) fn strength_told(&mut self, text: &str, step: &mut Step<'_>) {
        let asked = std::mem::take(&mut self.asked);
        let options = &mut self.options;
        let said = match text.parse::<u16>() {
            _ if text.is_empty() && asked => return,
            Ok(elo) => {
                options.limit_strength = true;
                options.elo = Strength::of_elo(elo).elo();
                format!("I play at about {} Elo now.", options.elo)
            }
            Err(_) if text.eq_ignore_ascii_case("full") => {
                options.limit_strength = false;
                options.skill_level = Strength::LEVELS;
                "I play as well as I can now.".to_owned()
            }
            Err(_) => return self.ask_strength(step),
        };
        step.reply(Reply::Telluser(said));
        self.ponder_anew(step);
    }

    /// `ShowSettings`
    fn show_settings(&mut self, step: &mut Step<'_>) {
        let settings: Vec<String> =
            self.options.declarations(&self.setup.profile).filter_map(setting).collect();
        step.reply(Reply::Telluser(format!("Settings: {}", settings.join(", "))));
    }

    /// `Defaults`: the GUI has forgotten all options and waits to hear of them anew.
    fn restore_defaults(&mut self, step: &mut Step<'_>) {
        self.begin_again_as_first();
        self.options = self.setup.profile.options.clone();
        self.open_book(step);
        self.announce_options(step);
        step.reply(Reply::FeaturesDone(true));
        self.search_anew(step);
    }
}

/// An option with its value; nothing for buttons.
fn setting(option: OptionDeclaration) -> Option<String> {
    let value = match option.kind {
        OptionKind::Button | OptionKind::Save | OptionKind::Reset => return None,
        OptionKind::Check(value) => u8::from(value).to_string(),
        OptionKind::Spin(value, ..) | OptionKind::Slider(value, ..) => value.to_string(),
        OptionKind::String(text) | OptionKind::File(text) | OptionKind::Path(text) => text,
        OptionKind::Combo(choices, chosen) => choices.get(chosen).cloned().unwrap_or_default(),
    };
    Some(format!("{} {value}", option.name))
}
