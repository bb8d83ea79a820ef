//! What clients do without any plan.

use super::*;

const CLASSES: [Class; 8] = [
    Class::Clock,
    Class::Clock,
    Class::Reply,
    Class::Analysis,
    Class::Analysis,
    Class::Ponder,
    Class::Ponder,
    Class::Help,
];

impl World {
    /// So many steps in which everything happens; from the beginning about so many searches.
    pub(super) fn disturb(&mut self, steps: u64, crowd: u64) {
        for _ in 0..crowd {
            self.arrive_any();
        }
        for _ in 0..steps + self.random.below(steps) {
            match self.random.below(24) {
                0..=5 => self.arrive_any(),
                6..=8 => self.depart_any(),
                9..=10 => self.hit(),
                11..=12 => self.reclass_any(),
                13..=14 => self.hold_any(),
                15..=17 => self.resume_any(),
                18 if self.random.below(20) == 0 => {
                    let time = Duration::from_millis(self.random.below(60_000));
                    self.jump(time);
                }
                _ => {}
            }
            self.pass(20_000);
        }
    }

    fn arrive_any(&mut self) {
        // Some have several searches, or had one before.
        let owner =
            if self.random.below(4) == 0 { self.random.below(self.names + 1) } else { self.names + 1 };
        let claim = self.any_claim();
        let source = self.any_source(owner);
        self.arrive_from(source, owner, claim);
    }

    /// An owner is always of the same source, every other one of one that has several.
    fn any_source(&mut self, owner: u64) -> Source {
        if owner.is_multiple_of(2) {
            return Source::of(owner);
        }
        let number = owner / 2 % 7;
        // As after a reload.
        let weight = 1 + u32::try_from(number + self.random.below(2)).expect("it is small");
        Source { id: u64::MAX - number, weight }
    }

    pub(super) fn any_claim(&mut self) -> Claim {
        let class = CLASSES[self.random.below(8) as usize];
        self.claim(class)
    }

    pub(super) fn claim(&mut self, class: Class) -> Claim {
        let optimum = Duration::from_millis(self.random.below(5000));
        let timed = class == Class::Clock && self.random.below(10) > 0;
        Claim { class, pace: timed.then_some(Pace { since: self.start + self.now, optimum }) }
    }

    pub(super) fn any(&mut self) -> Option<JobId> {
        let count = self.searches.len() as u64;
        if count == 0 {
            return None;
        }
        let index = self.random.below(count) as usize;
        self.searches.keys().nth(index).copied()
    }

    pub(super) fn depart_any(&mut self) {
        let Some(job) = self.any() else { return };
        self.depart(job);
    }

    /// The opponent plays what was expected.
    fn hit(&mut self) {
        let ponders = self.that(|seen| seen.class == Class::Ponder);
        let index = self.random.below(ponders.len().max(1) as u64) as usize;
        let Some(&job) = ponders.get(index) else { return };
        let claim = self.claim(Class::Clock);
        self.reclass(job, claim);
    }

    fn reclass_any(&mut self) {
        let Some(job) = self.any() else { return };
        let claim = self.any_claim();
        self.reclass(job, claim);
    }

    fn hold_any(&mut self) {
        let Some(job) = self.any() else { return };
        self.hold(job);
    }

    /// Mostly one that is held; one that is not only gets other terms.
    fn resume_any(&mut self) {
        let held = self.that(|seen| seen.held);
        let index = self.random.below(held.len().max(1) as u64) as usize;
        let Some(job) = held.get(index).copied().or_else(|| self.any()) else { return };
        let claim = self.any_claim();
        self.resume(job, claim);
    }

    /// Lets at most so many microseconds pass.
    pub(super) fn pass(&mut self, at_most: u64) {
        let time = Duration::from_micros(self.random.below(at_most));
        self.poll_until(self.now + time);
    }
}
