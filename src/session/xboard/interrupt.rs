//! What a client's signal does.

use super::Session;
use super::Step;
use std::str::FromStr;

/// What an interrupt means. Whichever it is, it is never "move now": xboard signals before almost every command.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "server", derive(serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Interrupt {
    /// "Look at your input": we always do.
    #[default]
    Look,
    /// What it did to GNU Chess: "stops it from pondering until the next move" (protocol 1, section 7).
    StopPondering,
}

impl FromStr for Interrupt {
    type Err = String;

    fn from_str(text: &str) -> Result<Interrupt, String> {
        match text {
            "look" => Ok(Interrupt::Look),
            "stop-pondering" => Ok(Interrupt::StopPondering),
            _ => Err("it is either look or stop-pondering".to_owned()),
        }
    }
}

impl Session {
    /// The client signalled.
    pub(super) fn interrupt(&mut self, step: &mut Step<'_>) {
        self.client.interrupts = self.client.interrupts.saturating_add(1);
        if self.setup.profile.interrupt == Interrupt::StopPondering && self.is_pondering() {
            self.stop_pondering(step);
            self.may_ponder = false;
        }
    }
}
