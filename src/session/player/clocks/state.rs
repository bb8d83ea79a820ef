//! The state of clocks as text.

use super::{Clocks, Control, TimeControl};
use crate::session::state::{Fields, StateError, Value, Words, describe, record};
use std::time::Instant;

impl Clocks {
    /// Writes or reads the state. No clock may exceed `most` milliseconds, of either sign.
    pub(in crate::session::player) fn state(
        &mut self,
        fields: &mut Fields<'_>,
        most: i64,
    ) -> Result<(), StateError> {
        describe!(fields, self => Clocks {
            control: "control",
            control_ply: "control-ply" in 0..=1 << 32,
            ours: "left" in -most..=most,
            synced: "sent",
            ever_synced: "ever-sent",
            last_shown: "last-sent" in -most..=most,
            expected: "expected" in None..=Some(most),
            lag => lag.state(fields)?,
            unmeasured: "unmeasured",
        })
    }
}

/// `game`, moves, base and increment; `move` and its time.
impl Value for Control {
    fn write(&self, out: &mut String, now: Instant) {
        match self {
            Control::Game(control) => {
                out.push_str("game ");
                control.write(out, now);
            }
            Control::PerMove(time) => {
                out.push_str("move ");
                time.write(out, now);
            }
        }
    }

    fn read(words: &mut Words<'_>) -> Option<Control> {
        match words.word()? {
            "game" => Value::read(words).map(Control::Game),
            "move" => Value::read(words).map(Control::PerMove),
            _ => None,
        }
    }
}

record!(TimeControl { moves, base, increment });
