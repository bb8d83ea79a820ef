//! What a move may cost: time, or nodes where nodes are time.

use super::thinking::{Purpose, Search};
use super::{Effect, Session, Step};
use crate::pool::{Class, SearchBudget, SearchOrder, Timebase};
use crate::search::{Allotment, Limits};
use std::time::{Duration, Instant};

impl Session {
    /// The limits and terms of a move that is due since then.
    ///
    /// With `nps N` time is nodes (current text, section 8): then nothing is urgent, what a move costs besides
    /// thinking is not charged to us, and the time that is shown is the processor's. A move is urgent where the clock on
    /// the wall runs, and that is so for a time for each move (`st`), too, which GUIs enforce.
    pub(super) fn budget(&self, since: Instant) -> (Limits, SearchBudget) {
        let limits = Limits { depth: self.depth, ..Limits::default() };
        let timebase = if self.nps.is_some() { Timebase::Processor } else { Timebase::Wall };
        let terms = SearchBudget { class: Class::Reply, since, allotment: None, timebase, limits: None };
        let Some(allotment) = self.allotment() else { return (limits, terms) };
        match self.nps {
            None => (limits, SearchBudget { class: Class::Clock, allotment: Some(allotment), ..terms }),
            Some(0) => (limits, SearchBudget { allotment: Some(allotment), ..terms }),
            Some(rate) => {
                // Time given for a single move is no use later.
                let saving = !self.clocks.is_per_move();
                let optimum_nodes = saving.then(|| nodes(allotment.optimum, rate));
                (Limits { nodes: Some(nodes(allotment.maximum, rate)), optimum_nodes, ..limits }, terms)
            }
        }
    }

    /// The limits or our clock are others now: so they are for the move that is being thought about.
    pub(super) fn reconsider(&mut self, step: &mut Step<'_>) {
        // A move that is kept back after an agreed draw is thought about no more.
        let running = |search: &Search| {
            search.purpose == Purpose::Move && search.done.is_none() && !search.gone && !search.agreed
        };
        let Some(since) = self.search.as_ref().filter(|search| running(search)).map(|search| search.since)
        else {
            return;
        };
        let (limits, terms) = self.budget(since);
        let terms = SearchBudget { limits: Some(limits), ..terms };
        let Some(search) = &mut self.search else { return };
        if search.limits == limits && search.terms == (SearchBudget { limits: search.terms.limits, ..terms })
        {
            return;
        }
        (search.limits, search.terms, search.deadline) = (limits, terms, terms.deadline());
        // A search that is held hears of it when it goes on.
        if self.paused.is_some() {
            return;
        }
        let (id, deadline) = (search.id, search.deadline);
        if deadline.is_some_and(|deadline| deadline <= step.now) {
            return self.make_move(step);
        }
        step.effect(Effect::Search(id, SearchOrder::Retime(terms)));
        self.set_timer(deadline, step);
    }

    /// `time`, in centiseconds: what our clock shows now.
    pub(super) fn told_time(&mut self, centiseconds: i64, step: &mut Step<'_>) {
        let now = self.paused.as_ref().map_or(step.now, |paused| paused.since);
        let thinks = self.search.as_ref().filter(|search| search.purpose == Purpose::Move);
        let owed = self.paused.as_ref().and_then(|paused| paused.owed);
        let running = owed.or(thinks.map(|search| self.used(search, now)));
        self.clocks.told_after(centiseconds, running.unwrap_or_default());
        self.reconsider(step);
    }

    /// How long the move that is due may take.
    fn allotment(&self) -> Option<Allotment> {
        let margin = self.nps.is_none().then_some(self.options.move_overhead);
        self.clocks.allotment(self.game.moves().len(), margin, self.depth.is_some())
    }

    /// The terms of a search without a clock.
    pub(super) fn unhurried(&self, class: Class, step: &Step<'_>) -> SearchBudget {
        SearchBudget { class, since: step.now, allotment: None, timebase: Timebase::Wall, limits: None }
    }

    /// What a search for our move has cost our clock so far.
    pub(super) fn used(&self, search: &Search, now: Instant) -> Duration {
        match self.nps {
            None => now.saturating_duration_since(search.since),
            Some(0) => search.elapsed(),
            Some(rate) => Duration::from_micros(search.nodes().saturating_mul(1_000_000) / u64::from(rate)),
        }
    }
}

fn nodes(time: Duration, rate: u32) -> u64 {
    let nodes = time.as_millis() * u128::from(rate) / 1000;
    u64::try_from(nodes).unwrap_or(u64::MAX).max(1)
}
