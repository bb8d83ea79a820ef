//! The state of clocks as text.

use super::{Clocks, Control, TimeControl};
use crate::session::state::{Fields, StateError, Value, Words, record};
use std::time::Instant;

impl Clocks {
    /// Writes or reads the state. No clock may exceed `most` milliseconds, of either sign.
    pub(in crate::session::player) fn state(
        &mut self,
        fields: &mut Fields<'_>,
        most: i64,
    ) -> Result<(), StateError> {
        // Not a use of the fields: makes the compiler report one that is missing below.
        let Clocks {
            control: _,
            control_ply: _,
            ours: _,
            synced: _,
            ever_synced: _,
            last_shown: _,
            expected: _,
            lag: _,
            unmeasured: _,
        } = self;
        fields.field("control", &mut self.control)?;
        fields.within("control-ply", &mut self.control_ply, 0..=1 << 32)?;
        fields.within("left", &mut self.ours, -most..=most)?;
        fields.field("sent", &mut self.synced)?;
        fields.field("ever-sent", &mut self.ever_synced)?;
        fields.within("last-sent", &mut self.last_shown, -most..=most)?;
        fields.within("expected", &mut self.expected, None..=Some(most))?;
        self.lag.state(fields)?;
        fields.within("unmeasured", &mut self.unmeasured, 0..=u32::MAX)
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
