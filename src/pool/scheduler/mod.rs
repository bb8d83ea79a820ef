//! Who runs next: a pure value, `(event, now) → orders`. No thread, no clock, no lock.
//!
//! There are N run tokens. A search runs while it holds one; the scheduler gives a token for a slice
//! of time and takes it back only at a poll of the search, so every answer is an [`Order`] that the
//! workers carry out.
//!
//! * *Clock* comes first: when such a search waits, another one is asked for its token at once.
//!   Among those with a clock the one goes first that has waited most, in units of what it needs ([`Pace`]). So if
//!   there is too little for all, every game is slowed down by the same factor, whatever its time control.
//! * *Reply* and what is in the background, *analysis* and *ponder*, take what clocks leave: three parts and one
//!   while both want it. Somebody waits for a reply, but it may be a hundred plies deep, and must not stop all analyses.
//! * In the background and among replies everyone gets an equal share by virtual run time, where pondering
//!   costs four times as much as an analysis that somebody watches.
//! * *Help* gets what nobody else wants.
//! * Who has not run at all goes first of its kind for a short look: every move and every analysis has something to
//!   show soon. That is taken off its share.
//! * Shares are those of a [`Source`], one for each of its searches up to its weight, and within it those of an owner. They
//!   are kept for a while after its last search: nobody gains by starting again.
//!   With a clock, too: who has had a second more than another, while both had searches, comes after it. A source with
//!   more searches than shares comes after others already when it has had 20 ms more.
//! * At most `limit` searches of a class are admitted, since each needs a thread and memory, and of one source fewer
//!   ([`admission`]).
//! * A search may be held by its owner. It then is in no line.

mod account;
mod admission;
mod choice;
mod claim;
mod holding;
mod invariants;
mod lane;
mod ledger;
mod line;
#[cfg(test)]
mod simulation;

pub use claim::{Claim, Pace};

use super::{Class, JobId, Source};
use admission::Admission;
use lane::{Lane, Track};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// What the workers are to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The search may run until this instant, and then must ask again. Start it if it is the first time.
    Grant {
        /// Which search.
        job: JobId,
        /// When the slice ends.
        until: Instant,
        /// Whether it has not run before: it needs a thread.
        first: bool,
        /// Whether it must ask again already when it has something to show.
        brief: bool,
    },
    /// The search is to give its token back at its next poll.
    Revoke {
        /// Which search.
        job: JobId,
    },
}

/// Why a search is not admitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// A search of that name is there already.
    NameInUse,
    /// There are so many of its class already that there is no place for one more of its source.
    Full(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Holds no token.
    Waiting,
    /// Holds a token; its run time is charged up to `charged`.
    Running { charged: Instant, revoked: bool },
}

#[derive(Clone, Copy, Debug)]
struct Job {
    source: Source,
    class: Class,
    /// What it was admitted as.
    admitted: Class,
    pace: Option<Pace>,
    state: State,
    /// Is to get no token: while it waits, it is in no line.
    held: bool,
    /// Since when it has held a token, or held none.
    since: Instant,
    /// Has been granted a token at least once, so it has a thread.
    started: bool,
    /// Is in its first slice.
    looks: bool,
    /// What it ran on these terms.
    ran: Duration,
    /// What its owner has had, of the part of its source.
    virtual_time: Duration,
    /// What its source is expected to pay for its slice.
    expected: Duration,
    /// When it joined the line, as a count.
    ticket: u64,
}

impl Job {
    fn in_line(&self) -> bool {
        self.state == State::Waiting && !self.held
    }

    fn track(&self) -> Track {
        Track::of(self.class)
    }
}

/// The state of all searches that want to run.
pub struct Scheduler {
    tokens: usize,
    admission: Admission,
    jobs: HashMap<JobId, Job>,
    running: Vec<JobId>,
    lanes: [Lane; 4],
    /// How far replies are ahead of their share of what they and the background ran.
    lead: choice::Lead,
    /// How many there are of each class.
    counts: [usize; 5],
    started: usize,
    tickets: u64,
}

impl Scheduler {
    /// A scheduler of `tokens` run tokens (at least 1) that admits at most `limit` searches of each class (at least
    /// `tokens`).
    pub fn new(tokens: usize, limit: usize) -> Scheduler {
        let tokens = tokens.max(1);
        Scheduler {
            tokens,
            admission: Admission::new(limit.max(tokens), tokens - 1),
            jobs: HashMap::new(),
            running: Vec::with_capacity(tokens),
            lanes: Track::ALL.map(Lane::new),
            lead: choice::Lead::default(),
            counts: [0; 5],
            started: 0,
            tickets: 0,
        }
    }

    /// A search wants to run.
    ///
    /// # Errors
    /// It is not admitted, and nothing is changed.
    pub fn arrive(
        &mut self,
        job: JobId,
        source: Source,
        claim: Claim,
        now: Instant,
        orders: &mut Vec<Order>,
    ) -> Result<(), Refusal> {
        if self.jobs.contains_key(&job) {
            return Err(Refusal::NameInUse);
        }
        self.admission.enter(source, claim.class)?;
        self.counts[claim.class as usize] += 1;
        let entry = Job {
            source,
            class: claim.class,
            admitted: claim.class,
            pace: claim.pace,
            state: State::Waiting,
            held: false,
            since: now,
            started: false,
            looks: false,
            ran: Duration::ZERO,
            virtual_time: self.enter(Track::of(claim.class), source, job, now),
            expected: Duration::ZERO,
            ticket: 0,
        };
        self.jobs.insert(job, entry);
        self.join_line(job);
        self.dispatch(now, orders);
        Ok(())
    }

    /// What a search wants has changed (a ponder hit). Unknown searches are ignored. Who has been admitted stays, and
    /// keeps its place among those who were admitted as the same.
    pub fn reclass(&mut self, job: JobId, claim: Claim, now: Instant, orders: &mut Vec<Order>) {
        self.charge(job, now);
        let Some(&before) = self.jobs.get(&job) else { return };
        if before.in_line() {
            self.leave_line(job);
        }
        let track = Track::of(claim.class);
        let moves = track != before.track();
        let virtual_time =
            if moves { self.change_lane(job, &before, track, now) } else { before.virtual_time };
        self.counts[before.class as usize] -= 1;
        self.counts[claim.class as usize] += 1;
        if let Some(entry) = self.jobs.get_mut(&job) {
            // What it ran before its clock started is nothing that it was given of its time.
            entry.ran = if claim.class == before.class { before.ran } else { Duration::ZERO };
            (entry.class, entry.pace, entry.virtual_time) = (claim.class, claim.pace, virtual_time);
        }
        if before.in_line() {
            self.join_line(job);
        }
        self.dispatch(now, orders);
    }

    /// A search that holds a token is at the end of its slice or was asked for its token. It is granted
    /// a further slice if nobody goes before it and it is not held; otherwise it waits from now on.
    pub fn give_back(&mut self, job: JobId, now: Instant, orders: &mut Vec<Order>) {
        if !self.running.contains(&job) {
            return;
        }
        self.charge(job, now);
        self.running.retain(|&other| other != job);
        if let Some(entry) = self.jobs.get_mut(&job) {
            entry.state = State::Waiting;
            entry.since = now;
            entry.looks = false;
            let held = entry.held;
            self.lanes[entry.track() as usize].end(entry.source);
            if !held {
                self.join_line(job);
            }
        }
        self.dispatch(now, orders);
    }

    /// A search has ended or was stopped; its token, if it had one, is free. Unknown searches are ignored.
    pub fn depart(&mut self, job: JobId, now: Instant, orders: &mut Vec<Order>) {
        self.charge(job, now);
        let Some(&entry) = self.jobs.get(&job) else { return };
        match entry.state {
            State::Waiting if entry.held => {}
            State::Waiting => self.leave_line(job),
            State::Running { .. } => {
                self.running.retain(|&other| other != job);
                self.lanes[entry.track() as usize].end(entry.source);
            }
        }
        self.lanes[entry.track() as usize].exit(job, &entry, now);
        self.admission.leave(entry.source, entry.admitted);
        self.counts[entry.class as usize] -= 1;
        self.started -= usize::from(entry.started);
        self.jobs.remove(&job);
        self.dispatch(now, orders);
    }

    /// How many searches there are: those that run, that are suspended or held, and that have not started.
    pub fn len(&self) -> usize {
        self.jobs.len()
    }

    /// Whether there is no search.
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// How many have been granted a token at least once, and have not ended: those that need a thread.
    pub fn started(&self) -> usize {
        self.started
    }

    /// How many hold a token.
    pub fn running(&self) -> usize {
        self.running.len()
    }

    /// How many tokens there are.
    pub fn tokens(&self) -> usize {
        self.tokens
    }

    /// Whether somebody waits for a token.
    pub fn has_waiting(&self) -> bool {
        self.lanes.iter().any(|lane| !lane.line.is_empty())
    }

    /// How many searches there are of each class.
    pub fn by_class(&self) -> [(Class, usize); Class::ALL.len()] {
        Class::ALL.map(|class| (class, self.counts[class as usize]))
    }

    /// Since when a search waits for a token; `None` if it has one, is held, or is not there.
    pub fn waits_since(&self, job: JobId) -> Option<Instant> {
        self.jobs.get(&job).filter(|entry| entry.in_line()).map(|entry| entry.since)
    }

    /// For how long a search has held a token, in all; `None` if it is not there.
    pub fn ran(&self, job: JobId, now: Instant) -> Option<Duration> {
        self.jobs.get(&job).map(|entry| entry.ran + ran_since(entry, now))
    }

    /// A search comes into a lane, where it wants to run. Returns the virtual run time of its owner there.
    fn enter(&mut self, track: Track, source: Source, job: JobId, now: Instant) -> Duration {
        let least = self.least(track, now);
        let lane = &mut self.lanes[track as usize];
        let virtual_time = lane.enter(source, job.owner);
        lane.wake(source, least);
        virtual_time
    }

    /// A search that does not wait in a line goes to another lane. Returns the virtual run time of its owner there.
    fn change_lane(&mut self, job: JobId, before: &Job, track: Track, now: Instant) -> Duration {
        let runs = before.state != State::Waiting;
        let left = &mut self.lanes[before.track() as usize];
        if runs {
            left.end(before.source);
        }
        left.exit(job, before, now);
        let virtual_time = self.enter(track, before.source, job, now);
        if runs {
            self.lanes[track as usize].begin_unforeseen(before.source);
        }
        virtual_time
    }

    /// The least virtual run time of a source in a lane.
    fn least(&self, track: Track, now: Instant) -> Duration {
        let running = self.running.iter().filter(|&job| self.jobs[job].track() == track);
        self.lanes[track as usize].least(running.map(|&job| self.time_at(job, now)))
    }

    /// The virtual run time of the source of a search, with what that has run since it was last charged.
    fn time_at(&self, job: JobId, now: Instant) -> Duration {
        let entry = &self.jobs[&job];
        self.lanes[entry.track() as usize].time_of(entry, ran_since(entry, now))
    }

    /// Takes what a search has run off its share.
    fn charge(&mut self, job: JobId, now: Instant) {
        let Some(entry) = self.jobs.get_mut(&job) else { return };
        let State::Running { charged, .. } = &mut entry.state else { return };
        let ran = now.saturating_duration_since(*charged);
        *charged = (*charged).max(now);
        entry.ran += ran;
        let (track, source) = (entry.track(), entry.source);
        let lane = &mut self.lanes[track as usize];
        lane.note_run(ran, entry.looks);
        lane.charge(entry, ran);
        self.lead.note_run(track, ran);
        let most = self.least(track, now) + track.most_ahead();
        self.lanes[track as usize].cap(source, most);
    }

    fn join_line(&mut self, job: JobId) {
        self.tickets += 1;
        let Some(entry) = self.jobs.get_mut(&job) else { return };
        entry.ticket = self.tickets;
        self.lanes[entry.track() as usize].join(job, entry);
    }

    fn leave_line(&mut self, job: JobId) {
        let Some(entry) = self.jobs.get(&job) else { return };
        self.lanes[entry.track() as usize].leave(entry);
    }
}

/// What a search has run since it was last charged.
fn ran_since(entry: &Job, now: Instant) -> Duration {
    match entry.state {
        State::Waiting => Duration::ZERO,
        State::Running { charged, .. } => now.saturating_duration_since(charged),
    }
}

#[cfg(test)]
mod tests;
