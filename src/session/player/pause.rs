//! Pauses: no search and no clock runs until the session resumes.

use super::{Effect, Player, Purpose, Search};
use crate::pool::SearchOrder;
use crate::search::Done;
use crate::session::effect::Step;
use std::time::{Duration, Instant};

/// The longest time for which a search is held in the middle of its tree, where it keeps a thread
/// and its memory. A longer pause releases it; the search after the pause finds the earlier results
/// in the table.
const MAX_HOLD: Duration = Duration::from_secs(60);

/// A pause.
#[derive(Debug)]
pub(super) struct Paused {
    pub(super) since: Instant,
    /// When the held search is released.
    pub(super) until: Option<Instant>,
    /// The time used by the engine's move so far, if it is due and its search was released.
    pub(super) owed: Option<Duration>,
}

/// The result of the end of a pause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::session) enum Resumed {
    /// There was no pause, or the held search goes on.
    Nothing,
    /// No search was held, and no move is due.
    Idle,
    /// The search for the engine's move begins anew; its clock counts as running since this
    /// instant.
    MoveOwed(Instant),
    /// The search ended before it could be held.
    Done(Done),
}

impl Player {
    /// Returns true during a pause.
    pub(in crate::session) fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// The present as seen by the clocks: the beginning of the pause, or `now`.
    pub(in crate::session) fn clock_instant(&self, now: Instant) -> Instant {
        self.paused.as_ref().map_or(now, |paused| paused.since)
    }

    /// Begins a pause. No analysis may be pending.
    pub(in crate::session) fn pause<M>(&mut self, step: &mut Step<'_, M>) {
        let runs = |search: &&Search| search.findings.done.is_none() && !search.has_no_move();
        let held = self.search().filter(runs).map(|search| search.id);
        let until = held.and_then(|_| step.now.checked_add(MAX_HOLD));
        self.paused = Some(Paused { since: step.now, until, owed: None });
        if let Some(id) = held {
            step.effect(Effect::Search(id, SearchOrder::Hold));
        }
        self.set_timer(until, step);
    }

    /// Releases the held search after [`MAX_HOLD`].
    pub(super) fn release_held<M>(&mut self, step: &mut Step<'_, M>) {
        let search = self.halt(step);
        let Some(paused) = &mut self.paused else { return };
        paused.until = None;
        let due = search.filter(|search| search.purpose == Purpose::Move);
        paused.owed = due.map(|search| paused.since.saturating_duration_since(search.since));
    }

    /// Ends a pause: the held search and the clock go on where they stood.
    pub(in crate::session) fn resume<M>(&mut self, step: &mut Step<'_, M>) -> Resumed {
        let Some(paused) = self.paused.take() else { return Resumed::Nothing };
        let Some(search) = &mut self.search else {
            return match paused.owed {
                Some(used) => Resumed::MoveOwed(before(step.now, used)),
                None => Resumed::Idle,
            };
        };
        search.postpone(step.now.saturating_duration_since(paused.since));
        if search.has_no_move() {
            return Resumed::Nothing;
        }
        if let Some(done) = search.findings.done {
            return Resumed::Done(done);
        }
        step.effect(Effect::Search(search.id, SearchOrder::Resume(search.budget)));
        self.await_deadline(step);
        Resumed::Nothing
    }

    /// Ends a pause in which the engine's move is due, for a search from the beginning. Returns the
    /// instant since which the clock counts as running, so that the time used before the pause
    /// stays used.
    pub(in crate::session) fn end_pause(&mut self, now: Instant) -> Option<Instant> {
        let paused = self.paused.take()?;
        let used = |since| paused.since.saturating_duration_since(since);
        let used = paused.owed.or(self.search.as_ref().map(|search| used(search.since))).unwrap_or_default();
        Some(before(now, used))
    }
}

/// The instant `time` before `now`, or `now` if the platform cannot represent it.
fn before(now: Instant, time: Duration) -> Instant {
    now.checked_sub(time).unwrap_or(now)
}
