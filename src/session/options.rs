//! What a user may set, and what the engine announces.

use super::{Session, Step};
use crate::chess::Variant;
use crate::protocol::xboard::{ErrorReason, Feature, OptionDeclaration, OptionKind, Reply};
use std::ops::RangeInclusive;

const MOVE_OVERHEAD: RangeInclusive<i64> = 0..=5000;
const MULTI_PV: RangeInclusive<i64> = 1..=32;

/// The values of the options.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// Milliseconds to keep for what a move costs besides thinking.
    pub(super) move_overhead: u64,
    /// How many lines to show.
    pub(super) lines: u8,
}

impl Default for Options {
    fn default() -> Options {
        Options { move_overhead: 50, lines: 1 }
    }
}

impl Session {
    /// The answer to `protover N`, N ≥ 2. `done=0` comes first: it makes xboard wait however long a
    /// loaded machine takes for the rest.
    pub(super) fn announce(&self, step: &mut Step<'_>) {
        let flags = |flags: &[(&'static str, bool)]| {
            Reply::Feature(flags.iter().map(|&(name, value)| Feature::Flag(name, value)).collect())
        };
        let variants = Variant::ALL.map(Variant::name).join(",");
        step.reply(Reply::FeaturesDone(false));
        step.reply(flags(&[
            ("ping", true),
            ("setboard", true),
            ("playother", true),
            ("san", false),
            ("usermove", true),
            ("time", true),
            ("draw", true),
        ]));
        step.reply(flags(&[
            ("sigint", false),
            ("sigterm", false),
            ("reuse", true),
            ("analyze", true),
            ("colors", false),
            ("ics", true),
            ("name", true),
            ("pause", true),
            ("nps", false),
            ("debug", true),
            ("memory", false),
            ("smp", false),
        ]));
        step.reply(Reply::Feature(vec![
            Feature::Text("myname", self.setup.name.clone()),
            Feature::Text("variants", variants),
        ]));
        step.reply(Reply::Feature(declarations().into_iter().map(Feature::Option).collect()));
        step.reply(Reply::FeaturesDone(true));
    }

    /// `option NAME=VALUE` or `option NAME`.
    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>, step: &mut Step<'_>) {
        // Users write blanks where other engines have them.
        let set = match name.to_ascii_lowercase().replace(' ', "").as_str() {
            "moveoverhead" => {
                number(value, MOVE_OVERHEAD).map(|value| self.options.move_overhead = value as u64)
            }
            "multipv" => number(value, MULTI_PV).map(|value| {
                self.options.lines = value as u8;
                self.analyse(step);
            }),
            "clearhash" => {
                self.forget();
                self.analyse(step);
                Ok(())
            }
            _ => Err("there is no such option".to_owned()),
        };
        if let Err(what) = set {
            let line = value.map_or(format!("option {name}"), |value| format!("option {name}={value}"));
            step.reply(Reply::Error(ErrorReason::Argument(what), line));
        }
    }

    /// Clear Hash: with another salt, no search finds what earlier ones wrote into the table.
    pub(super) fn forget(&mut self) {
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
    }
}

/// Names are single words: python-chess takes what follows the first blank for the type.
fn declarations() -> Vec<OptionDeclaration> {
    let spin = |value, range: RangeInclusive<i64>| OptionKind::Spin(value, *range.start(), *range.end());
    let default = Options::default();
    vec![
        OptionDeclaration {
            name: "MoveOverhead".to_owned(),
            kind: spin(default.move_overhead as i64, MOVE_OVERHEAD),
        },
        OptionDeclaration { name: "MultiPV".to_owned(), kind: spin(default.lines.into(), MULTI_PV) },
        OptionDeclaration { name: "ClearHash".to_owned(), kind: OptionKind::Button },
    ]
}

fn number(value: Option<&str>, range: RangeInclusive<i64>) -> Result<i64, String> {
    value
        .and_then(|value| value.parse().ok())
        .filter(|value| range.contains(value))
        .ok_or_else(|| format!("the value must be a number from {} to {}", range.start(), range.end()))
}
