//! Lines of which servers die, so that no third server is told one.
//!
//! A server that disappears right after a line may have died of it. The next server gets the suspected lines
//! one by one, each when it has survived the one before: it has answered, or a second has passed. So if it
//! disappears as well, the culprit is known.
//!
//! Connections break for other reasons, too. A server has certainly died if it says so, or cannot be reached
//! right afterwards. Otherwise it takes another server to make a line fatal.

use super::pending::{Death, Pending};
use super::{Journal, JournalPhase, Passed};
use crate::protocol::INTERNAL_ERROR;
use crate::protocol::xboard::{Command, EditCommand};
use std::time::{Duration, Instant};

/// A server that lives this long after a line does not die of it at once.
const SURVIVAL_TIME: Duration = Duration::from_secs(1);
/// Number of deaths after which a line is not sent again.
const MAX_DEATHS: usize = 2;
/// Maximum number of characters of a line that are shown to the user.
const MAX_SHOWN: usize = 60;

impl Pending {
    fn is_fatal(&self) -> bool {
        let certain = self.deaths.iter().filter(|death| death.certain).count();
        certain >= MAX_DEATHS || self.deaths.iter().any(|death| death.server != self.deaths[0].server)
    }

    fn suspect(&mut self, death: Death) {
        self.deaths.iter_mut().for_each(|known| known.last = false);
        self.deaths.retain(|known| known.certain || known.server != death.server);
        self.deaths.push(death);
    }
}

impl Journal {
    /// The server is lost: notes the lines of which it may have died.
    pub(super) fn blame(&mut self, now: Instant, server: usize) {
        let words = std::str::from_utf8(&self.held).unwrap_or_default();
        let certain = words.contains(INTERNAL_ERROR);
        if self.state.due || !(certain || words.is_empty()) {
            // It was thinking, and lines that arrived meanwhile tell how: better sent than lost. Or it has
            // said why it goes.
            return;
        }
        let survived = |told: Instant| now.saturating_duration_since(told) >= SURVIVAL_TIME;
        for pending in self.pending.iter_mut().filter(|pending| !pending.own) {
            match pending.told {
                Some(told) if survived(told) => pending.deaths.clear(),
                Some(_) => pending.suspect(Death { server, certain, last: true }),
                None => {}
            }
        }
    }

    /// Another server is lost: earlier deaths can no longer be confirmed.
    pub(super) fn forget_last_deaths(&mut self) {
        self.pending.iter_mut().flat_map(|pending| &mut pending.deaths).for_each(|death| death.last = false);
    }

    /// The server that was lost last cannot be reached: more than the connection has broken.
    pub(super) fn confirm_last_deaths(&mut self) {
        let deaths = self.pending.iter_mut().flat_map(|pending| &mut pending.deaths);
        deaths.filter(|death| death.last).for_each(|death| death.certain = true);
    }

    /// Until when the server must live before it gets the next lines.
    pub(super) fn doubted_until(&self) -> Option<Instant> {
        if self.phase != JournalPhase::Live || !self.pending.is_kept_back() {
            return None;
        }
        let in_doubt = self
            .pending
            .iter()
            .filter(|pending| !pending.deaths.is_empty())
            .filter_map(|pending| pending.told);
        in_doubt.max().and_then(|told| told.checked_add(SURVIVAL_TIME))
    }

    /// The next lines, if the server has survived the last suspected one.
    pub(super) fn tell_more(&mut self, now: Instant, passed: &mut Passed) {
        let kept_back = self.phase == JournalPhase::Live && self.pending.is_kept_back();
        if kept_back && self.doubted_until().is_none_or(|until| until <= now) {
            self.survive();
            self.tell_pending(now, &mut passed.up);
        }
    }

    /// Whether lines that follow this one mean the same a moment later and after a ping. They do not while a
    /// move is due.
    pub(super) fn may_wait_behind(&self, pending: &Pending) -> bool {
        !self.ahead.due && self.ahead.edit.is_none() && pending.command() != Some(&Command::Depth)
    }

    /// The lines sent so far were not fatal.
    fn survive(&mut self) {
        self.pending
            .iter_mut()
            .filter(|pending| pending.told.is_some())
            .for_each(|pending| pending.deaths.clear());
    }

    /// Removes fatal lines as if they had been refused. Returns what the client is told.
    pub(super) fn drop_fatal_lines(&mut self, now: Instant) -> Vec<u8> {
        let mut down = String::new();
        while let Some(place) = self.pending.iter().position(Pending::is_fatal) {
            // What was sent with it, such as the lines after a move, may do no harm alone.
            self.pending.iter_mut().for_each(|pending| pending.deaths.truncate(1));
            let place = self.reach(place);
            let Some(pending) = self.pending.remove(place) else { break };
            let line = shown(&pending.line);
            let why =
                format!("Two servers were lost right after this line, so it is not said to another: {line}");
            if self.state.edit.take().is_some() || pending.command() == Some(&Command::Edit) {
                self.drop_rest_of_edit(place);
                self.state.stop(now);
                down.push_str(&format!("tellusererror Illegal position: {why}\n"));
            } else {
                match pending.command() {
                    Some(Command::Usermove(mv) | Command::Move(mv) | Command::Ponder(mv)) => {
                        down.push_str(&format!(
                            "tellusererror {why}\nIllegal move: {}\n",
                            shown(mv.as_bytes())
                        ));
                    }
                    Some(Command::Setboard(_)) => {
                        down.push_str(&format!("tellusererror Illegal position: {why}\n"));
                    }
                    Some(Command::Go) => {
                        self.state.ended(super::state::Over::Resigned, now);
                        down.push_str(&format!("resign\ntellusererror {why}\n"));
                    }
                    Some(Command::Ping(number)) => {
                        down.push_str(&format!("tellusererror {why}\npong {number}\n"))
                    }
                    _ => down.push_str(&format!("tellusererror {why}\n")),
                }
                self.state.refuse(&pending.line);
            }
            self.look_ahead();
        }
        down.into_bytes()
    }

    /// Lines of a position that is not set up would be taken for commands.
    fn drop_rest_of_edit(&mut self, place: usize) {
        while let Some(pending) = self.pending.iter().nth(place) {
            let last = match EditCommand::parse(&pending.line) {
                EditCommand::Leave => true,
                EditCommand::Unknown(_) => break,
                _ => false,
            };
            self.pending.remove(place);
            if last {
                break;
            }
        }
    }
}

/// The beginning of a line, for a dialog.
fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_SHOWN).collect()
}
