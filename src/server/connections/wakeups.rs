//! Timers of connections.

use super::Connections;
use crate::session::Input;
use std::collections::HashSet;
use std::time::Instant;

impl Connections {
    /// Serves the timers that are due. Events that the searches of these sessions have already sent
    /// are delivered first.
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
