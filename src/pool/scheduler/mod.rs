//! Which search runs next: a pure value, `(event, now) → decisions`. No thread, no clock, no lock.
//!
//! There are N run tokens. A search runs while it holds a token. The scheduler grants a token for a
//! slice of time and takes it back only when the search polls, so every answer is a [`Decision`]
//! that the pool carries out.
//!
//! * *Clock* comes first: when such a search waits, the token of another class is revoked at once.
//!   Among searches with a clock, the one that has waited longest relative to its time goes first
//!   ([`Urgency`]). If there is too little time for all, every game is slowed down by the same
//!   factor, whatever its time control.
//! * *Reply* and the background (*analysis* and *ponder*) share what clocks leave, three to one
//!   while both want it. A client waits for a reply, but a reply may be a hundred plies deep and
//!   must not stop all analyses.
//! * Within the background and within the replies, all have equal shares of virtual run time, where
//!   pondering costs four times as much as an analysis.
//! * *Help* gets tokens that no other search wants.
//! * A search that has not run yet goes first in its queue, for a short slice: every move and every
//!   analysis has something to show soon. That slice is charged like any other.
//! * Shares belong to a [`Source`], one for each of its searches up to its weight, and are divided
//!   among its owners. Usage is remembered for a while after the last search, so restarting gains
//!   nothing. The same holds with a clock: a source that has used a second more than another, while
//!   both had searches, comes after it. For a source with more searches than shares, 20 ms suffice.
//! * At most `limit` searches of a class are admitted, since each needs a thread and memory, and
//!   fewer of one source ([`admission`]).
//! * A search whose suspension is costly (a hosted engine) gets longer slices, the longer the more
//!   it has run. Such a slice ends for a new search or a reply.
//! * A session may hold a search, which is then in no wait queue.

mod admission;
mod class_queue;
mod dispatch;
mod hold;
mod invariants;
mod params;
mod scheduled_search;
#[cfg(test)]
mod simulation;
mod source_usage;
mod usage_history;
mod wait_queue;

pub use params::{SearchParams, Urgency};

use super::{Class, JobId, Source};
use admission::Admission;
use class_queue::{ClassQueue, QueueKind};
use scheduled_search::{EntryState, QueueKey, SearchEntry};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Decision that the pool must execute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Let the search run until `until`, when it must poll again.
    Grant {
        /// The search.
        job: JobId,
        /// When the slice ends.
        until: Instant,
        /// The search has not run before and needs a thread.
        first: bool,
        /// The search must yield its token already with its first variation.
        until_variation: bool,
        /// Its class.
        class: Class,
        /// Time waited for the token.
        waited: Duration,
    },
    /// Have the search yield its token at its next poll.
    Revoke {
        /// The search.
        job: JobId,
    },
}

impl Decision {
    /// Whether this grants a token to `search`.
    pub fn grants(&self, search: JobId) -> bool {
        matches!(self, Decision::Grant { job, .. } if *job == search)
    }

    /// Whether this grants a token to a search that has no thread yet.
    pub fn is_first_grant(&self) -> bool {
        matches!(self, Decision::Grant { first: true, .. })
    }
}

/// Reason for not admitting a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// A search of this id exists already.
    DuplicateId,
    /// The class is full; the number of its searches.
    Full(usize),
    /// The source's limit in the class is reached; the number of searches of the class.
    Share(usize),
}

/// Numbers of a class's searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassStates {
    /// Searches that hold a token.
    pub running: usize,
    /// Searches that wait for one.
    pub waiting: usize,
    /// Searches held by their session that have given their token back.
    pub held: usize,
}

/// All searches that want to run, and the tokens.
pub struct Scheduler {
    tokens: usize,
    admission: Admission,
    jobs: HashMap<JobId, SearchEntry>,
    running: Vec<JobId>,
    queues: [ClassQueue; 4],
    /// Balance of replies against their share of the tokens.
    lead: dispatch::ReplyLead,
    /// Number of searches of each class.
    counts: [usize; 5],
    /// Waiting and running searches.
    waiting_by_class: [usize; 5],
    running_by_class: [usize; 5],
    started: usize,
    /// Searches with long slices.
    coarse: usize,
    tickets: u64,
}

impl Scheduler {
    /// A scheduler of `tokens` run tokens (at least 1) that admits at most `limit` searches of each
    /// class (at least `tokens`).
    pub fn new(tokens: usize, limit: usize) -> Scheduler {
        let tokens = tokens.max(1);
        Scheduler {
            tokens,
            admission: Admission::new(limit.max(tokens), tokens - 1),
            jobs: HashMap::new(),
            running: Vec::with_capacity(tokens),
            queues: QueueKind::ALL.map(ClassQueue::new),
            lead: dispatch::ReplyLead::default(),
            counts: [0; 5],
            waiting_by_class: [0; 5],
            running_by_class: [0; 5],
            started: 0,
            coarse: 0,
            tickets: 0,
        }
    }

    /// Admits a search that wants to run.
    ///
    /// # Errors
    /// It is not admitted, and nothing is changed.
    pub fn admit(
        &mut self,
        job: JobId,
        source: Source,
        params: SearchParams,
        now: Instant,
        decisions: &mut Vec<Decision>,
    ) -> Result<(), Refusal> {
        if self.jobs.contains_key(&job) {
            return Err(Refusal::DuplicateId);
        }
        self.admission.enter(source, params.class)?;
        self.counts[params.class as usize] += 1;
        self.count_coarse(usize::from(params.coarse), 0);
        let entry = SearchEntry {
            source,
            class: params.class,
            admitted: params.class,
            urgency: params.urgency,
            state: EntryState::Waiting,
            held: false,
            coarse: params.coarse,
            since: now,
            started: false,
            in_first_slice: false,
            ran: Duration::ZERO,
            virtual_time: self.enter(QueueKind::of(params.class), source, job, now),
            expected: Duration::ZERO,
            ticket: 0,
        };
        self.jobs.insert(job, entry);
        self.enqueue(job);
        self.dispatch(now, decisions);
        Ok(())
    }

    /// Changes the parameters of a search (a ponder hit). Unknown searches are ignored. An admitted
    /// search stays admitted, and counts as the class it was admitted as.
    pub fn set_params(
        &mut self,
        job: JobId,
        params: SearchParams,
        now: Instant,
        decisions: &mut Vec<Decision>,
    ) {
        self.charge(job, now);
        let Some(&before) = self.jobs.get(&job) else { return };
        if before.is_waiting() {
            self.dequeue(job);
        }
        let kind = QueueKind::of(params.class);
        let moves = kind != before.kind();
        let virtual_time =
            if moves { self.change_queue(job, &before, kind, now) } else { before.virtual_time };
        self.counts[before.class as usize] -= 1;
        self.counts[params.class as usize] += 1;
        if before.state != EntryState::Waiting {
            self.running_by_class[before.class as usize] -= 1;
            self.running_by_class[params.class as usize] += 1;
        }
        if let Some(entry) = self.jobs.get_mut(&job) {
            // Run time before the clock started does not count.
            entry.ran = if params.class == before.class { before.ran } else { Duration::ZERO };
            (entry.class, entry.urgency, entry.virtual_time) = (params.class, params.urgency, virtual_time);
        }
        if before.is_waiting() {
            self.enqueue(job);
        }
        self.dispatch(now, decisions);
    }

    /// Called by a search whose slice is over or whose token was revoked. It is granted a further
    /// slice if it is not held and no other search goes first; otherwise it waits.
    pub fn yield_token(&mut self, job: JobId, now: Instant, decisions: &mut Vec<Decision>) {
        if !self.running.contains(&job) {
            return;
        }
        self.charge(job, now);
        self.running.retain(|&other| other != job);
        if let Some(entry) = self.jobs.get_mut(&job) {
            entry.state = EntryState::Waiting;
            entry.since = now;
            entry.in_first_slice = false;
            self.running_by_class[entry.class as usize] -= 1;
            let held = entry.held;
            self.queues[entry.kind() as usize].end_slice(entry.source);
            if !held {
                self.enqueue(job);
            }
        }
        self.dispatch(now, decisions);
    }

    /// Removes a search that has ended or was stopped; its token becomes free. Unknown searches are
    /// ignored.
    pub fn remove(&mut self, job: JobId, now: Instant, decisions: &mut Vec<Decision>) {
        self.charge(job, now);
        let Some(&entry) = self.jobs.get(&job) else { return };
        match entry.state {
            EntryState::Waiting if entry.held => {}
            EntryState::Waiting => self.dequeue(job),
            EntryState::Running { .. } => {
                self.running.retain(|&other| other != job);
                self.running_by_class[entry.class as usize] -= 1;
                self.queues[entry.kind() as usize].end_slice(entry.source);
            }
        }
        self.queues[entry.kind() as usize].remove_search(job, &entry, now);
        self.admission.leave(entry.source, entry.admitted);
        self.counts[entry.class as usize] -= 1;
        self.started -= usize::from(entry.started);
        self.count_coarse(0, usize::from(entry.coarse));
        self.jobs.remove(&job);
        self.dispatch(now, decisions);
    }

    /// The number of searches: running, suspended, held, and not yet started.
    pub fn len(&self) -> usize {
        self.jobs.len()
    }

    /// Returns true if there are no searches.
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// Searches that have been granted a token at least once and have not ended: those that need a
    /// thread.
    pub fn started(&self) -> usize {
        self.started
    }

    /// Searches that hold a token.
    pub fn running(&self) -> usize {
        self.running.len()
    }

    /// The number of tokens.
    pub fn tokens(&self) -> usize {
        self.tokens
    }

    /// Whether a search waits for a token.
    pub fn has_waiting(&self) -> bool {
        self.queues.iter().any(|queue| !queue.waiting.is_empty())
    }

    /// Counts of all classes.
    pub fn states(&self) -> [(Class, ClassStates); Class::ALL.len()] {
        Class::ALL.map(|class| {
            let of = |counts: &[usize; Class::ALL.len()]| counts[class as usize];
            let (running, waiting) = (of(&self.running_by_class), of(&self.waiting_by_class));
            (class, ClassStates { running, waiting, held: of(&self.counts) - running - waiting })
        })
    }

    /// Since when a search has been waiting for a token; `None` if it holds one, is held, or does
    /// not exist.
    pub fn waits_since(&self, job: JobId) -> Option<Instant> {
        self.jobs.get(&job).filter(|entry| entry.is_waiting()).map(|entry| entry.since)
    }

    /// Returns the total time for which a search has held a token; `None` if it does not exist.
    pub fn ran(&self, job: JobId, now: Instant) -> Option<Duration> {
        self.jobs.get(&job).map(|entry| entry.ran + ran_since(entry, now))
    }

    /// Adds a search to a queue. Returns the virtual run time of its owner there.
    fn enter(&mut self, kind: QueueKind, source: Source, job: JobId, now: Instant) -> Duration {
        let least = self.least(kind, now);
        let queue = &mut self.queues[kind as usize];
        let virtual_time = queue.add_search(source, job.owner);
        queue.wake(source, least);
        virtual_time
    }

    /// Moves a search that is in no wait queue to another queue. Returns the virtual run time of
    /// its owner there.
    fn change_queue(&mut self, job: JobId, before: &SearchEntry, kind: QueueKind, now: Instant) -> Duration {
        let runs = before.state != EntryState::Waiting;
        let left = &mut self.queues[before.kind() as usize];
        if runs {
            left.end_slice(before.source);
        }
        left.remove_search(job, before, now);
        let virtual_time = self.enter(kind, before.source, job, now);
        if runs {
            self.queues[kind as usize].add_running(before.source);
        }
        virtual_time
    }

    /// The least virtual run time of a source in a queue.
    fn least(&self, kind: QueueKind, now: Instant) -> Duration {
        let running = self.running.iter().filter(|&job| self.jobs[job].kind() == kind);
        self.queues[kind as usize].least(running.map(|&job| self.time_at(job, now)))
    }

    /// Returns the virtual run time of a search's source, including time not charged yet.
    fn time_at(&self, job: JobId, now: Instant) -> Duration {
        let entry = &self.jobs[&job];
        self.queues[entry.kind() as usize].time_of(entry, ran_since(entry, now))
    }

    /// Charges a search for its run time.
    fn charge(&mut self, job: JobId, now: Instant) {
        let Some(entry) = self.jobs.get_mut(&job) else { return };
        let EntryState::Running { charged, .. } = &mut entry.state else { return };
        let ran = now.saturating_duration_since(*charged);
        *charged = (*charged).max(now);
        entry.ran += ran;
        let (kind, source) = (entry.kind(), entry.source);
        let queue = &mut self.queues[kind as usize];
        // With a clock, who has nothing to play goes first however many they are: a long first
        // slice is the whole search where there are many, and who has had it ends at its optimum.
        let first = entry.in_first_slice && !(entry.coarse && kind == QueueKind::Clock);
        queue.note_run(ran, first);
        queue.charge(entry, ran);
        self.lead.note_run(kind, ran);
        let most = self.least(kind, now) + self.queues[kind as usize].max_lead();
        self.queues[kind as usize].cap(source, most);
    }

    /// Counts searches with long slices: while there are any, differences in run time even out over
    /// a longer time.
    fn count_coarse(&mut self, more: usize, fewer: usize) {
        self.coarse = self.coarse + more - fewer;
        let any = self.coarse > 0;
        self.queues.iter_mut().for_each(|queue| queue.set_coarse(any));
    }

    fn enqueue(&mut self, job: JobId) {
        self.tickets += 1;
        let Some(entry) = self.jobs.get_mut(&job) else { return };
        entry.ticket = self.tickets;
        self.waiting_by_class[entry.class as usize] += 1;
        self.queues[entry.kind() as usize].enqueue(job, entry);
    }

    fn dequeue(&mut self, job: JobId) {
        let Some(entry) = self.jobs.get(&job) else { return };
        self.waiting_by_class[entry.class as usize] -= 1;
        self.queues[entry.kind() as usize].dequeue(entry);
    }
}

/// Run time of a search that has not been charged yet.
fn ran_since(entry: &SearchEntry, now: Instant) -> Duration {
    match entry.state {
        EntryState::Waiting => Duration::ZERO,
        EntryState::Running { charged, .. } => now.saturating_duration_since(charged),
    }
}

#[cfg(test)]
mod tests;
