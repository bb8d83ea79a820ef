//! Who runs next: a pure value, `(event, now) → orders`. No thread, no clock, no lock.
//!
//! There are N run tokens. A search runs while it holds one; the scheduler gives a token for a slice
//! of time and takes it back only at a poll of the search, so every answer is an [`Order`] that the
//! workers carry out.
//!
//! * *Clock* beats *analysis*: when a clock search waits, an analysis is asked for its token at once.
//! * Inside *clock* the nearest deadline goes first. A search that has not run at all goes before
//!   those that have, for one slice: without it an overloaded server would let the last in the line
//!   play the first legal move instead of the best of a short look. So a client that starts and stops
//!   all the time, and is always new, gets more than one that lets its search run. This is to be settled
//!   together with admission (who may start at all) and shares for each session, neither of which the
//!   scheduler knows: it sees searches, not whose they are.
//! * Inside *analysis* everyone gets an equal share by virtual run time. A newcomer starts at the
//!   least virtual run time there is, behind those that have it too: it neither starves others nor is
//!   starved, and nobody gains by starting again.
//! * A search needs a thread from its first grant on. At most `limit` searches of a class are started;
//!   others wait in the line without a thread. The limit is for each class apart, because a clock
//!   search must not wait for analyses to end, which they need not ever do.

mod line;
#[cfg(test)]
mod simulation;

use super::{Class, JobId};
use line::{Deadline, Line, Rank};
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
    },
    /// The search is to give its token back at its next poll.
    Revoke {
        /// Which search.
        job: JobId,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Waiting,
    /// Holds a token; its run time is charged up to `charged`.
    Running {
        charged: Instant,
        revoked: bool,
    },
}

#[derive(Clone, Copy, Debug)]
struct Job {
    class: Class,
    deadline: Deadline,
    state: State,
    /// Has been granted a token at least once, so it has a thread.
    started: bool,
    virtual_time: Duration,
    /// When it joined the line, as a count: the first come goes first among equals.
    ticket: u64,
}

/// The state of all searches that want to run.
pub struct Scheduler {
    tokens: usize,
    limit: usize,
    slice: Duration,
    jobs: HashMap<JobId, Job>,
    running: Vec<JobId>,
    lines: [Line; 2],
    started: [usize; 2],
    tickets: u64,
}

impl Scheduler {
    /// A scheduler of `tokens` run tokens (at least 1) that starts at most `limit` searches of each
    /// class (at least `tokens`) and looks for a better candidate after each `slice`.
    pub fn new(tokens: usize, limit: usize, slice: Duration) -> Scheduler {
        let tokens = tokens.max(1);
        Scheduler {
            tokens,
            limit: limit.max(tokens),
            slice,
            jobs: HashMap::new(),
            running: Vec::with_capacity(tokens),
            lines: [Line::default(), Line::default()],
            started: [0; 2],
            tickets: 0,
        }
    }

    /// A search wants to run. `deadline` matters for the clock class only.
    /// False, and nothing is changed, if a search of that name is there already.
    pub fn arrive(
        &mut self,
        job: JobId,
        class: Class,
        deadline: Option<Instant>,
        now: Instant,
        orders: &mut Vec<Order>,
    ) -> bool {
        if self.jobs.contains_key(&job) {
            return false;
        }
        let entry = Job {
            class,
            deadline: Deadline::of(class, deadline),
            state: State::Waiting,
            started: false,
            virtual_time: Duration::ZERO,
            ticket: 0,
        };
        self.jobs.insert(job, entry);
        self.join_line(job);
        self.dispatch(now, orders);
        true
    }

    /// The class or the deadline of a search has changed (a ponder hit). Unknown searches are ignored.
    pub fn reclass(
        &mut self,
        job: JobId,
        class: Class,
        deadline: Option<Instant>,
        now: Instant,
        orders: &mut Vec<Order>,
    ) {
        let Some(&before) = self.jobs.get(&job) else { return };
        self.charge(job, now);
        let waits = before.state == State::Waiting;
        if waits {
            self.leave_line(job);
        }
        let moves = before.started && class != before.class;
        let virtual_time = moves.then(|| self.least_virtual_time(class, now));
        if let Some(entry) = self.jobs.get_mut(&job) {
            entry.class = class;
            entry.deadline = Deadline::of(class, deadline);
            entry.virtual_time = virtual_time.unwrap_or(entry.virtual_time);
        }
        if moves {
            self.started[before.class as usize] -= 1;
            self.started[class as usize] += 1;
        }
        if waits {
            self.join_line(job);
        }
        self.dispatch(now, orders);
    }

    /// A search that holds a token is at the end of its slice or was asked for its token. It is granted
    /// a further slice if nobody goes before it; otherwise it waits from now on.
    pub fn give_back(&mut self, job: JobId, now: Instant, orders: &mut Vec<Order>) {
        if !self.running.contains(&job) {
            return;
        }
        self.charge(job, now);
        self.running.retain(|&other| other != job);
        if let Some(entry) = self.jobs.get_mut(&job) {
            entry.state = State::Waiting;
        }
        self.join_line(job);
        self.dispatch(now, orders);
    }

    /// A search has ended or was stopped; its token, if it had one, is free. Unknown searches are ignored.
    pub fn depart(&mut self, job: JobId, now: Instant, orders: &mut Vec<Order>) {
        let Some(&entry) = self.jobs.get(&job) else { return };
        match entry.state {
            State::Waiting => self.leave_line(job),
            State::Running { .. } => self.running.retain(|&other| other != job),
        }
        if entry.started {
            self.started[entry.class as usize] -= 1;
        }
        self.jobs.remove(&job);
        self.dispatch(now, orders);
    }

    /// How many searches there are: those that run, that are suspended and that have not started.
    pub fn len(&self) -> usize {
        self.jobs.len()
    }

    /// Whether there is no search.
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// How many have been granted a token at least once, and have not ended: those that need a thread.
    pub fn started(&self) -> usize {
        self.started.iter().sum()
    }

    /// How many hold a token.
    pub fn running(&self) -> usize {
        self.running.len()
    }

    /// Hands out free tokens, then asks analyses for as many as clock searches still wait for.
    fn dispatch(&mut self, now: Instant, orders: &mut Vec<Order>) {
        while self.running.len() < self.tokens {
            let candidate = |class| self.candidate(class, now);
            let Some(job) = candidate(Class::Clock).or_else(|| candidate(Class::Analysis)) else { break };
            orders.push(self.grant(job, now));
        }
        self.revoke_for_clocks(now, orders);
        #[cfg(debug_assertions)]
        self.check_invariants();
    }

    /// The search of a class that should run next, if one of it may run.
    fn candidate(&self, class: Class, now: Instant) -> Option<JobId> {
        let line = &self.lines[class as usize];
        let fresh = line.fresh.first().filter(|_| self.may_start(class));
        let (fresh, suspended) = match (fresh, line.suspended.first()) {
            (Some(fresh), Some(suspended)) => (fresh, suspended),
            (fresh, suspended) => return fresh.or(suspended).map(|rank| rank.job),
        };
        match class {
            Class::Clock => Some(fresh.job),
            Class::Analysis => {
                let start = self.least_virtual_time(class, now);
                Some(fresh.at(start).min(*suspended).job)
            }
        }
    }

    fn may_start(&self, class: Class) -> bool {
        self.started[class as usize] < self.limit
    }

    fn grant(&mut self, job: JobId, now: Instant) -> Order {
        self.leave_line(job);
        let class = self.jobs[&job].class;
        let least = self.least_virtual_time(class, now);
        let entry = self.jobs.get_mut(&job).expect("only known searches are in a line");
        let first = !entry.started;
        if first {
            // However long it has waited for a thread: that is no claim to catch up.
            entry.virtual_time = least;
            entry.started = true;
            self.started[class as usize] += 1;
        }
        entry.state = State::Running { charged: now, revoked: false };
        self.running.push(job);
        Order::Grant { job, until: now + self.slice, first }
    }

    fn revoke_for_clocks(&mut self, now: Instant, orders: &mut Vec<Order>) {
        let mut wanted = self.waiting_clocks();
        if wanted == 0 {
            return;
        }
        let mut analyses: Vec<(Duration, JobId)> = Vec::new();
        for &job in &self.running {
            match self.jobs[&job] {
                Job { class: Class::Analysis, state: State::Running { revoked: true, .. }, .. } => {
                    wanted = wanted.saturating_sub(1);
                }
                Job { class: Class::Analysis, .. } => analyses.push((self.time_at(job, now), job)),
                _ => {}
            }
        }
        analyses.sort_unstable();
        // The one that has had the most gives first.
        for (_, job) in analyses.into_iter().rev().take(wanted) {
            if let Some(Job { state: State::Running { revoked, .. }, .. }) = self.jobs.get_mut(&job) {
                *revoked = true;
            }
            orders.push(Order::Revoke { job });
        }
    }

    /// How many clock searches wait that could run if there were tokens.
    fn waiting_clocks(&self) -> usize {
        let line = &self.lines[Class::Clock as usize];
        let startable = self.limit.saturating_sub(self.started[Class::Clock as usize]);
        line.suspended.len() + line.fresh.len().min(startable)
    }

    /// The least virtual run time of a class among started searches without a deadline; zero if there is none.
    fn least_virtual_time(&self, class: Class, now: Instant) -> Duration {
        let waiting = self.lines[class as usize].suspended.range(Rank::first_without_deadline()..).next();
        let running = self.running.iter().filter(|&job| {
            let entry = &self.jobs[job];
            entry.class == class && entry.deadline == Deadline::Never
        });
        let times = waiting.map(|rank| rank.virtual_time).into_iter();
        times.chain(running.map(|&job| self.time_at(job, now))).min().unwrap_or_default()
    }

    /// The virtual run time of a search, with what it has run since it was last charged.
    fn time_at(&self, job: JobId, now: Instant) -> Duration {
        let entry = &self.jobs[&job];
        match entry.state {
            State::Waiting => entry.virtual_time,
            State::Running { charged, .. } => entry.virtual_time + now.saturating_duration_since(charged),
        }
    }

    fn charge(&mut self, job: JobId, now: Instant) {
        let time = self.time_at(job, now);
        if let Some(entry) = self.jobs.get_mut(&job) {
            entry.virtual_time = time;
            if let State::Running { charged, .. } = &mut entry.state {
                *charged = (*charged).max(now);
            }
        }
    }

    fn join_line(&mut self, job: JobId) {
        self.tickets += 1;
        let Some(entry) = self.jobs.get_mut(&job) else { return };
        entry.ticket = self.tickets;
        self.lines[entry.class as usize].set(entry.started).insert(Rank::of(job, entry));
    }

    fn leave_line(&mut self, job: JobId) {
        let Some(entry) = self.jobs.get(&job) else { return };
        self.lines[entry.class as usize].set(entry.started).remove(&Rank::of(job, entry));
    }

    /// Panics if the scheduler contradicts itself. Called after every change in debug builds.
    pub fn check_invariants(&self) {
        assert!(self.running.len() <= self.tokens, "more searches run than there are tokens");
        let mut started = [0; 2];
        let mut waiting = 0;
        let mut revoked = 0;
        let mut analyses_running = 0;
        for (job, entry) in &self.jobs {
            started[entry.class as usize] += usize::from(entry.started);
            let in_line =
                self.lines[entry.class as usize].get(entry.started).contains(&Rank::of(*job, entry));
            assert_eq!(in_line, entry.state == State::Waiting, "{job:?} is in a line exactly while it waits");
            assert_eq!(self.running.contains(job), !in_line, "{job:?} waits or runs");
            waiting += usize::from(in_line);
            if let (Class::Analysis, State::Running { revoked: asked, .. }) = (entry.class, entry.state) {
                analyses_running += 1;
                revoked += usize::from(asked);
            }
        }
        assert_eq!(started, self.started, "started searches are counted by class");
        assert_eq!(waiting + self.running.len(), self.jobs.len(), "nobody is lost");
        assert_eq!(
            waiting,
            self.lines.iter().map(Line::len).sum::<usize>(),
            "lines hold known searches only"
        );
        let could_run = |class| {
            let line = &self.lines[class as usize];
            !line.suspended.is_empty() || (!line.fresh.is_empty() && self.may_start(class))
        };
        let nobody = !could_run(Class::Clock) && !could_run(Class::Analysis);
        assert!(nobody || self.running.len() == self.tokens, "a token lies idle");
        assert!(
            revoked >= self.waiting_clocks().min(analyses_running),
            "a clock search waits and no analysis was asked for its token"
        );
    }
}

#[cfg(test)]
mod tests;
