//! The state of a partner as text.

use super::clocks::{ClockReading, OtherBoard};
use super::{MAX_MESSAGES, Partner, PartnerRequests};
use crate::protocol::xboard::{Holding, PartnerTalk};
use crate::session::state::{Fields, StateError, Value};
use std::time::{Duration, Instant};

impl Partner {
    /// Writes or reads the state.
    pub(in crate::session::xboard) fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        fields.field("name", &mut self.name)?;
        // States of earlier versions may contain messages that request nothing.
        let mut said: Vec<String> = self.messages.iter().map(PartnerTalk::to_string).collect();
        if fields.is_reading() {
            said.clear();
        }
        fields.list("said", &mut said, MAX_MESSAGES)?;
        self.messages = said.iter().filter_map(|text| PartnerTalk::parse(text)).collect();
        self.requests = PartnerRequests::of(&self.messages);
        fields.field("sat-out", &mut self.sat_out)?;
        fields.section("clocks", |fields| self.clocks.state(fields))?;
        fields.field("holding", &mut self.holding)?;
        fields.section("told", |fields| self.reported.state(fields))
    }
}

impl Value for Holding {
    fn write(&self, _: Instant) -> String {
        self.to_string()
    }

    fn read(text: &str, _: Instant) -> Option<Holding> {
        Holding::parse(text)
    }
}

impl OtherBoard {
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        fields.field("partner", &mut self.partner)?;
        fields.field("opponent", &mut self.opponent)
    }
}

/// The clock as shown, and when.
impl Value for ClockReading {
    fn write(&self, now: Instant) -> String {
        format!("{} {}", self.shown.write(now), self.at.write(now))
    }

    fn read(text: &str, now: Instant) -> Option<ClockReading> {
        let (shown, at) = text.split_once(' ')?;
        Some(ClockReading { shown: Duration::read(shown, now)?, at: Instant::read(at, now)? })
    }
}

impl Value for (Duration, Duration) {
    fn write(&self, now: Instant) -> String {
        format!("{} {}", self.0.write(now), self.1.write(now))
    }

    fn read(text: &str, now: Instant) -> Option<(Duration, Duration)> {
        let (ours, theirs) = text.split_once(' ')?;
        Some((Duration::read(ours, now)?, Duration::read(theirs, now)?))
    }
}
