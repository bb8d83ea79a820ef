//! Invariants of the scheduler.

use super::class_queue::QueueKind;
use super::{Class, EntryState, Scheduler, SearchEntry};
use std::collections::HashSet;

impl Scheduler {
    /// Panics if an invariant is violated. Called after every change in debug builds.
    pub fn check_invariants(&self) {
        assert!(self.running.len() <= self.tokens, "more searches run than there are tokens");
        self.check_keys();
        self.check_counts();
        self.check_tokens();
        self.check_usage();
    }

    fn check_usage(&self) {
        for kind in QueueKind::ALL {
            let of = |entry: &SearchEntry| entry.kind() == kind;
            let queue = &self.queues[kind as usize];
            queue.check_usage([
                self.count(|entry| of(entry) && entry.is_waiting()),
                self.count(|entry| of(entry) && entry.state != EntryState::Waiting),
                self.count(of),
            ]);
        }
        let sources: HashSet<u64> = self.jobs.values().map(|entry| entry.source.id).collect();
        assert_eq!(sources.len(), self.admission.sources(), "sources are known that have a search");
    }

    fn check_keys(&self) {
        for (job, entry) in &self.jobs {
            let is_waiting = self.queues[entry.kind() as usize].waiting.contains(*job, entry);
            assert_eq!(
                is_waiting,
                entry.is_waiting(),
                "{job:?} is in a wait queue exactly while it waits and is not held"
            );
            let runs = self.running.contains(job);
            assert_eq!(runs, entry.state != EntryState::Waiting, "{job:?} waits or runs");
            assert!(!entry.held || !runs || entry.is_revoked(), "{job:?} is held and keeps its token");
        }
        let waiting = self.count(SearchEntry::is_waiting);
        let aside = self.count(|entry| entry.held && entry.state == EntryState::Waiting);
        assert_eq!(waiting + aside + self.running.len(), self.jobs.len(), "no search is lost");
        let in_queues: usize = QueueKind::ALL.iter().map(|&kind| self.waiting(kind)).sum();
        assert_eq!(waiting, in_queues, "wait queues hold known searches only");
    }

    fn check_counts(&self) {
        let (mut waiting, mut running) = ([0; Class::ALL.len()], [0; Class::ALL.len()]);
        for entry in self.jobs.values() {
            waiting[entry.class as usize] += usize::from(entry.is_waiting());
            running[entry.class as usize] += usize::from(entry.state != EntryState::Waiting);
        }
        assert_eq!(waiting, self.waiting_by_class, "waiting searches are counted by class");
        assert_eq!(running, self.running_by_class, "running searches are counted by class");
        for class in Class::ALL {
            let count = self.count(|entry| entry.class == class);
            assert_eq!(count, self.counts[class as usize], "searches are counted by class");
            let admitted = self.count(|entry| entry.admitted == class);
            assert_eq!((admitted, admitted), self.admission.counted(class), "admitted searches are counted");
        }
        assert_eq!(self.count(|entry| entry.started), self.started, "started searches are counted");
    }

    fn check_tokens(&self) {
        let waiting = QueueKind::ALL.map(|kind| self.waiting(kind));
        let wanted: usize = waiting[..QueueKind::Help as usize].iter().sum();
        let none = wanted == 0 && waiting[QueueKind::Help as usize] == 0;
        assert!(none || self.running.len() == self.tokens, "a token lies idle");
        let runs = |entry: &SearchEntry| entry.state != EntryState::Waiting;
        let revoked = self.count(SearchEntry::is_revoked);
        let others = self.count(|entry| runs(entry) && entry.class != Class::Clock);
        assert!(
            revoked >= waiting[QueueKind::Clock as usize].min(others),
            "a clock search waits and another one keeps its token"
        );
        let helpers = self.count(|entry| runs(entry) && entry.class == Class::Help);
        assert!(revoked >= wanted.min(helpers), "a search waits and a helper keeps its token");
    }

    fn waiting(&self, kind: QueueKind) -> usize {
        self.queues[kind as usize].waiting.len()
    }

    fn count(&self, is_one: impl Fn(&SearchEntry) -> bool) -> usize {
        self.jobs.values().filter(|entry| is_one(entry)).count()
    }
}
