//! Admission control: the number of searches is limited, since each takes a thread and memory.
//!
//! Each class has a limit, and a source may hold at most its weight times the slots still free (A.
//! K. Choudhury, E. L. Hahne, "Dynamic queue length thresholds for shared-memory packet switches",
//! IEEE/ACM Transactions on Networking 6, 1998). A greedy source gets half of the slots; k greedy
//! sources leave one part in k + 1 free. Modest sources are never refused before the class is full.

use super::Refusal;
use crate::pool::{Class, Source};
use std::collections::HashMap;

type Counts = [usize; Class::ALL.len()];

/// The number of admitted searches, by class and source.
pub(super) struct Admission {
    /// Maximum number of searches of each class.
    limit: usize,
    /// Maximum number of helpers of one search.
    helpers: usize,
    all: Counts,
    by_source: HashMap<u64, Counts>,
}

impl Admission {
    /// Admits at most `limit` searches of each class; one search may have `helpers` helpers.
    pub(super) fn new(limit: usize, helpers: usize) -> Admission {
        Admission { limit, helpers, all: Counts::default(), by_source: HashMap::new() }
    }

    /// Counts a search in, unless its class is full or its source has too many.
    pub(super) fn enter(&mut self, source: Source, class: Class) -> Result<(), Refusal> {
        let all = &mut self.all[class as usize];
        let free = self.limit.saturating_sub(*all);
        if free == 0 {
            return Err(Refusal::Full(*all));
        }
        let own = self.by_source.entry(source.id).or_default();
        let most = free.saturating_mul(source.weight.max(1) as usize);
        // Helpers of one search come all at once.
        let most = if class == Class::Help { most.max(self.helpers) } else { most };
        if own[class as usize] >= most {
            return Err(Refusal::Share(*all));
        }
        own[class as usize] += 1;
        *all += 1;
        Ok(())
    }

    /// Counts out a search that was admitted as `class`.
    pub(super) fn leave(&mut self, source: Source, class: Class) {
        self.all[class as usize] -= 1;
        if let Some(own) = self.by_source.get_mut(&source.id) {
            own[class as usize] -= 1;
            if own.iter().all(|&count| count == 0) {
                self.by_source.remove(&source.id);
            }
        }
    }

    /// Admitted searches of a class: the total, and the sum over the known sources.
    pub(super) fn counted(&self, class: Class) -> (usize, usize) {
        (self.all[class as usize], self.by_source.values().map(|own| own[class as usize]).sum())
    }

    /// Sources that have a search.
    pub(super) fn sources(&self) -> usize {
        self.by_source.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(id: u64, weight: u32) -> Source {
        Source { id, weight }
    }

    /// Admits searches until one is refused; returns how many.
    fn fill(admission: &mut Admission, source: Source, class: Class) -> usize {
        (0..).take_while(|_| admission.enter(source, class).is_ok()).count()
    }

    #[test]
    fn who_takes_all_it_can_get_leaves_half_and_two_of_them_a_third() {
        let mut admission = Admission::new(64, 0);
        assert_eq!(fill(&mut admission, source(1, 1), Class::Clock), 32);
        assert_eq!(fill(&mut admission, source(2, 1), Class::Clock), 16);
        for _ in 0..11 {
            admission.leave(source(1, 1), Class::Clock);
        }
        fill(&mut admission, source(2, 1), Class::Clock);
        fill(&mut admission, source(1, 1), Class::Clock);
        let (all, _) = admission.counted(Class::Clock);
        assert!((42..=43).contains(&all), "{all} of 64");
        assert_eq!(fill(&mut admission, source(1, 1), Class::Analysis), 32, "each class for itself");
    }

    #[test]
    fn those_who_are_alone_are_admitted_until_it_is_full() {
        let mut admission = Admission::new(64, 0);
        assert!((1..=64).all(|owner| admission.enter(Source::of(owner), Class::Reply).is_ok()));
        assert_eq!(admission.enter(Source::of(65), Class::Reply), Err(Refusal::Full(64)));
        admission.leave(Source::of(9), Class::Reply);
        assert_eq!(admission.enter(Source::of(65), Class::Reply), Ok(()));
    }

    #[test]
    fn a_weight_is_so_many_parts() {
        let mut admission = Admission::new(63, 0);
        assert_eq!(fill(&mut admission, source(1, 20), Class::Clock), 60);
        assert_eq!(admission.enter(source(1, 20), Class::Clock), Err(Refusal::Share(60)));
        assert_eq!(fill(&mut admission, source(2, 0), Class::Clock), 2, "no weight is that of a session");
    }

    #[test]
    fn one_search_has_all_its_helpers() {
        let mut admission = Admission::new(8, 7);
        assert_eq!(fill(&mut admission, source(1, 1), Class::Help), 7);
    }

    #[test]
    fn nothing_is_left_of_those_who_have_gone() {
        let mut admission = Admission::new(8, 0);
        for owner in 0..1000 {
            assert_eq!(admission.enter(Source::of(owner), Class::Clock), Ok(()));
            admission.leave(Source::of(owner), Class::Clock);
        }
        assert_eq!((admission.sources(), admission.counted(Class::Clock)), (0, (0, 0)));
    }
}
