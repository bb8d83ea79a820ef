//! Starts of searches, their events, and timers.

use super::Connections;
use crate::pool::{JobId, SearchEvent};
use crate::server::os::usage::cpu_time;
use crate::server::searches::slot_of;
use crate::server::searches::{MAX_START_TIME, QueuedSearch};
use crate::session::Input;
use std::collections::HashSet;
use std::time::Instant;

impl Connections {
    /// Starts queued searches, as many as there is time for in one turn, and at least one. To be
    /// called after all input of the turn: a search that was started and stopped in that time is
    /// never started here.
    pub(in crate::server) fn start_searches(&mut self) {
        self.searches.begin_starts();
        let end = Instant::now() + MAX_START_TIME;
        let mut began = cpu_time();
        while let Some((job, QueuedSearch { source, task, budget, held })) = self.searches.next_start() {
            self.guard_slot(slot_of(job.owner), |connections| {
                let pool = &connections.searches.pool;
                pool.start(job, task, budget, source);
                if held {
                    pool.hold(job);
                }
            });
            let now = cpu_time();
            self.searches.charge(source, now.saturating_sub(began));
            began = now;
            if Instant::now() >= end {
                return;
            }
        }
    }

    /// Delivers search events to sessions, as many as there is time for in one turn.
    pub(in crate::server) fn serve_searches(&mut self) {
        self.searches.fetch_if_empty();
        let now = Instant::now();
        let end = now + self.input.max_turn;
        while let Some((job, event, is_last)) = self.searches.next_event() {
            self.serve_search_event(job, event, is_last, now);
            if is_last && Instant::now() >= end {
                return;
            }
        }
    }

    /// Delivers an event. Output is sent with the last event of a search, for all of them at once.
    pub(super) fn serve_search_event(&mut self, job: JobId, event: SearchEvent, is_last: bool, now: Instant) {
        let slot = slot_of(job.owner);
        self.guard_slot(slot, |connections| {
            let Some(connection) = connections.slots.of_owner(job.owner) else { return };
            match event {
                SearchEvent::Warm(warm) => {
                    if let Some(link) = &mut connection.link {
                        link.keep_warm(warm);
                    }
                }
                SearchEvent::Report(_) | SearchEvent::Leaves(..) | SearchEvent::Attempts(_) => {
                    connections.deliver(slot, Input::Search(job.search, event), now);
                }
                SearchEvent::Done(_) | SearchEvent::Refused(_) | SearchEvent::Failed => {
                    connection.searches.retain(|&search| search != job.search);
                    connections.deliver(slot, Input::Search(job.search, event), now);
                }
            }
            if is_last {
                connections.flush(slot, now);
            }
        });
    }
}

impl Connections {
    /// Serves the timers that are due, after the events that their searches have already sent.
    pub(in crate::server) fn serve_timers(&mut self) {
        let now = Instant::now();
        // All at once: a session that sets a timer for a past instant must not keep the loop here.
        let due: Vec<usize> = std::iter::from_fn(|| self.timers.main.take_due(now)).collect();
        if !due.is_empty() {
            let slots: HashSet<usize> = due.iter().copied().collect();
            let mut events = self.searches.take_events_of(&slots).into_iter().peekable();
            while let Some((job, event)) = events.next() {
                let is_last = events.peek().is_none_or(|&(next, _)| next != job);
                self.serve_search_event(job, event, is_last, now);
            }
        }
        for slot in due {
            self.guard_slot(slot, |connections| connections.serve_timer(slot, now));
        }
        let due: Vec<usize> = std::iter::from_fn(|| self.timers.rsh.take_due(now)).collect();
        for slot in due {
            self.guard_slot(slot, |connections| connections.serve_rsh_timer(slot, now));
        }
    }

    fn serve_timer(&mut self, slot: usize, now: Instant) {
        let Some(connection) = self.slots.get(slot) else { return };
        if connection.session.is_some() {
            self.deliver(slot, Input::Timer, now);
            self.flush(slot, now);
        } else if connection.login.is_some() {
            self.time_out_login(slot, now);
        } else if connection.is_rsh_login() {
            self.time_out_rsh_login(slot, now);
        } else {
            self.remove(slot);
        }
    }
}
