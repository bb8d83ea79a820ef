//! Declarations of options.

use super::plain::text;
use crate::protocol::OptionKind;
use std::fmt;

/// The type and the current value of an option: `TYPE default VALUE …`.
pub(super) struct Declared<'a>(pub(super) &'a OptionKind);

impl fmt::Display for Declared<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            OptionKind::Button | OptionKind::Save | OptionKind::Reset => f.write_str("button"),
            OptionKind::Check(value) => write!(f, "check default {value}"),
            OptionKind::Spin(value, least, greatest) | OptionKind::Slider(value, least, greatest) => {
                write!(f, "spin default {value} min {least} max {greatest}")
            }
            OptionKind::Combo(choices, chosen) => {
                let chosen = choices.get(*chosen).or(choices.first());
                write!(f, "combo default {}", chosen.map_or_else(|| "-".to_owned(), |choice| text(choice)))?;
                choices.iter().try_for_each(|choice| write!(f, " var {}", text(choice)))
            }
            OptionKind::Text(value) | OptionKind::File(value) | OptionKind::Folder(value) => {
                let is_empty = value.trim().is_empty();
                write!(f, "string default {}", if is_empty { "<empty>".to_owned() } else { text(value) })
            }
        }
    }
}
