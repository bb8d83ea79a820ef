//! The state of a partner as text.

use super::clocks::{self, OtherBoard};
use super::talk::Told;
use super::{MAX_TEXT_LEN, MAX_TEXTS, Partner, Wishes};
use crate::protocol::xboard::Holding;
use crate::session::state::{Fields, StateError, Value};
use std::time::{Duration, Instant};

impl Partner {
    /// Writes or reads the state.
    pub(in crate::session::xboard) fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        fields.field("name", &mut self.name)?;
        let mut said: Vec<String> = self.said.iter().cloned().collect();
        if fields.is_reading() {
            said.clear();
        }
        fields.list("said", &mut said, MAX_TEXTS)?;
        if said.iter().any(|text| text.chars().count() > MAX_TEXT_LEN) {
            return Err(fields.wrong("said"));
        }
        self.wishes = Wishes::of(&said);
        self.said = said.into();
        fields.field("sat-out", &mut self.sat_out)?;
        fields.section("clocks", |fields| self.clocks.state(fields))?;
        fields.field("holding", &mut self.holding)?;
        fields.section("told", |fields| self.told.state(fields))
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

/// What the clock showed, and when.
impl Value for clocks::Told {
    fn write(&self, now: Instant) -> String {
        format!("{} {}", self.shown.write(now), self.at.write(now))
    }

    fn read(text: &str, now: Instant) -> Option<clocks::Told> {
        let (shown, at) = text.split_once(' ')?;
        Some(clocks::Told { shown: Duration::read(shown, now)?, at: Instant::read(at, now)? })
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

impl Told {
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        let Told { mates, mates_us, sit, dead, sitting, saved_by, clocks, lines } = self;
        fields.field("mates", mates)?;
        fields.field("mates-us", mates_us)?;
        fields.field("sit", sit)?;
        fields.field("dead", dead)?;
        fields.field("sitting", sitting)?;
        fields.field("saved-by", saved_by)?;
        fields.field("clocks", clocks)?;
        fields.within("lines", lines, 0..=super::talk::MAX_LINES)
    }
}
