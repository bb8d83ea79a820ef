//! The model: searches as seen from outside, and the invariants after every step.

use super::*;
use std::collections::{BTreeMap, BTreeSet};

/// The longest time from one poll of a search to the next.
pub(super) const POLL: Duration = Duration::from_micros(1500);

/// A search as seen from outside.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    pub(super) source: Source,
    /// The class it was admitted as.
    pub(super) admitted: Class,
    pub(super) class: Class,
    pub(super) held: bool,
    pub(super) holds: Option<Holding>,
    pub(super) granted: bool,
    /// Since when it waits.
    pub(super) waits: Duration,
}

#[derive(Clone, Copy)]
pub(super) struct Holding {
    since: Duration,
    until: Duration,
    next_poll: Duration,
    revoked: bool,
}

pub(super) struct World {
    pub(super) random: Random,
    pub(super) tokens: usize,
    /// Some searches have long slices.
    pub(super) coarse: bool,
    /// Time from the first grant to the first variation.
    pub(super) look: Duration,
    pub(super) limit: usize,
    pub(super) scheduler: Scheduler,
    pub(super) start: Instant,
    pub(super) now: Duration,
    pub(super) searches: BTreeMap<JobId, Seen>,
    /// Searches that hold a token, by their next poll.
    polls: BTreeSet<(Duration, JobId)>,
    /// Number of searches of each class that wait and could run.
    waiting: [usize; 5],
    /// Run time of each owner.
    pub(super) ran: BTreeMap<u64, Duration>,
    pub(super) names: u64,
    /// The largest number of searches at once.
    pub(super) most: usize,
    /// Since when a clock search waits while another class holds a token; since when any search
    /// waits while a helper holds one.
    preferred: [Option<Duration>; 2],
    pub(super) trace: Vec<String>,
}

impl World {
    pub(super) fn new(seed: u64) -> World {
        let mut random = Random::new(seed);
        let tokens = 1 + random.below(4) as usize;
        let limit = tokens + random.below(12) as usize;
        World::of(random, tokens, limit)
    }

    /// Few tokens, and room for thousands of searches.
    pub(super) fn wide(seed: u64) -> World {
        World::of(Random::new(seed), 2, 2000)
    }

    /// `tokens` tokens, and room for thousands of searches.
    pub(super) fn with_tokens(seed: u64, tokens: usize) -> World {
        World::of(Random::new(seed), tokens, 2000)
    }

    fn of(random: Random, tokens: usize, limit: usize) -> World {
        World {
            tokens,
            coarse: false,
            look: Duration::from_millis(2),
            limit,
            scheduler: Scheduler::new(tokens, limit),
            start: Instant::now(),
            now: Duration::ZERO,
            searches: BTreeMap::new(),
            polls: BTreeSet::new(),
            waiting: [0; 5],
            ran: BTreeMap::new(),
            names: 0,
            most: 0,
            preferred: [None; 2],
            trace: Vec::new(),
            random,
        }
    }

    pub(super) fn tell<T>(
        &mut self,
        tell: impl FnOnce(&mut Scheduler, Instant, &mut Vec<Decision>) -> T,
    ) -> T {
        let mut decisions = Vec::new();
        let told = tell(&mut self.scheduler, self.start + self.now, &mut decisions);
        for decision in decisions {
            self.apply(decision);
        }
        self.check();
        told
    }

    fn apply(&mut self, decision: Decision) {
        match decision {
            Decision::Grant { job, until, first, until_variation, .. } => {
                // There is a variation to show at that point.
                let shown = self.now + self.look;
                let until = (until - self.start).min(if until_variation { shown } else { Duration::MAX });
                self.trace.push(format!("{:?} grant {} until {until:?}", self.now, job.owner));
                let next_poll = self.now + self.poll_time();
                self.polls.insert((next_poll, job));
                self.update(job, |seen, now| {
                    assert!(seen.holds.is_none(), "granted twice");
                    assert!(!seen.held, "granted while it is held");
                    assert_eq!(first, !seen.granted, "the first grant is marked");
                    seen.granted = true;
                    seen.holds = Some(Holding { since: now, until, next_poll, revoked: false });
                });
            }
            Decision::Revoke { job } => {
                self.trace.push(format!("{:?} revoke {}", self.now, job.owner));
                self.update(job, |seen, _| {
                    let holding = seen
                        .holds
                        .as_mut()
                        .expect("only a search that holds a token can be asked to return it");
                    assert!(!holding.revoked, "asked twice");
                    holding.revoked = true;
                });
            }
        }
    }

    /// Updates a search and the counts.
    pub(super) fn update(&mut self, job: JobId, change: impl FnOnce(&mut Seen, Duration)) {
        let seen = self.searches.get_mut(&job).expect("an decision is for a search that is there");
        let waits = |seen: &Seen| usize::from(seen.holds.is_none() && !seen.held);
        self.waiting[seen.class as usize] -= waits(seen);
        change(seen, self.now);
        self.waiting[seen.class as usize] += waits(seen);
    }

    fn poll_time(&mut self) -> Duration {
        Duration::from_micros(200 + self.random.below(POLL.as_micros() as u64 - 200))
    }

    /// A search that holds a token loses it, or ends.
    fn take_token(&mut self, job: JobId) {
        let Some(holding) = self.searches.get(&job).and_then(|seen| seen.holds) else { return };
        self.polls.remove(&(holding.next_poll, job));
        *self.ran.entry(job.owner).or_default() += self.now - holding.since;
        self.update(job, |seen, now| (seen.holds, seen.waits) = (None, now));
    }

    pub(super) fn admit(&mut self, owner: u64, params: SearchParams) -> Option<JobId> {
        self.admit_from(Source::of(owner), owner, params)
    }

    pub(super) fn admit_from(&mut self, source: Source, owner: u64, params: SearchParams) -> Option<JobId> {
        self.names += 1;
        let job = JobId { owner, search: SearchId(self.names) };
        let class = params.class;
        let refusal = self.refusal(source, class);
        let (held, holds, granted) = (false, None, false);
        let seen = Seen { source, admitted: class, class, held, holds, granted, waits: self.now };
        // It may be granted a token at once.
        let known = refusal.is_none().then(|| self.searches.insert(job, seen));
        self.waiting[params.class as usize] += usize::from(known.is_some());
        self.most = self.most.max(self.searches.len());
        let told =
            self.tell(|scheduler, now, decisions| scheduler.admit(job, source, params, now, decisions));
        assert_eq!(told.err(), refusal);
        known.map(|_| job)
    }

    /// Returns the reason for not admitting one more search of a source, if any.
    fn refusal(&self, source: Source, class: Class) -> Option<Refusal> {
        let count = self.count(|seen| seen.admitted == class);
        let own = self.count(|seen| seen.admitted == class && seen.source.id == source.id);
        let room = self.limit - count;
        let most = room * source.weight as usize;
        let most = if class == Class::Help { most.max(self.tokens - 1) } else { most };
        match room {
            0 => Some(Refusal::Full(count)),
            _ => (own >= most).then_some(Refusal::Share(count)),
        }
    }

    pub(super) fn remove(&mut self, job: JobId) {
        self.take_token(job);
        self.update(job, |seen, _| seen.held = true);
        self.searches.remove(&job);
        self.tell(|scheduler, now, decisions| scheduler.remove(job, now, decisions));
    }

    pub(super) fn hold(&mut self, job: JobId) {
        self.update(job, |seen, _| seen.held = true);
        self.tell(|scheduler, now, decisions| scheduler.hold(job, now, decisions));
        let holding = self.searches.get(&job).and_then(|seen| seen.holds);
        assert!(holding.is_none_or(|holding| holding.revoked), "held, and may keep its token");
    }

    pub(super) fn resume(&mut self, job: JobId, params: SearchParams) {
        self.set_class_seen(job, params.class);
        self.update(job, |seen, now| (seen.held, seen.waits) = (false, now));
        self.tell(|scheduler, now, decisions| scheduler.resume(job, params, now, decisions));
    }

    pub(super) fn set_params(&mut self, job: JobId, params: SearchParams) {
        self.set_class_seen(job, params.class);
        self.tell(|scheduler, now, decisions| scheduler.set_params(job, params, now, decisions));
    }

    fn set_class_seen(&mut self, job: JobId, class: Class) {
        let waits = usize::from(self.searches[&job].holds.is_none() && !self.searches[&job].held);
        let seen = self.searches.get_mut(&job).expect("chosen among those that are there");
        self.waiting[seen.class as usize] -= waits;
        seen.class = class;
        self.waiting[class as usize] += waits;
    }

    /// Advances to the next poll of a search that holds a token, and polls.
    pub(super) fn poll(&mut self, at_most: Duration) {
        let Some(&(at, job)) = self.polls.first().filter(|&&(at, _)| at <= at_most) else {
            self.now = self.now.max(at_most);
            return;
        };
        // After a clock jump several polls are late.
        self.now = self.now.max(at);
        let pause = self.poll_time();
        let holding = self.searches[&job].holds.expect("it is in the list");
        if holding.revoked || self.now >= holding.until {
            self.take_token(job);
            self.tell(|scheduler, now, decisions| scheduler.yield_token(job, now, decisions));
        } else {
            self.polls.remove(&(at, job));
            self.polls.insert((self.now + pause, job));
            let next_poll = self.now + pause;
            self.update(job, |seen, _| seen.holds = Some(Holding { next_poll, ..holding }));
        }
    }

    pub(super) fn poll_until(&mut self, until: Duration) {
        while self.now < until {
            self.poll(until);
        }
    }

    /// Time passes without any poll, as if the machine had slept.
    pub(super) fn jump(&mut self, time: Duration) {
        self.now += time;
        self.preferred = [None; 2];
    }

    fn check(&mut self) {
        let holders: Vec<Class> = self.polls.iter().map(|(_, job)| self.searches[job].class).collect();
        assert!(holders.len() <= self.tokens, "more run than there are tokens");
        assert_eq!(holders.len(), self.scheduler.running(), "the model knows who runs");
        assert_eq!(self.searches.len(), self.scheduler.len(), "no search is lost");
        let clocks = self.waiting[Class::Clock as usize];
        let others = self.waiting.iter().sum::<usize>() - self.waiting[Class::Help as usize];
        let lower = holders.iter().any(|&class| class != Class::Clock);
        let helper = holders.contains(&Class::Help);
        for (index, unjust) in [clocks > 0 && lower, others > 0 && helper].into_iter().enumerate() {
            if unjust {
                let since = *self.preferred[index].get_or_insert(self.now);
                // Each search polls once within that time, and one that gave back its token gets
                // none.
                assert!(self.now - since <= POLL * 2, "who should go first waits ({index})");
            } else {
                self.preferred[index] = None;
            }
        }
    }

    pub(super) fn count(&self, is_one: impl Fn(&Seen) -> bool) -> usize {
        self.searches.values().filter(|seen| is_one(seen)).count()
    }

    pub(super) fn that(&self, is_one: impl Fn(&Seen) -> bool) -> Vec<JobId> {
        self.searches.iter().filter(|(_, seen)| is_one(seen)).map(|(&job, _)| job).collect()
    }
}
