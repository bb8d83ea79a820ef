//! Run time when many sessions share a source.

use super::shares::{SLICE, jain};
use super::*;
use std::collections::BTreeMap;

/// The source of all games of the crowd. Other owners have smaller numbers.
const CROWD: u64 = 1 << 40;

impl World {
    /// Sources of all weights with a few sessions each, all analysing: every share of a source gets
    /// the same, and is divided equally among its sessions.
    pub(super) fn share_by_source(&mut self) {
        let mut sources = BTreeMap::new();
        for id in 0..self.random.below(6) + 2 {
            let weight = 1 + self.random.below(6) as u32;
            let sessions = 1 + self.random.below(10);
            sources.insert(id, (weight, sessions));
        }
        let divisor = |&(weight, sessions): &(u32, u64)| u64::from(weight).min(sessions);
        // No search can use more than one token.
        let shares: u64 = sources.values().map(divisor).sum();
        self.shrink(shares as usize);
        for (&id, &(weight, sessions)) in &sources {
            for session in 0..sessions {
                self.admit_from(Source { id, weight }, id << 8 | session, SearchParams::of(Class::Analysis));
            }
        }
        let count = self.searches.len() as u32;
        self.poll_until(self.now + SLICE * 10 * count);
        let had = self.shares_of(SLICE * 80 * count, SLICE * 12 * count);
        let of = |source: u64| had.iter().filter(move |&(owner, _)| owner >> 8 == source);
        let share = |(&id, source): (&u64, &(u32, u64))| {
            of(id).map(|(_, had)| had.as_secs_f64()).sum::<f64>() / divisor(source) as f64
        };
        let index = jain(sources.iter().map(share));
        assert!(index > 0.99, "Jain's index of the shares is {index}: {sources:?}, {had:?}");
        for &id in sources.keys() {
            let index = jain(of(id).map(|(_, had)| had.as_secs_f64()));
            assert!(index > 0.97, "Jain's index in a source is {index}: {had:?}");
        }
    }

    /// Fast games, all of one source or each of its own, beside one game that thinks for a second
    /// at a time. Returns the fraction of that time during which the latter holds a token.
    pub(super) fn play_beside_a_crowd(&mut self, games: u64, weight: Option<u32>) -> f64 {
        let source = |owner| weight.map_or(Source::of(owner), |weight| Source { id: CROWD, weight });
        let optimum = |owner: u64| Duration::from_millis(100 + 20 * (owner % 8));
        let bystander = CROWD - 1;
        let long = Duration::from_secs(1);
        let mut ends = BTreeMap::new();
        let (mut thought, mut ran) = (Duration::ZERO, Duration::ZERO);
        while self.now < Duration::from_secs(8) {
            for owner in (0..games).chain([bystander]) {
                let (job, at) = ends.get(&owner).copied().unwrap_or((None, Duration::ZERO));
                if self.now < at {
                    continue;
                }
                if let Some(job) = job {
                    self.remove(job);
                }
                let (optimum, source) = if owner == bystander {
                    (long, Source::of(owner))
                } else {
                    (optimum(owner), source(owner))
                };
                if owner == bystander {
                    let before = self.ran.get(&owner).copied().unwrap_or_default();
                    thought += if job.is_some() { long } else { Duration::ZERO };
                    // Every other second its opponent thinks.
                    if job.is_some() {
                        ran = before;
                        ends.insert(owner, (None, self.now + long));
                        continue;
                    }
                }
                let urgency = Some(Urgency { since: self.start + self.now, optimum });
                let job = self.admit_from(
                    source,
                    owner,
                    SearchParams { class: Class::Clock, urgency, coarse: false },
                );
                assert!(job.is_some(), "there is room");
                ends.insert(owner, (job, self.now + optimum));
            }
            self.poll_until(self.now + Duration::from_millis(1));
        }
        ran.as_secs_f64() / thought.as_secs_f64()
    }

    /// Reduces the number of tokens.
    fn shrink(&mut self, tokens: usize) {
        assert!(self.searches.is_empty());
        self.tokens = self.tokens.min(tokens);
        self.scheduler = Scheduler::new(self.tokens, self.limit);
    }
}
