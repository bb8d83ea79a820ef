//! What is true of the scheduler at all times.

use super::lane::Track;
use super::{Class, Job, Scheduler, State};
use std::collections::HashSet;

impl Scheduler {
    /// Panics if the scheduler contradicts itself. Called after every change in debug builds.
    pub fn check_invariants(&self) {
        assert!(self.running.len() <= self.tokens, "more searches run than there are tokens");
        self.check_places();
        self.check_counts();
        self.check_tokens();
        self.check_accounts();
    }

    fn check_accounts(&self) {
        for track in Track::ALL {
            let of = |entry: &Job| entry.track() == track;
            let lane = &self.lanes[track as usize];
            lane.check_accounts([
                self.count(|entry| of(entry) && entry.in_line()),
                self.count(|entry| of(entry) && entry.state != State::Waiting),
                self.count(of),
            ]);
        }
        let sources: HashSet<u64> = self.jobs.values().map(|entry| entry.source.id).collect();
        assert_eq!(sources.len(), self.admission.sources(), "sources are known that have a search");
    }

    fn check_places(&self) {
        for (job, entry) in &self.jobs {
            let in_line = self.lanes[entry.track() as usize].line.contains(*job, entry);
            assert_eq!(
                in_line,
                entry.in_line(),
                "{job:?} is in a line exactly while it waits and is not held"
            );
            let runs = self.running.contains(job);
            assert_eq!(runs, entry.state != State::Waiting, "{job:?} waits or runs");
            assert!(
                !entry.held || !runs || entry.is_asked(),
                "{job:?} is held and was not asked for its token"
            );
        }
        let waiting = self.count(Job::in_line);
        let aside = self.count(|entry| entry.held && entry.state == State::Waiting);
        assert_eq!(waiting + aside + self.running.len(), self.jobs.len(), "nobody is lost");
        let in_lines: usize = Track::ALL.iter().map(|&track| self.waiting(track)).sum();
        assert_eq!(waiting, in_lines, "lines hold known searches only");
    }

    fn check_counts(&self) {
        for class in Class::ALL {
            let count = self.count(|entry| entry.class == class);
            assert_eq!(count, self.counts[class as usize], "searches are counted by class");
            let admitted = self.count(|entry| entry.admitted == class);
            assert_eq!((admitted, admitted), self.admission.counted(class), "admitted searches are counted");
        }
        assert_eq!(self.count(|entry| entry.started), self.started, "started searches are counted");
    }

    fn check_tokens(&self) {
        let waiting = Track::ALL.map(|track| self.waiting(track));
        let anybody: usize = waiting[..Track::Help as usize].iter().sum();
        let nobody = anybody == 0 && waiting[Track::Help as usize] == 0;
        assert!(nobody || self.running.len() == self.tokens, "a token lies idle");
        let runs = |entry: &Job| entry.state != State::Waiting;
        let asked = self.count(Job::is_asked);
        let others = self.count(|entry| runs(entry) && entry.class != Class::Clock);
        assert!(
            asked >= waiting[Track::Clock as usize].min(others),
            "a clock search waits and another was not asked for its token"
        );
        let helpers = self.count(|entry| runs(entry) && entry.class == Class::Help);
        assert!(asked >= anybody.min(helpers), "somebody waits and a helper was not asked for its token");
    }

    fn waiting(&self, track: Track) -> usize {
        self.lanes[track as usize].line.len()
    }

    fn count(&self, is_one: impl Fn(&Job) -> bool) -> usize {
        self.jobs.values().filter(|entry| is_one(entry)).count()
    }
}
