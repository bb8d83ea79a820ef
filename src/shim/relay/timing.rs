//! All the deadlines of the relay.

use super::foreign::QUOTE_TIMEOUT;
use super::server::Phase;
use super::{Ending, Relay};
use crate::shim::outage::Outage;
use std::time::{Duration, Instant};

/// How long a server may take to answer the greeting before it counts as another engine.
const GREETING_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a server may take to go on with a session.
const TAKEOVER_TIMEOUT: Duration = Duration::from_secs(10);
/// A server that is lost within this time after it was reached, without an answer, has not ended the outage.
const PROBATION: Duration = Duration::from_secs(5);

impl Relay {
    /// When to call [`Relay::handle`] with [`super::Event::Time`] if nothing happens before.
    pub fn deadline(&self) -> Option<Instant> {
        if self.is_over || self.ending.is_some() {
            return self.over_at();
        }
        let is_idle = self.server.is_none() && self.dialling.is_none();
        let next = self.outage.as_ref().filter(|_| is_idle).map(Outage::next);
        let hopeless = self.hopeless.as_ref().map(|(_, until)| *until);
        let proved = self.proved_at().filter(|_| self.outage.is_some());
        let known = [self.other_engine_at(), self.answer_to_greeting_until()];
        let deadlines = [self.over_at(), self.silent_until(), next, self.outage_until(), hopeless, proved];
        deadlines.into_iter().chain(known).flatten().min()
    }

    /// Does what is due at this instant.
    pub(super) fn keep_time(&mut self, now: Instant) {
        let is_due = |at: Option<Instant>| at.is_some_and(|at| at <= now);
        if self.is_over {
            return;
        }
        if is_due(self.over_at()) {
            let ending = self.ending.take().unwrap_or(Ending::Dismissed);
            return self.exit(ending);
        }
        if self.ending.is_some() {
            return;
        }
        if is_due(self.proved_at()) {
            self.outage = None;
            self.has_moved = false;
            self.unfit.fill(false);
            self.suspicion.absolve_search();
        }
        if is_due(self.answer_to_greeting_until()) {
            self.release_another_engine(now);
        }
        if is_due(self.silent_until()) {
            self.miss(now);
        } else if is_due(self.other_engine_at()) {
            self.meet_another_engine(now);
        }
        if let Some((reason, until)) = &self.hopeless
            && (*until <= now || self.protocol.is_some() || self.input_ended)
        {
            let reason = reason.clone();
            return self.give_up(&reason, now);
        }
        let Some(outage) = &self.outage else { return };
        if is_due(self.outage_until()) {
            let reason = outage.reason().to_owned();
            return self.give_up(&reason, now);
        }
        if self.server.is_none() && self.dialling.is_none() && outage.next() <= now {
            let next = outage.turn();
            self.dial(next);
        }
    }

    /// When the relay ends whatever is still due. Output of a server that has closed is written for as long
    /// as a script needs to read it.
    fn over_at(&self) -> Option<Instant> {
        let is_closing = self.ending.is_some();
        let farewell = self.quit_until.filter(|_| !(is_closing && self.input_ended));
        [self.leaving, farewell].into_iter().flatten().min()
    }

    /// How long the first server may take for its first word if there is no other.
    pub(super) fn start_timeout(&self) -> Option<Duration> {
        self.spoke_at.filter(|_| !self.started)?;
        self.protocol?.start_timeout()
    }

    /// When the server counts as another engine unless it answers the greeting.
    fn other_engine_at(&self) -> Option<Instant> {
        let server = self.server.as_ref()?;
        let waits = matches!(server.phase, Phase::Greeting(_)) && !self.started;
        waits.then(|| server.since + GREETING_TIMEOUT)
    }

    /// Until when another engine may still answer the greeting.
    fn answer_to_greeting_until(&self) -> Option<Instant> {
        let server = self.server.as_ref()?;
        let Phase::Foreign(foreign) = &server.phase else { return None };
        foreign.holds_back().then(|| server.since + QUOTE_TIMEOUT)
    }

    /// When a server that is silent counts as lost.
    fn silent_until(&self) -> Option<Instant> {
        let server = self.server.as_ref()?;
        if server.has_spoken() {
            return None;
        }
        if !self.started {
            // An engine without a greeting is silent, too. If it is the only one, it may be intended.
            let patience = if self.outage.is_none() && self.untried.is_empty() {
                self.start_timeout()?
            } else {
                self.protocol.unwrap_or_default().first_word_timeout()
            };
            return self.spoke_at?.max(server.since).checked_add(patience);
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

    /// When to stop looking for a server, unless one has sent something.
    fn outage_until(&self) -> Option<Instant> {
        let outage = self.outage.as_ref()?;
        (self.server.is_none() || self.silent_until().is_some()).then(|| outage.end())
    }

    /// When the current server has proved useful: then the outage is over.
    fn proved_at(&self) -> Option<Instant> {
        let server = self.server.as_ref()?;
        match &server.phase {
            Phase::Linked(linked) if linked.has_progressed => Some(server.since),
            Phase::Linked(_) if self.silent_until().is_none() => Some(server.since + PROBATION),
            Phase::Linked(_) | Phase::Greeting(_) | Phase::Foreign(_) => None,
        }
    }
}
