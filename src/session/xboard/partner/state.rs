//! The state of a partner as text.

use super::clocks::{ClockReading, OtherBoard};
use super::{MAX_MESSAGES, Partner, PartnerRequests};
use crate::protocol::xboard::{Holding, PartnerTalk};
use crate::session::state::{Fields, StateError, record, text};

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

text!(Holding, line, |holding| holding, Holding::parse);

impl OtherBoard {
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        fields.field("partner", &mut self.partner)?;
        fields.field("opponent", &mut self.opponent)
    }
}

record!(ClockReading { shown, at });
