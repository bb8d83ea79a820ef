//! What a session is doing, for whoever looks after the server.

use super::thinking::{Purpose, Search};
use super::{LagSeen, Mode, Session};
use crate::protocol::xboard::variant_name;
use crate::session::{Doing, Status};
use std::time::{Duration, Instant};

/// What a session has done since it began.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Tally {
    /// Moves we have made.
    pub(super) moves: u64,
    /// Nodes of the searches that have ended.
    nodes: u64,
    /// The longest that a move went out after its time was up.
    overrun: Duration,
}

impl Tally {
    /// A search is over.
    pub(super) fn searched(&mut self, search: &Search) {
        self.nodes = self.nodes.saturating_add(search.nodes());
    }

    /// We move now, and this was the last instant for it.
    pub(super) fn moved(&mut self, deadline: Option<Instant>, now: Instant) {
        self.moves += 1;
        let late = deadline.map_or(Duration::ZERO, |deadline| now.saturating_duration_since(deadline));
        self.overrun = self.overrun.max(late);
    }
}

impl Session {
    /// How it stands at the instant `now`.
    pub fn status_at(&self, now: Instant) -> Status<'_> {
        let search = self.search.as_ref();
        let elapsed = search.map_or(Duration::ZERO, Search::elapsed).as_millis();
        let nodes = search.map_or(0, Search::nodes);
        Status {
            doing: self.doing(),
            variant: variant_name(self.game.position().variant()),
            opponent: &self.client.opponent,
            moves: self.tally.moves,
            search: search.filter(|search| search.done.is_none()).map(|search| search.id),
            depth: search.and_then(|search| search.best.as_ref()).map(|info| info.depth),
            speed: u64::try_from(u128::from(nodes) * 1000 / elapsed.max(1)).ok().filter(|_| elapsed > 0),
            nodes: self.tally.nodes.saturating_add(nodes),
            clock: self.clocks.shown_after(self.running(now)),
            overrun: self.tally.overrun,
            lag: self.clocks.lag().recent(),
            interrupts: self.client.interrupts,
        }
    }

    /// What moves have cost besides thinking, since the session began.
    pub fn lag(&self) -> LagSeen {
        self.clocks.lag().overall()
    }

    /// For how long our clock runs already.
    fn running(&self, now: Instant) -> Duration {
        let thinking = self.search.as_ref().filter(|search| search.purpose == Purpose::Move);
        thinking.map_or(Duration::ZERO, |search| self.used(search, now))
    }

    fn doing(&self) -> Doing {
        if !self.client.heard {
            return Doing::Silent;
        }
        if self.editor.is_some() {
            return Doing::Editing;
        }
        if self.paused.is_some() {
            return Doing::Paused;
        }
        match self.purpose() {
            Some(Purpose::Move) => Doing::Thinking,
            Some(Purpose::Hint) => Doing::Hinting,
            Some(Purpose::Ponder(_) | Purpose::Ordered | Purpose::Expectation) => Doing::Pondering,
            Some(Purpose::Analysis) => Doing::Analysing,
            None if self.mode == Mode::Analyze => Doing::Analysing,
            None => Doing::Idle,
        }
    }
}
