//! Run time of each owner when all want as much as they can get.

use super::*;
use std::collections::{BTreeMap, BTreeSet};

/// The longest time in which each of thousands of searches gets a slice, while they begin.
const LONGEST_ROUND: Duration = Duration::from_secs(40);

/// The longest slice.
pub(super) const SLICE: Duration = Duration::from_millis(20);

pub(super) type Shares = BTreeMap<u64, Duration>;

impl World {
    /// Only analyses, each of its own source, up to the limit: all get the same.
    pub(super) fn share_fairly(&mut self) {
        self.only_analyses();
        self.check_equal_shares();
    }

    fn only_analyses(&mut self) {
        let mut sources = BTreeSet::new();
        for job in self.that(|_| true) {
            if sources.len() == self.limit || !sources.insert(self.searches[&job].source.id) {
                self.remove(job);
            } else {
                self.resume(job, SearchParams::of(Class::Analysis));
            }
        }
        while self.searches.len() < (self.tokens + 2).min(self.limit) {
            self.admit(self.names + 1, SearchParams::of(Class::Analysis));
        }
    }

    fn check_equal_shares(&mut self) {
        let count = self.searches.len() as u32;
        let shares = self.shares_of(SLICE * 40 * count, SLICE * 3 * count);
        let index = jain(shares.values().map(Duration::as_secs_f64));
        assert!(index > 0.99, "Jain's index is {index}: {shares:?}");
    }

    /// Run time of each owner within `time`. No search waits longer than `longest_wait`.
    pub(super) fn shares_of(&mut self, time: Duration, longest_wait: Duration) -> Shares {
        let (from, before) = (self.now, self.ran.clone());
        while self.now < from + time {
            self.poll(from + time);
            if self.random.below(50) == 0 {
                self.check_waits(from, longest_wait);
            }
        }
        let had = |owner| self.ran.get(&owner).copied().unwrap_or_default();
        let shares = self.searches.keys().map(|job| job.owner);
        shares.map(|owner| (owner, had(owner) - before.get(&owner).copied().unwrap_or_default())).collect()
    }

    fn check_waits(&self, from: Duration, longest: Duration) {
        for (job, seen) in &self.searches {
            let waited = self.now.saturating_sub(seen.waits.max(from));
            assert!(seen.holds.is_some() || seen.held || waited <= longest, "{job:?} starves");
        }
    }

    /// One of several equal searches is held again and again, then for long: it gains nothing,
    /// neither meanwhile nor later.
    pub(super) fn gain_nothing_by_pauses(&mut self) {
        let Some(restless) = self.any() else { return };
        let before = self.ran.clone();
        let until = self.now + SLICE * 40 * self.searches.len() as u32;
        while self.now < until {
            self.hold(restless);
            self.pass(2_000);
            self.resume(restless, SearchParams::of(Class::Analysis));
            self.pass(25_000);
        }
        self.has_no_more(restless.owner, &before, SLICE * 3);

        self.hold(restless);
        self.poll_until(self.now + SLICE * 50);
        self.resume(restless, SearchParams::of(Class::Analysis));
        self.check_equal_shares();
    }

    /// One of several equal searches ends and starts again and again.
    pub(super) fn gain_nothing_by_starting_again(&mut self, class: Class) {
        for job in self.that(|_| true) {
            self.remove(job);
        }
        // Earlier usage is forgotten at that point.
        self.jump(Duration::from_secs(100));
        let params = |world: &World| SearchParams {
            class,
            urgency: (class == Class::Clock)
                .then_some(Urgency { since: world.start + world.now, optimum: Duration::from_secs(2) }),
            coarse: false,
        };
        let first = self.names;
        while self.searches.len() < self.limit - 1 || self.searches.is_empty() {
            self.admit(self.names + 1, params(self));
        }
        let others = self.searches.len();
        let mut own = None;
        let before = self.ran.clone();
        // Longer than a search with a clock may be ahead.
        let until = self.now + Duration::from_secs(4) * others as u32;
        while self.now < until {
            let job = self.admit(first, params(self)).or(own);
            self.pass(25_000);
            if let Some(job) = job.filter(|_| self.searches.len() > others || own.is_none()) {
                self.remove(job);
            }
            own = None;
            self.pass(1_000);
        }
        let lead_limit = if class == Class::Clock { Duration::from_millis(2200) } else { SLICE * 5 };
        if others > self.tokens && self.limit > others {
            self.has_no_more(first, &before, lead_limit);
        }
    }

    /// No other owner has used so much less than this one.
    fn has_no_more(&self, owner: u64, before: &Shares, tolerated: Duration) {
        let had = |owner: u64| {
            let ran = |shares: &Shares| shares.get(&owner).copied().unwrap_or_default();
            ran(&self.ran) - ran(before)
        };
        let others = self.searches.keys().map(|job| job.owner).filter(|&other| other != owner);
        let (own, most) = (had(owner), others.map(had).max());
        assert!(most.is_none_or(|most| own <= most + tolerated), "it had {own:?}, others {most:?}");
    }

    /// Thousands of replies, analyses and ponder searches, without a clock: each gets the share of
    /// its class.
    pub(super) fn mix_fairly(&mut self) {
        for job in self.that(|seen| matches!(seen.class, Class::Clock | Class::Help)) {
            self.remove(job);
        }
        for job in self.that(|seen| seen.held) {
            let params = SearchParams::of(self.searches[&job].class);
            self.resume(job, params);
        }
        // Searches of one source would share one share.
        let mut sources = BTreeSet::new();
        for job in self.that(|_| true) {
            if !sources.insert(self.searches[&job].source.id) {
                self.remove(job);
            }
        }
        while self.searches.len() > 300 {
            self.remove_any();
        }
        let count = self.searches.len() as u32;
        // Until no search is ahead any more.
        self.poll_until(self.now + Duration::from_secs(200));
        let shares = self.shares_of(SLICE * 30 * count, SLICE * 16 * count);
        let of = |class: Class| {
            let mine = |job: &&JobId| self.searches[*job].class == class;
            self.searches.keys().filter(mine).map(|job| shares[&job.owner].as_secs_f64()).collect::<Vec<_>>()
        };
        let [replies, analyses, ponders] = [Class::Reply, Class::Analysis, Class::Ponder].map(of);
        let sum = |shares: &[f64]| shares.iter().sum::<f64>();
        let mean = |shares: &[f64]| sum(shares) / shares.len() as f64;
        let background = sum(&analyses) + sum(&ponders);
        let part = sum(&replies) / (background + sum(&replies));
        assert!((0.72..0.78).contains(&part), "replies have {part}");
        let worth = mean(&analyses) / mean(&ponders);
        assert!((3.0..5.5).contains(&worth), "an analysis has {worth} times what pondering has");
        let index = jain(analyses.into_iter());
        assert!(index > 0.98, "Jain's index is {index}");
    }

    /// Jain's fairness index of the run times of `count` analyses.
    pub(super) fn analyse_for_a_minute(&mut self, count: u64) -> f64 {
        for owner in 0..count {
            self.admit(owner, SearchParams { coarse: self.coarse, ..SearchParams::of(Class::Analysis) });
        }
        // Long slices are as long as five others at first, and become longer.
        let longest_wait =
            if self.coarse { SLICE * 6 * count as u32 } else { (SLICE * count as u32).min(LONGEST_ROUND) };
        let shares = self.shares_of(Duration::from_secs(60), longest_wait);
        assert!(shares.values().all(|share| !share.is_zero()), "one has nothing to show");
        jain(shares.values().map(Duration::as_secs_f64))
    }

    /// Games with moves of 0.1 to 5 seconds, many times more than the cores can serve.
    pub(super) fn play_too_many_games(&mut self) {
        let optimum = |owner: u64| Duration::from_millis(100 << (owner % 6));
        let mut ends = BTreeMap::new();
        let until = Duration::from_secs(60);
        let mut looks = 0;
        while self.now < until {
            for owner in 0..60 {
                let (job, at) = ends.get(&owner).copied().unwrap_or((None, Duration::ZERO));
                if self.now < at {
                    continue;
                }
                if let Some(job) = job {
                    looks += usize::from(!self.searches[&job].granted);
                    self.remove(job);
                }
                let urgency = Urgency { since: self.start + self.now, optimum: optimum(owner) };
                let job = self.admit(
                    owner,
                    SearchParams { class: Class::Clock, urgency: Some(urgency), coarse: false },
                );
                ends.insert(owner, (job, self.now + optimum(owner)));
            }
            self.poll_until(self.now + Duration::from_millis(1));
        }
        assert_eq!(looks, 0, "moves were made without a look");
        let index = jain((0..60).map(|owner| self.ran[&owner].as_secs_f64()));
        assert!(index > 0.9, "Jain's index is {index}: {:?}", self.ran);
    }

    /// Games that live from their increments beside analyses, all on an engine that takes
    /// milliseconds to begin: two tokens suffice for a look at nearly every move, and for nothing
    /// else.
    pub(super) fn play_where_looks_are_long(&mut self) {
        const GAMES: u64 = 60;
        self.look = Duration::from_micros(12_500);
        let optimum = Duration::from_millis(450);
        for owner in GAMES..GAMES + 200 {
            self.admit(owner, SearchParams { coarse: true, ..SearchParams::of(Class::Analysis) });
        }
        let mut moves = BTreeMap::new();
        let (mut had_a_look, mut blind) = (BTreeSet::new(), 0);
        while self.now < Duration::from_secs(30) {
            for owner in 0..GAMES {
                let begun = moves.get(&owner).copied();
                if begun.is_some_and(|(_, end)| self.now < end) {
                    continue;
                }
                if let Some((job, _)) = begun {
                    blind += usize::from(!had_a_look.remove(&job));
                    self.remove(job);
                }
                let urgency = Some(Urgency { since: self.start + self.now, optimum });
                let params = SearchParams { class: Class::Clock, urgency, coarse: true };
                let job = self.admit(owner, params).expect("there is room");
                // They have not begun all at once.
                let first = optimum * (1 + owner as u32) / GAMES as u32;
                moves.insert(owner, (job, self.now + begun.map_or(first, |_| optimum)));
            }
            self.poll_until(self.now + Duration::from_millis(1));
            had_a_look
                .extend(self.that(|seen| seen.class == Class::Clock && seen.granted && seen.holds.is_none()));
        }
        assert!(blind <= GAMES as usize, "{blind} moves were made without a look after the first round");
    }
}

pub(super) fn jain(shares: impl Iterator<Item = f64> + Clone) -> f64 {
    let (count, sum, squares) = shares.fold((0.0, 0.0, 0.0), |(n, a, b), x| (n + 1.0, a + x, b + x * x));
    sum * sum / (count * squares)
}
