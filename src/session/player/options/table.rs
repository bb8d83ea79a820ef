//! All options: name, type and effect of each. A new option is one more entry here.
//!
//! Names are those known from UCI, with blanks, which clients may leave out. python-chess, in
//! xboard's protocol, takes everything after the first blank for the type, and cannot set those
//! options. For its sake choices are single words.

use super::{Announcements, Audience, Kibitz, OptionChange, OptionError, Options};
use crate::book::{Books, NO_BOOK};
use crate::protocol::OptionKind;
use crate::search::Strength;
use Audience::{Operators, Players};
use OptionChange::{ClearTable, Defaults, Nothing, Play, Search, ShowSettings, UserBook};

/// The most characters of a text value: a longer one would not fit into the line that declares its
/// option.
const MAX_TEXT_CHARS: usize = 400;

/// The declaration of an option.
pub(super) struct OptionEntry {
    pub(super) name: &'static str,
    pub(super) audience: Audience,
    /// The effect of a change.
    pub(super) change: OptionChange,
    storage: Storage,
}

/// The type of an option, and the functions that read and write its value.
enum Storage {
    /// None: an action.
    Action(OptionKind),
    Check(fn(&Options) -> bool, fn(&mut Options, bool)),
    /// With the minimum and maximum.
    Spin(fn(&Options) -> i64, fn(&mut Options, i64), i64, i64),
    Slider(fn(&Options) -> i64, fn(&mut Options, i64), i64, i64),
    Text(fn(&Options) -> &str, fn(&mut Options, String)),
    File(fn(&Options) -> &str, fn(&mut Options, String)),
    Folder(fn(&Options) -> &str, fn(&mut Options, String)),
    /// With the choices, of which the functions have the index.
    Combo(fn(&Options) -> usize, fn(&mut Options, usize), &'static [&'static str]),
    /// The books of the profile.
    Book,
}

/// The storage of a field that has the option's type.
macro_rules! field {
    ($kind:ident $field:ident) => {
        Storage::$kind(|options| options.$field, |options, value| options.$field = value)
    };
    ($kind:ident $field:ident from $least:expr, to $greatest:expr) => {
        Storage::$kind(
            |options| options.$field as i64,
            |options, value| options.$field = value as _,
            $least as i64,
            $greatest as i64,
        )
    };
    ($kind:ident text $field:ident) => {
        Storage::$kind(|options| &options.$field, |options, value| options.$field = value)
    };
    ($kind:ident $field:ident of $enum:ident, $choices:expr) => {
        Storage::$kind(
            |options| options.$field as usize,
            |options, choice| options.$field = $enum::ALL[choice],
            &$choices,
        )
    };
}

const fn entry(
    name: &'static str,
    audience: Audience,
    change: OptionChange,
    storage: Storage,
) -> OptionEntry {
    OptionEntry { name, audience, change, storage }
}

/// The options of every session in the order of announcement: the most used first.
pub(super) static OPTIONS: [OptionEntry; 19] = [
    entry("Skill Level", Players, Play, field!(Spin skill_level from 0, to Strength::LEVELS)),
    entry("Limit Strength", Players, Play, field!(Check limit_strength)),
    entry("Elo", Players, Play, field!(Spin elo from Strength::WEAKEST, to Strength::STRONGEST)),
    entry("MultiPV", Players, Search, field!(Spin lines from 1, to 255)),
    entry("Book", Players, Nothing, Storage::Book),
    entry("Ponder", Players, Play, field!(Check ponder)),
    entry("Contempt", Players, Play, field!(Spin contempt from -200, to 200)),
    entry("Resign", Players, Nothing, field!(Check resign)),
    entry("Score To Resign", Players, Nothing, field!(Spin resign_score from 200, to 3000)),
    entry("Randomness", Players, Nothing, field!(Slider randomness from 0, to 100)),
    entry("PV Notation", Players, Nothing, PV_NOTATION),
    entry(
        "Kriegspiel Announcements",
        Players,
        Nothing,
        field!(Combo announcements of Announcements, ["comments", "telluser", "none"]),
    ),
    entry("Clear Hash", Players, ClearTable, Storage::Action(OptionKind::Button)),
    entry("Show Settings", Players, ShowSettings, Storage::Action(OptionKind::Save)),
    entry("Defaults", Players, Defaults, Storage::Action(OptionKind::Reset)),
    entry("Move Overhead", Operators, Nothing, field!(Spin move_overhead from 0, to 5000)),
    entry("Old GUI", Operators, Nothing, field!(Check old_gui)),
    entry("Kibitz", Operators, Nothing, field!(Combo kibitz of Kibitz, ["off", "whisper", "kibitz"])),
    entry("Greeting", Operators, Nothing, field!(Text text greeting)),
];

/// Further options for users on the same machine.
pub(super) static LOCAL_OPTIONS: [OptionEntry; 2] = [
    entry("User Book", Players, UserBook, field!(File text book_file)),
    entry("Game Folder", Players, Nothing, field!(Folder text game_folder)),
];

const PV_NOTATION: Storage = Storage::Combo(
    |options| usize::from(options.coordinates),
    |options, choice| options.coordinates = choice == 1,
    &["SAN", "coordinates"],
);

impl OptionEntry {
    /// The type and current value.
    pub(super) fn kind(&self, options: &Options, books: &Books) -> OptionKind {
        match self.storage {
            Storage::Action(ref kind) => kind.clone(),
            Storage::Check(value, _) => OptionKind::Check(value(options)),
            Storage::Spin(value, _, least, greatest) => OptionKind::Spin(value(options), least, greatest),
            Storage::Slider(value, _, least, greatest) => OptionKind::Slider(value(options), least, greatest),
            Storage::Text(value, _) => OptionKind::Text(value(options).to_owned()),
            Storage::File(value, _) => OptionKind::File(value(options).to_owned()),
            Storage::Folder(value, _) => OptionKind::Folder(value(options).to_owned()),
            Storage::Combo(value, _, choices) => OptionKind::Combo(owned(choices), value(options)),
            Storage::Book => OptionKind::Combo(book_choices(books), options.book),
        }
    }

    /// Sets the value; a button has none.
    ///
    /// # Errors
    /// The value is missing or invalid.
    pub(super) fn set(
        &self,
        options: &mut Options,
        books: &Books,
        value: Option<&str>,
    ) -> Result<(), OptionError> {
        let text = value.ok_or(OptionError::Missing);
        match self.storage {
            Storage::Action(_) => {}
            Storage::Check(_, set) => set(options, parse_flag(text?)?),
            Storage::Spin(_, set, least, greatest) | Storage::Slider(_, set, least, greatest) => {
                let number = text?.parse().ok().filter(|number| (least..=greatest).contains(number));
                set(options, number.ok_or(OptionError::Number(least, greatest))?);
            }
            Storage::Text(_, set) | Storage::File(_, set) | Storage::Folder(_, set) => {
                set(options, text?.chars().take(MAX_TEXT_CHARS).collect());
            }
            Storage::Combo(_, set, choices) => set(options, find_choice(owned(choices), text?)?),
            Storage::Book => options.book = find_choice(book_choices(books), text?)?,
        }
        Ok(())
    }
}

fn book_choices(books: &Books) -> Vec<String> {
    std::iter::once(NO_BOOK).chain(books.names()).map(str::to_owned).collect()
}

fn owned(choices: &[&str]) -> Vec<String> {
    choices.iter().map(|&choice| choice.to_owned()).collect()
}

fn find_choice(choices: Vec<String>, text: &str) -> Result<usize, OptionError> {
    let found = choices.iter().position(|choice| choice.eq_ignore_ascii_case(text));
    found.ok_or(OptionError::Choice(choices))
}

/// Reads a value that is on or off.
///
/// # Errors
/// The text is neither.
pub(in crate::session) fn parse_flag(text: &str) -> Result<bool, OptionError> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "true" | "on" => Ok(true),
        "0" | "false" | "off" => Ok(false),
        _ => Err(OptionError::Flag),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// xboard searches `-firstOptions` for an option's name without checking where the name ends.
    #[test]
    fn names_are_words_and_none_is_a_prefix_of_another() {
        let names: Vec<&str> = OPTIONS.iter().chain(&LOCAL_OPTIONS).map(|entry| entry.name).collect();
        for name in &names {
            assert!(
                name.split(' ').all(|word| word.bytes().all(|byte| byte.is_ascii_alphanumeric())),
                "{name}"
            );
            assert_eq!(names.iter().filter(|other| other.starts_with(name)).count(), 1, "{name}");
        }
    }

    #[test]
    fn players_see_first_what_they_change_first() {
        let shown = OPTIONS.iter().filter(|entry| entry.audience == Audience::Players);
        let names: Vec<&str> = shown.map(|entry| entry.name).collect();
        assert_eq!(names[..6], ["Skill Level", "Limit Strength", "Elo", "MultiPV", "Book", "Ponder"]);
        assert!(!names.contains(&"Move Overhead"));
    }

    #[test]
    fn options_are_set_with_and_without_blanks() {
        let books = Books::default();
        let mut options = Options::new(&books);
        for name in ["Skill Level", "SkillLevel", "skill level", "skill_level"] {
            assert_eq!(options.set(name, Some("7"), &books, false), Ok(OptionChange::Play), "{name}");
        }
        assert_eq!(options.set("MoveOverhead", Some("100"), &books, false), Ok(OptionChange::Nothing));
        assert_eq!((options.skill_level, options.move_overhead), (7, 100));
    }
}
