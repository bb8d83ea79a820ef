//! Reports of searches that no session has read yet.
//!
//! Searching threads put reports in, the event loop takes them out. A slow reader must not make the
//! mailbox grow: for each search it keeps only the newest line of each depth and line number, the
//! newest order of those lines, the newest answer of a player of kriegspiel, each notice once, the
//! newest progress, the newest warm part, and of a count of leaves one number for each first move.
//! The end of a search is never lost.

use super::JobId;
use crate::chess::Move;
use crate::kriegspiel::Proposal;
use crate::search::{Done, Info, Progress, Report};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Event of a search, for its session.
#[derive(Clone, Debug)]
pub enum SearchEvent {
    /// A report of the running search.
    Report(Report),
    /// The number of leaves below a first move ([`super::Task::Perft`]).
    Leaves(Move, u64),
    /// The attempts of the kriegspiel player; replaces an earlier proposal.
    Attempts(Box<Proposal>),
    /// The warm part of the running search ([`Report::Warm`]). It concerns the link, not the
    /// session.
    Warm(Box<[u8]>),
    /// The search has ended by itself (a limit, or nothing more to find) or was stopped.
    Done(Done),
    /// The search was refused. No further event follows.
    Refused(Shortage),
    /// The search has panicked (which is logged) and has no result. No further event follows.
    Failed,
}

impl From<Report> for SearchEvent {
    fn from(report: Report) -> SearchEvent {
        match report {
            Report::Warm(bytes) => SearchEvent::Warm(bytes),
            report => SearchEvent::Report(report),
        }
    }
}

impl SearchEvent {
    /// Returns the event with the nodes of helper threads added.
    pub(super) fn with_more(mut self, more: u64) -> SearchEvent {
        match &mut self {
            SearchEvent::Report(Report::Info(Info { nodes, .. }))
            | SearchEvent::Report(Report::Progress(Progress { nodes, .. }))
            | SearchEvent::Done(Done { nodes, .. }) => *nodes = nodes.saturating_add(more),
            SearchEvent::Report(_) | SearchEvent::Leaves(..) | SearchEvent::Attempts(_) => {}
            SearchEvent::Warm(_) | SearchEvent::Refused(_) | SearchEvent::Failed => {}
        }
        self
    }

    /// Rank among the unread events of its search.
    fn rank(&self) -> u8 {
        match self {
            SearchEvent::Report(Report::Notice(_)) => 0,
            SearchEvent::Report(Report::Known(_)) => 1,
            SearchEvent::Report(Report::Info(_)) => 2,
            SearchEvent::Attempts(_) => 3,
            SearchEvent::Report(Report::Progress(_)) => 4,
            SearchEvent::Report(Report::SavingDrops(_)) => 5,
            SearchEvent::Leaves(..) => 6,
            SearchEvent::Report(Report::Warm(_)) | SearchEvent::Warm(_) => 7,
            SearchEvent::Done(_) | SearchEvent::Refused(_) | SearchEvent::Failed => 8,
        }
    }

    /// Returns true if an unread older event need not be read.
    fn replaces(&self, older: &SearchEvent) -> bool {
        let place = |info: &Info| (info.depth, info.line, info.again);
        match (self, older) {
            (SearchEvent::Report(Report::Info(new)), SearchEvent::Report(Report::Info(old))) => {
                place(new) == place(old)
            }
            (SearchEvent::Report(Report::Notice(new)), SearchEvent::Report(Report::Notice(old))) => {
                new == old
            }
            (SearchEvent::Leaves(new, _), SearchEvent::Leaves(old, _)) => new == old,
            (new, old) => new.rank() == old.rank(),
        }
    }
}

/// Resource that is exhausted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shortage {
    /// The limit of searches of its class.
    Searches(usize),
    /// The system starts no more threads.
    Threads,
    /// The limit of searches of the session's user.
    OfUser(usize),
}

/// Reports and results on their way from searches to sessions.
pub struct Mailbox {
    unread: Mutex<Unread>,
    wake: Box<dyn Fn() + Send + Sync>,
}

#[derive(Default)]
struct Unread {
    /// Searches with something to report, in the order of their first report.
    order: Vec<JobId>,
    by_job: HashMap<JobId, Vec<SearchEvent>>,
}

impl Mailbox {
    /// An empty mailbox. `wake` is called on a searching thread whenever the mailbox stops being
    /// empty; it must be quick and must not use the mailbox.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Mailbox {
        Mailbox { unread: Mutex::default(), wake: Box::new(wake) }
    }

    /// Moves everything to `events`; the events of one search keep their order.
    pub fn take(&self, events: &mut Vec<(JobId, SearchEvent)>) {
        let Unread { order, mut by_job } = std::mem::take(&mut *self.lock());
        for job in order {
            let mut unread = by_job.remove(&job).unwrap_or_default();
            unread.sort_by_key(SearchEvent::rank);
            events.extend(unread.into_iter().map(|event| (job, event)));
        }
    }

    /// Whether the mailbox is empty.
    pub fn is_empty(&self) -> bool {
        self.lock().order.is_empty()
    }

    /// Puts an event in, in place of an outdated one.
    pub(super) fn put(&self, job: JobId, event: SearchEvent) {
        let mut unread = self.lock();
        let was_empty = unread.order.is_empty();
        if !unread.by_job.contains_key(&job) {
            unread.order.push(job);
        }
        let events = unread.by_job.entry(job).or_default();
        events.retain(|older| !event.replaces(older));
        events.push(event);
        drop(unread);
        if was_empty {
            (self.wake)();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Unread> {
        self.unread.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::SearchId;
    use crate::pool::tests::variation;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    const JOB: JobId = JobId { owner: 1, search: SearchId(1) };

    fn info(depth: u8, line: u8, nodes: u64) -> Info {
        Info { line, nodes, ..variation(1, 0, depth) }
    }

    fn report(mailbox: &Mailbox, info: Info) {
        mailbox.put(JOB, Report::Info(info).into());
    }

    #[test]
    fn an_unread_mailbox_stays_small_and_keeps_the_end() {
        let wakes = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&wakes);
        let mailbox = Mailbox::new(move || {
            counter.fetch_add(1, Ordering::Relaxed);
        });
        for round in 0..1000 {
            for depth in 1..=5 {
                for line in 1..=2 {
                    report(&mailbox, info(depth, line, round));
                }
            }
        }
        mailbox.put(JOB, SearchEvent::Done(Done::without_move(5, 7, Duration::ZERO)));
        assert_eq!(wakes.load(Ordering::Relaxed), 1);

        let mut events = Vec::new();
        mailbox.take(&mut events);
        assert_eq!(events.len(), 11);
        let newest = |event: &SearchEvent| match event {
            SearchEvent::Report(Report::Info(info)) => info.nodes == 999,
            _ => false,
        };
        assert!(events[..10].iter().all(|(_, event)| newest(event)));
        assert!(matches!(events[10].1, SearchEvent::Done(Done { nodes: 7, .. })));

        report(&mailbox, info(1, 1, 0));
        assert_eq!(wakes.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn a_new_order_does_not_replace_what_it_is_about() {
        let mailbox = Mailbox::new(|| ());
        let again = |line, nodes| Info { again: true, ..info(5, line, nodes) };
        let infos = [info(5, 1, 10), info(5, 2, 20), again(1, 20), again(2, 10)];
        infos.into_iter().for_each(|info| report(&mailbox, info));
        let mut events = Vec::new();
        mailbox.take(&mut events);
        let said = events.iter().filter_map(|(_, event)| match event {
            SearchEvent::Report(Report::Info(info)) => Some((info.line, info.nodes, info.again)),
            _ => None,
        });
        let expected = [(1, 10, false), (2, 20, false), (1, 20, true), (2, 10, true)];
        assert_eq!(said.collect::<Vec<_>>(), expected);
    }
}
