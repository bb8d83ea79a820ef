//! Random events of clients.

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
    /// Runs `steps` random events, with about `crowd` searches from the beginning.
    pub(super) fn disturb(&mut self, steps: u64, crowd: u64) {
        for _ in 0..crowd {
            self.admit_any();
        }
        for _ in 0..steps + self.random.below(steps) {
            match self.random.below(24) {
                0..=5 => self.admit_any(),
                6..=8 => self.remove_any(),
                9..=10 => self.hit(),
                11..=12 => self.set_params_of_any(),
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

    fn admit_any(&mut self) {
        // Some owners have several searches, or had one before.
        let owner =
            if self.random.below(4) == 0 { self.random.below(self.names + 1) } else { self.names + 1 };
        let params = self.any_params();
        let source = self.any_source(owner);
        self.admit_from(source, owner, params);
    }

    /// An owner always has the same source; every other owner shares its source.
    fn any_source(&mut self, owner: u64) -> Source {
        if owner.is_multiple_of(2) {
            return Source::of(owner);
        }
        let number = owner / 2 % 7;
        // As after a reload.
        let weight = 1 + u32::try_from(number + self.random.below(2)).expect("it is small");
        Source { id: u64::MAX - number, weight }
    }

    pub(super) fn any_params(&mut self) -> SearchParams {
        let class = CLASSES[self.random.below(8) as usize];
        self.params(class)
    }

    pub(super) fn params(&mut self, class: Class) -> SearchParams {
        let optimum = Duration::from_millis(self.random.below(5000));
        let timed = class == Class::Clock && self.random.below(10) > 0;
        let urgency = timed.then_some(Urgency { since: self.start + self.now, optimum });
        SearchParams { class, urgency, coarse: self.coarse && self.random.below(2) == 0 }
    }

    pub(super) fn any(&mut self) -> Option<JobId> {
        let count = self.searches.len() as u64;
        if count == 0 {
            return None;
        }
        let index = self.random.below(count) as usize;
        self.searches.keys().nth(index).copied()
    }

    pub(super) fn remove_any(&mut self) {
        let Some(job) = self.any() else { return };
        self.remove(job);
    }

    /// The opponent plays the expected move.
    fn hit(&mut self) {
        let ponders = self.that(|seen| seen.class == Class::Ponder);
        let index = self.random.below(ponders.len().max(1) as u64) as usize;
        let Some(&job) = ponders.get(index) else { return };
        let params = self.params(Class::Clock);
        self.set_params(job, params);
    }

    fn set_params_of_any(&mut self) {
        let Some(job) = self.any() else { return };
        let params = self.any_params();
        self.set_params(job, params);
    }

    fn hold_any(&mut self) {
        let Some(job) = self.any() else { return };
        self.hold(job);
    }

    /// Resumes mostly a held search; one that is not held only gets new parameters.
    fn resume_any(&mut self) {
        let held = self.that(|seen| seen.held);
        let index = self.random.below(held.len().max(1) as u64) as usize;
        let Some(job) = held.get(index).copied().or_else(|| self.any()) else { return };
        let params = self.any_params();
        self.resume(job, params);
    }

    /// Lets up to `at_most` microseconds pass.
    pub(super) fn pass(&mut self, at_most: u64) {
        let time = Duration::from_micros(self.random.below(at_most));
        self.poll_until(self.now + time);
    }
}
