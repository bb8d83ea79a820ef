//! Declarations of options.

use super::plain::text;
use std::fmt;

/// `option name NAME type TYPE …`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionDeclaration {
    /// The name, which may contain blanks.
    pub name: &'static str,
    /// The type, and the current value.
    pub kind: OptionKind,
}

/// The type of an option, with its value. A spin always has limits: some GUIs drop one without.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// Something to press.
    Button,
    /// On or off.
    Check(bool),
    /// A number: value, minimum, maximum.
    Spin(i64, i64, i64),
    /// One of these words, and the index of the current one.
    Combo(Vec<String>, usize),
    /// Text.
    Text(String),
}

impl fmt::Display for OptionDeclaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type {}", self.name, self.kind)
    }
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionKind::Button => f.write_str("button"),
            OptionKind::Check(value) => write!(f, "check default {value}"),
            OptionKind::Spin(value, least, greatest) => {
                write!(f, "spin default {value} min {least} max {greatest}")
            }
            OptionKind::Combo(choices, chosen) => {
                let chosen = choices.get(*chosen).or(choices.first());
                write!(f, "combo default {}", chosen.map_or_else(|| "-".to_owned(), |choice| text(choice)))?;
                choices.iter().try_for_each(|choice| write!(f, " var {}", text(choice)))
            }
            OptionKind::Text(value) if value.trim().is_empty() => f.write_str("string default <empty>"),
            OptionKind::Text(value) => write!(f, "string default {}", text(value)),
        }
    }
}
