//! One server after another: when one is lost, which is next, and when it has proved to be one.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use super::super::complaint;
use super::super::dial::dial;
use super::super::opened::Opened;
use super::super::outage::Outage;
use super::{Event, Relay};

/// How long a server that was told a session may take to say that it has heard it, at most.
const CATCHING_UP: Duration = Duration::from_secs(10);
/// How long a server may take to say the first of its features, if there is another. xboard waits ten seconds.
const GREETING: Duration = Duration::from_secs(4);
/// A server that is lost sooner after it took over, without an answer, has ended no outage.
const PROBATION: Duration = Duration::from_secs(5);

impl Relay {
    /// When a server that has not said what it must say first is taken for lost.
    pub(super) fn silent_until(&self) -> Option<Instant> {
        self.link.as_ref()?;
        if self.journal.is_catching_up() {
            // Each of the servers gets its turn before there is no more time.
            let share = self.order.give_up / (2 * self.order.servers.len() as u32);
            return self.up_since.checked_add(share.min(CATCHING_UP));
        }
        // A program that knows no features is silent, too. If it is the only one, it may be meant.
        if self.outage.is_none() && self.untried.is_empty() {
            return None;
        }
        self.journal.unanswered_since()?.max(self.up_since).checked_add(GREETING)
    }

    /// When to stop looking for a server, unless there is one that has said something.
    pub(super) fn outage_until(&self) -> Option<Instant> {
        let outage = self.outage.as_ref()?;
        (self.link.is_none() || self.is_silent()).then(|| outage.end())
    }

    /// Whether the server has not said what it must say first.
    pub(super) fn is_silent(&self) -> bool {
        self.journal.is_catching_up() || self.journal.unanswered_since().is_some()
    }

    /// Whether there is a server that has shown to be of use. Then the outage before has ended.
    pub(super) fn is_proved(&self, now: Instant) -> bool {
        let lasted = now.saturating_duration_since(self.up_since) >= PROBATION && !self.is_silent();
        self.link.is_some() && (self.journal.has_progressed() || lasted)
    }

    /// Whether no server has said a word yet, and the one that we were let in by has closed at once. So does one that
    /// does not let everybody in, or has nobody behind it: it will do so again.
    pub(super) fn is_turned_away(&self, now: Instant) -> bool {
        let at_once = now.saturating_duration_since(self.up_since) < PROBATION;
        !self.started && at_once && !self.journal.is_refused()
    }

    /// The first server will not have us; others may.
    pub(super) fn refused(&mut self, reason: String, now: Instant) {
        self.link = None;
        let words = self.journal.lose(now, self.at);
        let reason = words.filter(|words| !words.is_empty()).unwrap_or(reason);
        self.note(&format!("refused: {reason}"), now);
        self.try_the_untried(&reason);
    }

    /// The server is there, and says nothing.
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
            None => self.give_up(reason),
        }
    }

    /// There is no server any more, for a while.
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
                let (servers, give_up) = (self.order.servers.len(), self.order.give_up);
                self.outage = Some(Outage::new(now, servers, self.at, give_up, reason));
            }
        }
        self.from_client.leave(0, self.on_the_way_up());
    }

    pub(super) fn dial(&mut self, server: usize) {
        self.at = server;
        self.number += 1;
        let number = self.number;
        self.dialling = Some(number);
        let (address, events) = (self.order.servers[server].clone(), self.events.clone());
        let keys = self.order.keys.clone();
        let body = move || drop(events.send(Event::Dialled(number, dial(&address, &keys).map(Box::new))));
        if let Err(error) = thread::Builder::new().name("dial".to_owned()).spawn(body) {
            drop(self.events.send(Event::Dialled(number, Err(error))));
        }
    }

    pub(super) fn dialled(&mut self, number: u64, outcome: io::Result<Box<Opened>>, now: Instant) {
        if self.dialling != Some(number) || self.ending.is_some() {
            return;
        }
        self.dialling = None;
        let same_again = self.lost_at.take() == Some(self.at);
        // Of networks that are down, names that are not found and the like a server does not die.
        let refused = |error: &io::Error| error.kind() == io::ErrorKind::ConnectionRefused;
        if same_again && outcome.as_ref().is_err_and(refused) {
            self.journal.confirm_death();
        }
        if let Err(error) = outcome.and_then(|opened| self.connect(*opened)) {
            let server = &self.order.servers[self.at];
            let reason = format!("Cannot reach {server}: {}", complaint::reason(&error));
            match &mut self.outage {
                Some(outage) => outage.failed(now, reason, false),
                None => self.try_the_untried(&reason),
            }
            return;
        }
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
