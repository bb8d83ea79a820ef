//! Starts of searches, and their events.

use super::Connections;
use crate::pool::{JobId, SearchEvent};
use crate::server::os::cpu_time::cpu_time;
use crate::server::searches::slot_of;
use crate::server::searches::{MAX_START_TIME, QueuedSearch};
use crate::session::Input;
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
