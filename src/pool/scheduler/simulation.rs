//! Seeded runs of the scheduler against an adversary, with a model of its own beside it.
//!
//! `FARBOARD_SEED=n cargo test simulation` replays one seed.

use super::*;
use crate::pool::SearchId;
use std::collections::{BTreeMap, BTreeSet};

const SEEDS: u64 = 256;
const SLICE: Duration = Duration::from_millis(10);
/// The longest a search takes from one poll to the next.
const POLL: Duration = Duration::from_micros(1500);

/// Splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// What the outside knows of a search.
#[derive(Clone, Copy)]
struct Seen {
    class: Class,
    holds: Option<Holding>,
    ran: Duration,
    granted: bool,
    /// Since when it waits.
    waits: Duration,
}

#[derive(Clone, Copy)]
struct Holding {
    since: Duration,
    until: Duration,
    next_poll: Duration,
    revoked: bool,
}

struct World {
    random: Random,
    tokens: usize,
    limit: usize,
    scheduler: Scheduler,
    start: Instant,
    now: Duration,
    searches: BTreeMap<JobId, Seen>,
    names: u64,
    /// Since when a clock search has waited although an analysis holds a token.
    preferred: Option<Duration>,
    trace: Vec<String>,
}

impl World {
    fn new(seed: u64) -> World {
        let mut random = Random(seed);
        let tokens = 1 + random.below(4) as usize;
        let limit = tokens + random.below(12) as usize;
        World {
            tokens,
            limit,
            scheduler: Scheduler::new(tokens, limit, SLICE),
            start: Instant::now(),
            now: Duration::ZERO,
            searches: BTreeMap::new(),
            names: 0,
            preferred: None,
            trace: Vec::new(),
            random,
        }
    }

    fn tell(&mut self, tell: impl FnOnce(&mut Scheduler, Instant, &mut Vec<Order>)) {
        let mut orders = Vec::new();
        tell(&mut self.scheduler, self.start + self.now, &mut orders);
        for order in orders {
            self.obey(order);
        }
        self.check();
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Grant { job, until, first } => {
                let until = until - self.start;
                self.trace.push(format!("{:?} grant {} until {until:?}", self.now, job.owner));
                let next_poll = self.now + self.poll_time();
                let seen = self.searches.get_mut(&job).expect("a grant is for a search that is there");
                assert!(seen.holds.is_none(), "granted twice");
                assert_eq!(first, !seen.granted, "the first grant is marked");
                seen.granted = true;
                seen.holds = Some(Holding { since: self.now, until, next_poll, revoked: false });
            }
            Order::Revoke { job } => {
                self.trace.push(format!("{:?} revoke {}", self.now, job.owner));
                let seen = self.searches.get_mut(&job).expect("a revocation is for a search that is there");
                let holding = seen.holds.as_mut().expect("only who holds a token can be asked for it");
                assert!(!holding.revoked, "asked twice");
                holding.revoked = true;
            }
        }
    }

    fn poll_time(&mut self) -> Duration {
        Duration::from_micros(200 + self.random.below(POLL.as_micros() as u64 - 200))
    }

    fn arrive(&mut self, class: Class) {
        self.names += 1;
        let job = JobId { owner: self.names, search: SearchId(1) };
        let seen = Seen { class, holds: None, ran: Duration::ZERO, granted: false, waits: self.now };
        self.searches.insert(job, seen);
        let deadline = self.deadline(class);
        self.tell(|scheduler, now, orders| {
            assert!(scheduler.arrive(job, class, deadline, now, orders));
        });
    }

    fn deadline(&mut self, class: Class) -> Option<Instant> {
        let at = self.start + self.now + Duration::from_millis(self.random.below(5000));
        (class == Class::Clock && self.random.below(10) > 0).then_some(at)
    }

    fn any(&mut self) -> Option<JobId> {
        let count = self.searches.len() as u64;
        if count == 0 {
            return None;
        }
        let index = self.random.below(count) as usize;
        self.searches.keys().nth(index).copied()
    }

    fn depart(&mut self) {
        let Some(job) = self.any() else { return };
        self.searches.remove(&job);
        self.tell(|scheduler, now, orders| scheduler.depart(job, now, orders));
    }

    fn reclass(&mut self) {
        let Some(job) = self.any() else { return };
        let class = if self.random.below(2) == 0 { Class::Clock } else { Class::Analysis };
        let deadline = self.deadline(class);
        if let Some(seen) = self.searches.get_mut(&job) {
            seen.class = class;
        }
        self.tell(|scheduler, now, orders| scheduler.reclass(job, class, deadline, now, orders));
    }

    /// Lets time pass until the next poll of a search that holds a token, and polls.
    fn poll(&mut self, at_most: Duration) {
        let due = |seen: &Seen| seen.holds.map(|holding| holding.next_poll);
        let next = self.searches.iter().filter_map(|(&job, seen)| Some((due(seen)?, job))).min();
        let Some((at, job)) = next.filter(|&(at, _)| at <= at_most) else {
            self.now = at_most;
            return;
        };
        self.now = at;
        let pause = self.poll_time();
        let seen = self.searches.get_mut(&job).expect("just found");
        let holding = seen.holds.as_mut().expect("just found");
        if holding.revoked || self.now >= holding.until {
            seen.ran += self.now - holding.since;
            seen.holds = None;
            seen.waits = self.now;
            self.tell(|scheduler, now, orders| scheduler.give_back(job, now, orders));
        } else {
            holding.next_poll = self.now + pause;
        }
    }

    fn check(&mut self) {
        let holds = |class| {
            self.searches.values().filter(move |seen| seen.class == class && seen.holds.is_some()).count()
        };
        let (clocks, analyses) = (holds(Class::Clock), holds(Class::Analysis));
        assert!(clocks + analyses <= self.tokens, "more run than there are tokens");
        assert_eq!(clocks + analyses, self.scheduler.running(), "the model knows who runs");
        let started =
            self.searches.values().filter(|seen| seen.class == Class::Clock && seen.granted).count();
        let kept = |seen: &&Seen| seen.class == Class::Clock && seen.holds.is_none();
        let clock_waits =
            self.searches.values().filter(kept).any(|seen| seen.granted || started < self.limit);
        if clock_waits && analyses > 0 {
            let since = *self.preferred.get_or_insert(self.now);
            // Each analysis polls once within that time, and one that gave its token gets none.
            assert!(self.now - since <= POLL * 2, "an analysis runs while a clock search waits");
        } else {
            self.preferred = None;
        }
    }

    fn play(&mut self) {
        let steps = 200 + self.random.below(200);
        for _ in 0..steps {
            match self.random.below(16) {
                0..=2 => self.arrive(Class::Analysis),
                3..=4 => self.arrive(Class::Clock),
                5..=7 => self.depart(),
                8 => self.reclass(),
                _ => {}
            }
            let until = self.now + Duration::from_micros(self.random.below(20_000));
            while self.now < until {
                self.poll(until);
            }
        }
        self.share_fairly();
    }

    /// Without clock searches and with as many analyses as may be started, everyone has the same.
    fn share_fairly(&mut self) {
        let clocks: Vec<JobId> = self.of_class(Class::Clock).into_iter().collect();
        for job in clocks {
            self.searches.remove(&job);
            self.tell(|scheduler, now, orders| scheduler.depart(job, now, orders));
        }
        while self.searches.len() > self.limit {
            self.depart();
        }
        while self.searches.len() < self.tokens + 2 && self.searches.len() < self.limit {
            self.arrive(Class::Analysis);
        }
        let before: BTreeMap<JobId, Duration> =
            self.searches.iter().map(|(&job, seen)| (job, seen.ran)).collect();
        let (from, count) = (self.now, self.searches.len() as u32);
        let longest_wait = SLICE * 3 * count;
        let until = from + SLICE * 100 * count;
        while self.now < until {
            self.poll(until);
            for (job, seen) in &self.searches {
                let waited = self.now.saturating_sub(seen.waits.max(from));
                assert!(seen.holds.is_some() || waited <= longest_wait, "{job:?} starves");
            }
        }
        let shares: Vec<f64> =
            self.searches.iter().map(|(job, seen)| (seen.ran - before[job]).as_secs_f64()).collect();
        let (sum, squares) = shares.iter().fold((0.0, 0.0), |(a, b), x| (a + x, b + x * x));
        let fairness = sum * sum / (shares.len() as f64 * squares);
        assert!(fairness > 0.99, "Jain's index is {fairness}: {shares:?}");
    }

    fn of_class(&self, class: Class) -> BTreeSet<JobId> {
        self.searches.iter().filter(|(_, seen)| seen.class == class).map(|(&job, _)| job).collect()
    }
}

#[test]
fn no_token_is_lost_and_nobody_starves() {
    let seeds = match std::env::var("FARBOARD_SEED").ok().and_then(|seed| seed.parse().ok()) {
        Some(seed) => seed..seed + 1,
        None => 0..SEEDS,
    };
    for seed in seeds {
        let run = std::panic::catch_unwind(|| World::new(seed).play());
        if let Err(panic) = run {
            eprintln!("the scheduler fails; FARBOARD_SEED={seed} replays it");
            std::panic::resume_unwind(panic);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    let trace = |seed| {
        let mut world = World::new(seed);
        world.play();
        world.trace
    };
    let first = trace(7);
    assert!(first.len() > 100);
    assert_eq!(first, trace(7));
    assert_ne!(first, trace(8));
}
