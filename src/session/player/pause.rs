//! Pauses: nothing is thought and no clock runs until the session goes on.

use super::{Effect, Player, Purpose};
use crate::pool::SearchOrder;
use crate::search::Done;
use crate::session::step::Step;
use std::time::{Duration, Instant};

/// How long a search is held in the middle of its tree, where it keeps a thread and its memory. In a longer pause it is
/// let go, and the search after the pause finds in the table what it had found.
const HOLD_AT_MOST: Duration = Duration::from_secs(60);

/// A pause.
#[derive(Debug)]
pub(super) struct Paused {
    pub(super) since: Instant,
    /// When the search that is held is let go.
    pub(super) until: Option<Instant>,
    /// Our move is due, its search was let go, and it has used this much of our clock.
    pub(super) owed: Option<Duration>,
}

/// What the end of a pause means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::session) enum Resumed {
    /// There was no pause, or a search goes on where it stood.
    Nothing,
    /// No search was held, and no move is due.
    Idle,
    /// The search for our move begins anew; our clock runs since then.
    MoveOwed(Instant),
    /// The search ended before it could be held.
    Done(Done),
}

impl Player {
    /// Whether there is a pause.
    pub(in crate::session) fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// The instant at which clocks stand: that of the pause, or `now`.
    pub(in crate::session) fn clock_instant(&self, now: Instant) -> Instant {
        self.paused.as_ref().map_or(now, |paused| paused.since)
    }

    /// Begins a pause; nothing is to be analysed first.
    pub(in crate::session) fn pause<M>(&mut self, step: &mut Step<'_, M>) {
        let held = self.search.as_ref().filter(|search| search.done.is_none()).map(|search| search.id);
        let until = held.and_then(|_| step.now.checked_add(HOLD_AT_MOST));
        self.paused = Some(Paused { since: step.now, until, owed: None });
        if let Some(id) = held {
            step.effect(Effect::Search(id, SearchOrder::Hold));
        }
        self.set_timer(until, step);
    }

    /// The pause is long.
    pub(super) fn let_go<M>(&mut self, step: &mut Step<'_, M>) {
        let search = self.halt(step);
        let Some(paused) = &mut self.paused else { return };
        paused.until = None;
        let due = search.filter(|search| search.purpose == Purpose::Move);
        paused.owed = due.map(|search| paused.since.saturating_duration_since(search.since));
    }

    /// Ends a pause: the search goes on exactly where it stood, and the clock with it.
    pub(in crate::session) fn resume<M>(&mut self, step: &mut Step<'_, M>) -> Resumed {
        let Some(paused) = self.paused.take() else { return Resumed::Nothing };
        let Some(search) = &mut self.search else {
            return match paused.owed {
                Some(used) => Resumed::MoveOwed(before(step.now, used)),
                None => Resumed::Idle,
            };
        };
        search.postpone(step.now.saturating_duration_since(paused.since));
        if let Some(done) = search.done {
            return Resumed::Done(done);
        }
        step.effect(Effect::Search(search.id, SearchOrder::Resume(search.budget)));
        self.await_deadline(step);
        Resumed::Nothing
    }

    /// Ends a pause in which our move is due. Since when our clock has run for the search that begins anew: what was used of
    /// it stays used.
    pub(in crate::session) fn end_pause(&mut self, now: Instant) -> Option<Instant> {
        let paused = self.paused.take()?;
        let used = |since| paused.since.saturating_duration_since(since);
        let used = paused.owed.or(self.search.as_ref().map(|search| used(search.since))).unwrap_or_default();
        Some(before(now, used))
    }
}

/// The instant that long before `now`, as far as there is one.
fn before(now: Instant, time: Duration) -> Instant {
    now.checked_sub(time).unwrap_or(now)
}
