//! All options: name, type and effect of each. A new option is one more entry here.
//!
//! Names are those known from UCI, with blanks, which clients may leave out. python-chess, in
//! xboard's protocol, takes everything after the first blank for the type, and cannot set those
//! options. For its sake choices are single words.

use super::{Announcements, Audience, Kibitz, OptionChange, Options, Value};
use crate::book::{Books, NO_BOOK};
use crate::protocol::OptionKind;
use crate::search::Strength;

/// The most characters of a text value: a longer one would not fit into the line that declares its
/// option.
const MAX_TEXT_CHARS: usize = 400;

/// The declaration of an option.
pub(super) struct OptionEntry {
    pub(super) name: &'static str,
    pub(super) audience: Audience,
    /// The type and current value.
    pub(super) kind: fn(&Options, &Books) -> OptionKind,
    /// Stores a value of its type; values of other types are ignored.
    pub(super) set: fn(&mut Options, Value),
    /// The effect of a change.
    pub(super) change: OptionChange,
}

/// The options of every session in the order of announcement: the most used first.
pub(super) static OPTIONS: [OptionEntry; 19] = [
    OptionEntry {
        name: "Skill Level",
        audience: Audience::Players,
        kind: |options, _| OptionKind::Spin(options.skill_level.into(), 0, Strength::LEVELS.into()),
        set: |options, value| number(value, |value| options.skill_level = value as u8),
        change: OptionChange::Play,
    },
    OptionEntry {
        name: "Limit Strength",
        audience: Audience::Players,
        kind: |options, _| OptionKind::Check(options.limit_strength),
        set: |options, value| flag(value, |value| options.limit_strength = value),
        change: OptionChange::Play,
    },
    OptionEntry {
        name: "Elo",
        audience: Audience::Players,
        kind: |options, _| {
            OptionKind::Spin(options.elo.into(), Strength::WEAKEST.into(), Strength::STRONGEST.into())
        },
        set: |options, value| number(value, |value| options.elo = value as u16),
        change: OptionChange::Play,
    },
    OptionEntry {
        name: "MultiPV",
        audience: Audience::Players,
        kind: |options, _| OptionKind::Spin(options.lines.into(), 1, 32),
        set: |options, value| number(value, |value| options.lines = value as u8),
        change: OptionChange::Search,
    },
    OptionEntry {
        name: "Book",
        audience: Audience::Players,
        kind: |options, books| {
            let names = books.names().map(str::to_owned);
            OptionKind::Combo(std::iter::once(NO_BOOK.to_owned()).chain(names).collect(), options.book)
        },
        set: |options, value| choice(value, |value| options.book = value),
        change: OptionChange::Nothing,
    },
    OptionEntry {
        name: "Ponder",
        audience: Audience::Players,
        kind: |options, _| OptionKind::Check(options.ponder),
        set: |options, value| flag(value, |value| options.ponder = value),
        change: OptionChange::Play,
    },
    OptionEntry {
        name: "Contempt",
        audience: Audience::Players,
        kind: |options, _| OptionKind::Spin(options.contempt.into(), -200, 200),
        set: |options, value| number(value, |value| options.contempt = value as i16),
        change: OptionChange::Play,
    },
    OptionEntry {
        name: "Resign",
        audience: Audience::Players,
        kind: |options, _| OptionKind::Check(options.resign),
        set: |options, value| flag(value, |value| options.resign = value),
        change: OptionChange::Nothing,
    },
    OptionEntry {
        name: "Score To Resign",
        audience: Audience::Players,
        kind: |options, _| OptionKind::Spin(options.resign_score.into(), 200, 3000),
        set: |options, value| number(value, |value| options.resign_score = value as i32),
        change: OptionChange::Nothing,
    },
    OptionEntry {
        name: "Randomness",
        audience: Audience::Players,
        kind: |options, _| OptionKind::Slider(options.randomness.into(), 0, 100),
        set: |options, value| number(value, |value| options.randomness = value as u8),
        change: OptionChange::Nothing,
    },
    OptionEntry {
        name: "PV Notation",
        audience: Audience::Players,
        kind: |options, _| combo(&["SAN", "coordinates"], usize::from(options.coordinates)),
        set: |options, value| choice(value, |value| options.coordinates = value == 1),
        change: OptionChange::Nothing,
    },
    OptionEntry {
        name: "Kriegspiel Announcements",
        audience: Audience::Players,
        kind: |options, _| combo(&["comments", "telluser", "none"], options.announcements as usize),
        set: |options, value| {
            choice(value, |value| {
                options.announcements =
                    [Announcements::Comments, Announcements::Windows, Announcements::None][value.min(2)];
            });
        },
        change: OptionChange::Nothing,
    },
    OptionEntry {
        name: "Clear Hash",
        audience: Audience::Players,
        kind: |_, _| OptionKind::Button,
        set: |_, _| {},
        change: OptionChange::ClearTable,
    },
    OptionEntry {
        name: "Show Settings",
        audience: Audience::Players,
        kind: |_, _| OptionKind::Save,
        set: |_, _| {},
        change: OptionChange::ShowSettings,
    },
    OptionEntry {
        name: "Defaults",
        audience: Audience::Players,
        kind: |_, _| OptionKind::Reset,
        set: |_, _| {},
        change: OptionChange::Defaults,
    },
    OptionEntry {
        name: "Move Overhead",
        audience: Audience::Operators,
        kind: |options, _| OptionKind::Spin(options.move_overhead as i64, 0, 5000),
        set: |options, value| number(value, |value| options.move_overhead = value as u64),
        change: OptionChange::Nothing,
    },
    OptionEntry {
        name: "Old GUI",
        audience: Audience::Operators,
        kind: |options, _| OptionKind::Check(options.old_gui),
        set: |options, value| flag(value, |value| options.old_gui = value),
        change: OptionChange::Nothing,
    },
    OptionEntry {
        name: "Kibitz",
        audience: Audience::Operators,
        kind: |options, _| combo(&["off", "whisper", "kibitz"], options.kibitz as usize),
        set: |options, value| {
            choice(value, |value| {
                options.kibitz = [Kibitz::Nobody, Kibitz::Observers, Kibitz::Everybody][value.min(2)];
            });
        },
        change: OptionChange::Nothing,
    },
    OptionEntry {
        name: "Greeting",
        audience: Audience::Operators,
        kind: |options, _| OptionKind::Text(options.greeting.clone()),
        set: |options, value| text(value, |value| options.greeting = value),
        change: OptionChange::Nothing,
    },
];

/// Further options for users on the same machine.
pub(super) static LOCAL_OPTIONS: [OptionEntry; 2] = [
    OptionEntry {
        name: "User Book",
        audience: Audience::Players,
        kind: |options, _| OptionKind::File(options.book_file.clone()),
        set: |options, value| text(value, |value| options.book_file = value),
        change: OptionChange::UserBook,
    },
    OptionEntry {
        name: "Game Folder",
        audience: Audience::Players,
        kind: |options, _| OptionKind::Folder(options.game_folder.clone()),
        set: |options, value| text(value, |value| options.game_folder = value),
        change: OptionChange::Nothing,
    },
];

fn combo(choices: &[&str], chosen: usize) -> OptionKind {
    OptionKind::Combo(choices.iter().map(|&choice| choice.to_owned()).collect(), chosen)
}

fn number(value: Value, set: impl FnOnce(i64)) {
    if let Value::Number(value) = value {
        set(value);
    }
}

fn flag(value: Value, set: impl FnOnce(bool)) {
    if let Value::Flag(value) = value {
        set(value);
    }
}

fn text(value: Value, set: impl FnOnce(String)) {
    if let Value::Text(text) = value {
        set(text.chars().take(MAX_TEXT_CHARS).collect());
    }
}

fn choice(value: Value, set: impl FnOnce(usize)) {
    if let Value::Choice(value) = value {
        set(value);
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
