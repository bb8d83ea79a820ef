//! `pause` and `resume`: nothing is thought and no clock runs in between.

use super::thinking::Purpose;
use super::{Effect, Session, Step};
use crate::pool::SearchOrder;
use std::time::{Duration, Instant};

/// How long a search is held in the middle of its tree, where it keeps a thread and its memory. In a longer pause it is
/// let go, and what begins at `resume` finds in the table what it had found.
const HELD: Duration = Duration::from_secs(60);

/// The client said `pause`.
#[derive(Debug)]
pub(super) struct Paused {
    pub(super) since: Instant,
    /// When the search that is held is let go.
    pub(super) until: Option<Instant>,
    /// Our move is due, its search was let go, and had used so much.
    pub(super) owed: Option<Duration>,
}

impl Session {
    /// `pause`
    pub(super) fn pause(&mut self, step: &mut Step<'_>) {
        if self.paused.is_some() {
            return;
        }
        self.come_to_rest(step);
        let held = self.search.as_ref().filter(|search| search.done.is_none()).map(|search| search.id);
        let until = held.and_then(|_| step.now.checked_add(HELD));
        self.paused = Some(Paused { since: step.now, until, owed: None });
        if let Some(id) = held {
            step.effect(Effect::Search(id, SearchOrder::Hold));
        }
        self.set_timer(until, step);
    }

    /// The pause is long.
    pub(super) fn let_go(&mut self, step: &mut Step<'_>) {
        let search = self.halt(step);
        let Some(paused) = &mut self.paused else { return };
        paused.until = None;
        let due = search.filter(|search| search.purpose == Purpose::Move);
        paused.owed = due.map(|search| paused.since.saturating_duration_since(search.since));
    }

    /// `resume`: the search goes on exactly where it stood, and the clock with it.
    pub(super) fn resume(&mut self, step: &mut Step<'_>) {
        let Some(paused) = self.paused.take() else { return };
        let Some(search) = &mut self.search else {
            if let Some(used) = paused.owed {
                return self.search_for_move(step.now.checked_sub(used).unwrap_or(step.now), step);
            }
            self.analyse(step);
            return self.begin_pondering(step);
        };
        search.postpone(step.now.saturating_duration_since(paused.since));
        let (id, terms, deadline) = (search.id, search.terms, search.deadline);
        match search.done {
            // It ended before it could be held.
            Some(done) => self.search_done(done, step),
            None => {
                step.effect(Effect::Search(id, SearchOrder::Resume(terms)));
                self.set_timer(deadline, step);
            }
        }
    }

    /// Ends a pause in which our move is due with a search from the beginning, and what was used of the clock stays used.
    pub(super) fn end_pause(&mut self, step: &mut Step<'_>) {
        let Some(paused) = self.paused.take() else { return };
        let used = |since| paused.since.saturating_duration_since(since);
        let used = paused.owed.or(self.search.as_ref().map(|search| used(search.since))).unwrap_or_default();
        self.search_for_move(step.now.checked_sub(used).unwrap_or(step.now), step);
    }
}
