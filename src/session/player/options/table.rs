//! Every option: its name, what it takes, and what follows when it is set. A new option is one more entry here.
//!
//! Names are single words: python-chess takes what follows the first blank for the type. So are the choices.

use super::{Kibitz, OptionChange, OptionKind, Options, Value};
use crate::book::{Books, NO_BOOK};
use crate::search::Strength;

/// An option.
pub(super) struct Entry {
    pub(super) name: &'static str,
    /// What it takes, and its present value.
    pub(super) kind: fn(&Options, &Books) -> OptionKind,
    /// Takes a value that fits the kind; others are ignored.
    pub(super) set: fn(&mut Options, Value),
    /// What follows when it is set.
    pub(super) change: OptionChange,
}

/// In the order in which they are announced.
pub(super) static TABLE: [Entry; 18] = [
    Entry {
        name: "MoveOverhead",
        kind: |options, _| OptionKind::Spin(options.move_overhead as i64, 0, 5000),
        set: |options, value| number(value, |value| options.move_overhead = value as u64),
        change: OptionChange::Nothing,
    },
    Entry {
        name: "MultiPV",
        kind: |options, _| OptionKind::Spin(options.lines.into(), 1, 32),
        set: |options, value| number(value, |value| options.lines = value as u8),
        change: OptionChange::Search,
    },
    Entry {
        name: "SkillLevel",
        kind: |options, _| OptionKind::Spin(options.skill_level.into(), 0, Strength::LEVELS.into()),
        set: |options, value| number(value, |value| options.skill_level = value as u8),
        change: OptionChange::Play,
    },
    Entry {
        name: "LimitStrength",
        kind: |options, _| OptionKind::Check(options.limit_strength),
        set: |options, value| flag(value, |value| options.limit_strength = value),
        change: OptionChange::Play,
    },
    Entry {
        name: "Elo",
        kind: |options, _| {
            OptionKind::Spin(options.elo.into(), Strength::WEAKEST.into(), Strength::STRONGEST.into())
        },
        set: |options, value| number(value, |value| options.elo = value as u16),
        change: OptionChange::Play,
    },
    Entry {
        name: "Contempt",
        kind: |options, _| OptionKind::Spin(options.contempt.into(), -200, 200),
        set: |options, value| number(value, |value| options.contempt = value as i16),
        change: OptionChange::Play,
    },
    Entry {
        name: "Ponder",
        kind: |options, _| OptionKind::Check(options.ponder),
        set: |options, value| flag(value, |value| options.ponder = value),
        change: OptionChange::Play,
    },
    Entry {
        name: "Book",
        kind: |options, books| {
            let names = books.names().map(str::to_owned);
            OptionKind::Combo(std::iter::once(NO_BOOK.to_owned()).chain(names).collect(), options.book)
        },
        set: |options, value| choice(value, |value| options.book = value),
        change: OptionChange::Nothing,
    },
    Entry {
        name: "Resign",
        kind: |options, _| OptionKind::Check(options.resign),
        set: |options, value| flag(value, |value| options.resign = value),
        change: OptionChange::Nothing,
    },
    Entry {
        name: "ScoreToResign",
        kind: |options, _| OptionKind::Spin(options.resign_score.into(), 200, 3000),
        set: |options, value| number(value, |value| options.resign_score = value as i32),
        change: OptionChange::Nothing,
    },
    Entry {
        name: "Randomness",
        kind: |options, _| OptionKind::Slider(options.randomness.into(), 0, 100),
        set: |options, value| number(value, |value| options.randomness = value as u8),
        change: OptionChange::Nothing,
    },
    Entry {
        name: "PVNotation",
        kind: |options, _| combo(&["SAN", "coordinates"], usize::from(options.coordinates)),
        set: |options, value| choice(value, |value| options.coordinates = value == 1),
        change: OptionChange::Nothing,
    },
    Entry {
        name: "OldGUI",
        kind: |options, _| OptionKind::Check(options.old_gui),
        set: |options, value| flag(value, |value| options.old_gui = value),
        change: OptionChange::Nothing,
    },
    Entry {
        name: "Kibitz",
        kind: |options, _| combo(&["off", "whisper", "kibitz"], options.kibitz as usize),
        set: |options, value| {
            choice(value, |value| {
                options.kibitz = [Kibitz::Nobody, Kibitz::Observers, Kibitz::Everybody][value.min(2)];
            });
        },
        change: OptionChange::Nothing,
    },
    Entry {
        name: "Greeting",
        kind: |options, _| OptionKind::Text(options.greeting.clone()),
        set: |options, value| text(value, |value| options.greeting = value),
        change: OptionChange::Nothing,
    },
    Entry {
        name: "ClearHash",
        kind: |_, _| OptionKind::Button,
        set: |_, _| {},
        change: OptionChange::ClearTable,
    },
    Entry {
        name: "ShowSettings",
        kind: |_, _| OptionKind::Button,
        set: |_, _| {},
        change: OptionChange::ShowSettings,
    },
    Entry {
        name: "Defaults",
        kind: |_, _| OptionKind::Button,
        set: |_, _| {},
        change: OptionChange::Defaults,
    },
];

/// What there is besides for users on the same machine.
pub(super) static LOCAL: [Entry; 2] = [
    Entry {
        name: "UserBook",
        kind: |options, _| OptionKind::File(options.book_file.clone()),
        set: |options, value| text(value, |value| options.book_file = value),
        change: OptionChange::UserBook,
    },
    Entry {
        name: "GameFolder",
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

/// Longer ones would not fit into the lines that declare them.
fn text(value: Value, set: impl FnOnce(String)) {
    if let Value::Text(text) = value {
        set(text.chars().take(400).collect());
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

    /// xboard looks for an option's name in `-firstOptions` without looking where it ends; python-chess for its type
    /// behind the first blank.
    #[test]
    fn names_are_words_and_none_begins_another() {
        let names: Vec<&str> = TABLE.iter().chain(&LOCAL).map(|entry| entry.name).collect();
        for name in &names {
            assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{name}");
            assert_eq!(names.iter().filter(|other| other.starts_with(name)).count(), 1, "{name}");
        }
    }
}
