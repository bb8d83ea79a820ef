//! All deadlines of the relay.

use super::Relay;
use super::foreign::QUOTE_TIMEOUT;
use super::server::Phase;
use std::time::{Duration, Instant};

/// Time limit for a server's answer to the greeting before it counts as a foreign engine.
const GREETING_TIMEOUT: Duration = Duration::from_secs(2);
/// Time limit for a server to go on with a session.
const TAKEOVER_TIMEOUT: Duration = Duration::from_secs(10);
/// A server that is lost within this time after it was reached, without an answer, has not ended
/// the outage.
const PROBATION: Duration = Duration::from_secs(5);

impl Relay {
    /// Returns when to call [`Relay::handle`] with [`super::Event::Time`] if nothing happens first.
    pub fn deadline(&self) -> Option<Instant> {
        if self.has_exited || self.ending.is_some() {
            return self.exit_at();
        }
        let is_idle = self.server.is_none() && self.failover.dialling.is_none();
        let outage = self.failover.outage.as_ref();
        let deadlines = [
            self.exit_at(),
            self.silent_until(),
            self.foreign_at(),
            self.quote_until(),
            outage.filter(|_| is_idle).map(|outage| outage.next),
            outage.and_then(|_| self.proved_at()),
            self.outage_until(),
            self.failover.hopeless.as_ref().map(|(_, until)| *until),
        ];
        deadlines.into_iter().flatten().min()
    }

    /// Performs what is due at this instant.
    pub(super) fn keep_time(&mut self, now: Instant) {
        let is_due = |at: Option<Instant>| at.is_some_and(|at| at <= now);
        if self.has_exited {
            return;
        }
        if is_due(self.exit_at()) {
            return self.exit();
        }
        if self.ending.is_some() {
            return;
        }
        if is_due(self.proved_at()) {
            self.failover.outage = None;
            self.failover.has_moved = false;
            self.failover.unfit.fill(false);
            self.suspicion.absolve_search();
        }
        if is_due(self.quote_until()) {
            self.release_foreign(now);
        }
        if is_due(self.silent_until()) {
            self.missed(now);
        } else if is_due(self.foreign_at()) {
            self.begin_foreign(now);
        }
        let is_reportable = self.protocol.is_some() || self.client.input_ended;
        let hopeless = self.failover.hopeless.take_if(|(_, until)| is_reportable || *until <= now);
        if let Some((reason, _)) = hopeless {
            return self.report_no_server(&reason);
        }
        let Some(outage) = &self.failover.outage else { return };
        if is_due(self.outage_until()) {
            return self.give_up(outage.reason.clone(), now);
        }
        if self.server.is_none() && self.failover.dialling.is_none() && outage.next <= now {
            self.dial(outage.turn, false);
        }
    }

    /// Returns when to exit even if something is still due. Output of a server that has closed is
    /// written for as long as a script needs to read it.
    fn exit_at(&self) -> Option<Instant> {
        let is_script = self.ending.is_some() && self.client.input_ended;
        let quit = self.client.quit_until.filter(|_| !is_script);
        [self.client.terminate_at, quit].into_iter().flatten().min()
    }

    /// Returns the time limit for the first word of the first server if there is no other.
    pub(super) fn start_timeout(&self) -> Option<Duration> {
        self.client.spoke_at.filter(|_| !self.session.started)?;
        self.protocol?.start_timeout()
    }

    /// Returns when the server counts as a foreign engine unless it answers the greeting.
    fn foreign_at(&self) -> Option<Instant> {
        let server = self.server.as_ref()?;
        let waits = matches!(server.phase, Phase::Greeting(_)) && !self.session.started;
        waits.then(|| server.since + GREETING_TIMEOUT)
    }

    /// Returns until when a foreign engine may still answer the greeting.
    fn quote_until(&self) -> Option<Instant> {
        let server = self.server.as_ref()?;
        let Phase::Foreign(foreign) = &server.phase else { return None };
        foreign.holds_back().then(|| server.since + QUOTE_TIMEOUT)
    }

    /// Returns when a server that is silent counts as lost.
    fn silent_until(&self) -> Option<Instant> {
        let server = self.server.as_ref().filter(|server| !server.has_spoken())?;
        if !self.session.started {
            // A foreign engine is silent, too. If it is the only one, that may be intended.
            let timeout = if self.failover.outage.is_none() && self.failover.untried.is_empty() {
                self.start_timeout()?
            } else {
                self.protocol.unwrap_or_default().first_word_timeout()
            };
            return self.client.spoke_at?.max(server.since).checked_add(timeout);
        }
        let since = match &server.phase {
            Phase::Greeting(_) => server.since,
            // Its first frame does not wait for anything.
            Phase::Linked(linked) => linked.since,
            Phase::Foreign(_) => return None,
        };
        // Every server gets its turn before the time is up.
        let share = self.plan.give_up / u32::try_from(2 * self.plan.servers.len()).unwrap_or(u32::MAX);
        Some(since + share.min(TAKEOVER_TIMEOUT))
    }

    /// Returns when to stop looking for a server, unless one has sent something.
    fn outage_until(&self) -> Option<Instant> {
        let outage = self.failover.outage.as_ref()?;
        (self.server.is_none() || self.silent_until().is_some()).then_some(outage.end)
    }

    /// Returns when the current server has proved useful, which ends the outage.
    fn proved_at(&self) -> Option<Instant> {
        let server = self.server.as_ref()?;
        match &server.phase {
            Phase::Linked(linked) if linked.has_progressed => Some(server.since),
            Phase::Linked(_) if self.silent_until().is_none() => Some(server.since + PROBATION),
            Phase::Linked(_) | Phase::Greeting(_) | Phase::Foreign(_) => None,
        }
    }
}
