//! From server to server: which is next when one is lost, and when a new one has proved itself.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use crate::protocol::BEING_REPLACED;

use super::super::admitted::Opened;
use super::super::dial::dial;
use super::super::gui_message;
use super::super::outage::Outage;
use super::{Relay, RelayEvent};

/// Maximum time for a server to confirm the state of the session.
const TAKEOVER_TIMEOUT: Duration = Duration::from_secs(10);
/// A server that is lost within this time after it took over, without an answer, has not ended the outage.
const PROBATION: Duration = Duration::from_secs(5);

impl Relay {
    /// When a server that does not send its first lines counts as lost.
    pub(super) fn silent_until(&self) -> Option<Instant> {
        self.link.as_ref()?;
        if self.journal.is_catching_up() {
            // Every server gets its turn before the time is up.
            let share = self.order.give_up / (2 * self.order.servers.len() as u32);
            return self.up_since.checked_add(share.min(TAKEOVER_TIMEOUT));
        }
        // A program without features is silent, too. If it is the only one, it may be intended.
        let patience = if self.outage.is_none() && self.untried.is_empty() {
            self.journal.start_timeout()?
        } else {
            self.spoken().first_line_timeout()
        };
        self.journal.unanswered_since()?.max(self.up_since).checked_add(patience)
    }

    /// When to stop looking for a server, unless one has sent something.
    pub(super) fn outage_until(&self) -> Option<Instant> {
        let outage = self.outage.as_ref()?;
        (self.link.is_none() || self.is_silent()).then(|| outage.end())
    }

    /// Whether the server has not sent its first lines.
    pub(super) fn is_silent(&self) -> bool {
        self.journal.is_catching_up() || self.journal.unanswered_since().is_some()
    }

    /// Whether the current server has proved useful. Then the outage has ended.
    pub(super) fn is_proved(&self, now: Instant) -> bool {
        let lasted = now.saturating_duration_since(self.up_since) >= PROBATION && !self.is_silent();
        self.link.is_some() && (self.journal.has_progressed() || lasted)
    }

    /// Whether no server has sent a line yet, and the current one closed at once after admission. So does a
    /// server that refuses some clients or has no backend: it will do so again.
    pub(super) fn is_turned_away(&self, now: Instant) -> bool {
        let at_once = now.saturating_duration_since(self.up_since) < PROBATION;
        !self.started && at_once && !self.journal.is_refused()
    }

    /// The first server refuses the session; others may not.
    pub(super) fn refused(&mut self, reason: String, now: Instant) {
        self.link = None;
        let words = self.journal.lose(now, self.at);
        let reason = words.filter(|words| !words.is_empty()).unwrap_or(reason);
        self.note(&format!("refused: {reason}"), now);
        // Its successor will be there in some seconds.
        if reason.contains(BEING_REPLACED) && self.untried.is_empty() {
            return match &mut self.outage {
                Some(outage) => outage.failed(now, reason, true),
                None => self.begin_outage(reason, now),
            };
        }
        self.try_the_untried(&reason);
    }

    /// The server is there but silent.
    pub(super) fn miss(&mut self, now: Instant) {
        let reason = format!("{} does not answer", self.order.servers[self.at]);
        if self.outage.is_some() {
            return self.lost(reason, now);
        }
        self.link = None;
        self.journal.lose(now, self.at);
        self.note(&format!("missed: {reason}"), now);
        self.try_the_untried(&reason);
    }

    pub(super) fn try_the_untried(&mut self, reason: &str) {
        match self.untried.pop_front() {
            Some(next) => self.dial(next),
            None => self.give_up(reason, Instant::now()),
        }
    }

    /// There is no server for now.
    pub(super) fn lost(&mut self, reason: String, now: Instant) {
        self.link = None;
        let refusal = self.journal.is_refused();
        let words = self.journal.lose(now, self.at);
        let reason = words.filter(|words| refusal && !words.is_empty()).unwrap_or(reason);
        self.note(&format!("outage: {reason}"), now);
        match &mut self.outage {
            Some(outage) => {
                self.lost_at = Some(self.at);
                outage.failed(now, reason, true);
            }
            None => {
                self.lost_at = Some(self.at);
                self.begin_outage(reason, now);
            }
        }
        self.from_client.leave(0, self.on_the_way_up());
    }

    fn begin_outage(&mut self, reason: String, now: Instant) {
        let (servers, give_up) = (self.order.servers.len(), self.order.give_up);
        // A client that waits for the answer to its first line does not wait that long.
        let give_up = self.journal.start_timeout().map_or(give_up, |most| most.min(give_up));
        self.outage = Some(Outage::new(now, servers, self.at, give_up, reason));
    }

    /// When to look for another server although there is one: it has asked for that.
    pub(super) fn moves_at(&self) -> Option<Instant> {
        let is_settled = self.link.is_some() && self.outage.is_none() && self.dialling.is_none();
        let ends = self.input_ended || self.leaving.is_some() || self.quit_until.is_some();
        self.journal.moves_from().filter(|_| is_settled && !ends)
    }

    /// Connects once more to the same address, behind which a balancer chooses. The session stays where it is until that is done.
    pub(super) fn begin_move(&mut self, now: Instant) {
        self.note("another server has more room", now);
        self.dial(self.at);
        self.is_moving = true;
    }

    /// The session goes to the server that was found, if the client has not begun something meanwhile.
    fn move_over(&mut self, outcome: io::Result<Box<Opened>>, now: Instant) {
        let Ok(opened) = outcome else { return self.journal.stay() };
        if self.journal.moves_from().is_none_or(|from| from > now) {
            return;
        }
        self.link = None;
        self.journal.leave(now);
        // Until the new server has proved itself this is an outage like others.
        let reason =
            format!("The session was to move from one server at {} to another", self.order.servers[self.at]);
        let servers = self.order.servers.len();
        self.outage = Some(Outage::new(now, servers, self.at, self.order.give_up, reason));
        match self.connect(*opened) {
            Ok(()) => self.take_up(now),
            Err(error) => {
                if let Some(outage) = &mut self.outage {
                    outage.failed(now, gui_message::reason(&error), false);
                }
            }
        }
    }

    pub(super) fn dial(&mut self, server: usize) {
        self.is_moving = false;
        self.at = server;
        self.number += 1;
        let number = self.number;
        self.dialling = Some(number);
        let (address, events) = (self.order.servers[server].clone(), self.events.clone());
        let keys = self.order.keys.clone();
        let body =
            move || drop(events.send(RelayEvent::Dialled(number, dial(&address, &keys).map(Box::new))));
        if let Err(error) = thread::Builder::new().name("dial".to_owned()).spawn(body) {
            drop(self.events.send(RelayEvent::Dialled(number, Err(error))));
        }
    }

    pub(super) fn dialled(&mut self, number: u64, outcome: io::Result<Box<Opened>>, now: Instant) {
        if self.dialling != Some(number) || self.ending.is_some() {
            return;
        }
        self.dialling = None;
        if std::mem::take(&mut self.is_moving) && self.link.is_some() {
            return self.move_over(outcome, now);
        }
        let same_again = self.lost_at.take() == Some(self.at);
        // A network that is down, an unknown name and the like do not show that the server died.
        let refused = |error: &io::Error| error.kind() == io::ErrorKind::ConnectionRefused;
        if same_again && outcome.as_ref().is_err_and(refused) {
            self.journal.confirm_death();
        }
        if let Err(error) = outcome.and_then(|opened| self.connect(*opened)) {
            let server = &self.order.servers[self.at];
            let reason = format!("Cannot reach {server}: {}", gui_message::reason(&error));
            match &mut self.outage {
                Some(outage) => outage.failed(now, reason, false),
                None => self.try_the_untried(&reason),
            }
            return;
        }
        self.take_up(now);
    }

    /// A server is there: it is told the session.
    fn take_up(&mut self, now: Instant) {
        self.note(&format!("connected to {}", self.order.servers[self.at]), now);
        let passed = self.journal.resume(now);
        self.tell_client(passed.down);
        self.tell_server(&passed.up);
        if self.journal.is_passed_up() {
            self.finish_if_over();
        }
        self.from_client.leave(0, self.on_the_way_up());
    }
}
