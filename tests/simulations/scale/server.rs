//! One server in detail: the real scheduler with simulated searches and a clock of its own.
//!
//! The costs of context switches and of the event loop are left out: `docs/performance.md` shows
//! that they are small.

use super::waits::Waits;
use super::workload::{ANALYSED, Activity, OF_OPTIMUM, PONDERING, TIME_CONTROLS};
use crate::support::dice::Dice;
use farboard::pool::{Class, Decision, JobId, Scheduler, SearchId, SearchParams, Source, Urgency};
use farboard::search::{Clock, allot};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::time::{Duration, Instant};

/// Default maximum number of searches of each class.
const MAX_SEARCHES: usize = 1024;
/// Time between two polls of a search, in nanoseconds: a thousand nodes.
const POLL: u64 = 1_000_000;
/// Mean time to the first variation, in nanoseconds.
const FIRST_VARIATION: f64 = 2e6;
/// Another slice of a search whose token no other search needs, in nanoseconds.
const SLICE: u64 = 5_000_000;
/// Overhead of a move in milliseconds.
const OVERHEAD: (u64, u64) = (50, 12);

/// Nanoseconds since the start.
type Time = u64;

pub fn seconds(seconds: f64) -> Time {
    (seconds * 1e9) as Time
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Event {
    /// The opponent has moved.
    Due { session: u64, search: u64 },
    /// The user of an analysis goes to another position.
    NextPosition { session: u64, search: u64 },
    /// A search polls because its slice is over, its token is revoked, or its time is over.
    Poll { session: u64, search: u64, grant: u64 },
    /// A move must be made.
    Deadline { session: u64, search: u64 },
}

struct Game {
    control: usize,
    ponders: bool,
    /// The engine's clock in milliseconds.
    remaining: i64,
}

struct Search {
    class: Class,
    since: Time,
    /// When it may stop thinking.
    enough: Option<Time>,
    running: bool,
    first_slice: bool,
    revoked: bool,
    /// Number of tokens received.
    grant: u64,
    waits_since: Time,
    waited: Time,
    waited_first: Option<Time>,
}

struct Session {
    game: Option<Game>,
    /// The number of its latest or next search.
    number: u64,
    search: Option<Search>,
}

/// Measurements.
#[derive(Clone, Default)]
pub struct Measured {
    /// Waits of moves: total time that a search with a clock was without a token.
    pub waits: Waits,
    /// The part until the first token.
    pub first: Waits,
    /// Core-seconds used by searches with a clock.
    pub used: f64,
    /// Core-seconds for which searches with a clock waited.
    pub lacked: f64,
    /// Moves without a search because there was no slot.
    pub refused: u64,
}

/// A server and its users.
pub struct Server {
    scheduler: Scheduler,
    start: Instant,
    now: Time,
    dice: Dice,
    events: BinaryHeap<Reverse<(Time, u64, Event)>>,
    /// Number of events so far, which orders simultaneous events.
    sequence: u64,
    sessions: HashMap<u64, Session>,
    /// Number of searches with a clock that have a token.
    clocks_running: usize,
    decisions: Vec<Decision>,
    /// The next game's position in the mixture of time controls, from 0 to 1.
    mixture: f64,
    measured: Measured,
}

impl Server {
    pub fn new(tokens: usize, seed: u64) -> Server {
        Server {
            scheduler: Scheduler::new(tokens, MAX_SEARCHES),
            start: Instant::now(),
            now: 0,
            dice: Dice::of_seed(seed),
            events: BinaryHeap::new(),
            sequence: 0,
            sessions: HashMap::new(),
            clocks_running: 0,
            decisions: Vec::new(),
            mixture: 0.0,
            measured: Measured::default(),
        }
    }

    /// Opens a session with this activity.
    pub fn open(&mut self, id: u64, activity: Activity) {
        let mut session = Session { game: None, number: 0, search: None };
        match activity {
            Activity::Game => {
                let control = self.next_control();
                let ponders = self.dice.happens(PONDERING);
                // The game began some time ago.
                let remaining = (TIME_CONTROLS[control].base as f64 * self.dice.between(0.1, 1.0)) as i64;
                session.game = Some(Game { control, ponders, remaining });
                self.sessions.insert(id, session);
                self.await_opponent(id);
            }
            Activity::Analysis => {
                self.sessions.insert(id, session);
                self.analyse(id);
            }
            Activity::Idle => drop(self.sessions.insert(id, session)),
        }
    }

    /// The time control of the next game. Evenly spread instead of random, so that few games have
    /// the mixture of many.
    fn next_control(&mut self) -> usize {
        const GOLDEN: f64 = 0.618_033_988_749_895;
        self.mixture = (self.mixture + GOLDEN).fract();
        let mut left = self.mixture;
        let shares = TIME_CONTROLS.iter().map(|control| control.share);
        shares
            .take_while(|share| {
                left -= share;
                left >= 0.0
            })
            .count()
            .min(TIME_CONTROLS.len() - 1)
    }

    /// Closes a session without its pending move.
    pub fn close(&mut self, id: u64) {
        self.end_search(id);
        self.sessions.remove(&id);
    }

    /// Advances the time.
    pub fn run_until(&mut self, time: Time) {
        while let Some(&Reverse((at, _, event))) = self.events.peek()
            && at <= time
        {
            self.events.pop();
            self.now = at;
            self.handle(event);
        }
        self.now = time;
    }

    /// Returns the measurements since the last call.
    pub fn take_measured(&mut self) -> Measured {
        std::mem::take(&mut self.measured)
    }

    fn instant(&self, time: Time) -> Instant {
        self.start + Duration::from_nanos(time)
    }

    fn at(&mut self, time: Time, event: Event) {
        self.sequence += 1;
        self.events.push(Reverse((time, self.sequence, event)));
    }

    /// The time until a search polls next.
    fn until_poll(&mut self) -> Time {
        (self.dice.fraction() * POLL as f64) as Time
    }

    /// The search with this number, if it is still the session's.
    fn search(&mut self, session: u64, number: u64) -> Option<&mut Search> {
        let session = self.sessions.get_mut(&session).filter(|session| session.number == number)?;
        session.search.as_mut()
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Due { session, search } if self.is_about(session, search) => {
                self.end_search(session);
                self.think(session);
            }
            Event::NextPosition { session, search } if self.is_about(session, search) => {
                self.end_search(session);
                self.analyse(session);
            }
            Event::Deadline { session, search } if self.search(session, search).is_some() => {
                self.make_move(session);
            }
            Event::Poll { session, search, grant } => self.poll(session, search, grant),
            Event::Due { .. } | Event::NextPosition { .. } | Event::Deadline { .. } => {}
        }
    }

    fn is_about(&self, session: u64, number: u64) -> bool {
        self.sessions.get(&session).is_some_and(|session| session.number == number)
    }

    fn await_opponent(&mut self, id: u64) {
        let Some(session) = self.sessions.get_mut(&id) else { return };
        let Some(game) = &session.game else { return };
        session.number += 1;
        let (number, ponders) = (session.number, game.ponders);
        let mean = TIME_CONTROLS[game.control].opponent / 1e3;
        let after = self.dice.exponential(mean / 2.0) + self.dice.exponential(mean / 2.0);
        self.at(self.now + seconds(after), Event::Due { session: id, search: number });
        if ponders {
            self.admit(id, SearchParams::of(Class::Ponder), None);
        }
    }

    fn analyse(&mut self, id: u64) {
        let Some(session) = self.sessions.get_mut(&id) else { return };
        session.number += 1;
        let number = session.number;
        let after = self.dice.exponential(ANALYSED);
        self.at(self.now + seconds(after), Event::NextPosition { session: id, search: number });
        self.admit(id, SearchParams::of(Class::Analysis), None);
    }

    /// Starts the search for the engine's move.
    fn think(&mut self, id: u64) {
        let Some(session) = self.sessions.get_mut(&id) else { return };
        let Some(game) = &mut session.game else { return };
        session.number += 1;
        let (number, control) = (session.number, &TIME_CONTROLS[game.control]);
        if self.dice.happens(1.0 / control.moves) {
            game.remaining = control.base;
        }
        let allotment = allot(Clock {
            remaining: game.remaining,
            increment: control.increment,
            moves_to_go: None,
            overhead: OVERHEAD.0,
            later_overhead: OVERHEAD.1,
        });
        let optimum = allotment.optimum.as_secs_f64();
        let enough = seconds(optimum * self.dice.between(OF_OPTIMUM.0, OF_OPTIMUM.1));
        let since = self.instant(self.now);
        let urgency = Some(Urgency { since, optimum: allotment.optimum });
        let params = SearchParams { class: Class::Clock, urgency, coarse: false };
        self.at(
            self.now + allotment.maximum.as_nanos() as Time,
            Event::Deadline { session: id, search: number },
        );
        self.admit(id, params, Some(self.now + enough));
    }

    fn admit(&mut self, id: u64, params: SearchParams, enough: Option<Time>) {
        let Some(session) = self.sessions.get_mut(&id) else { return };
        let job = JobId { owner: id, search: SearchId(session.number) };
        session.search = Some(Search {
            class: params.class,
            since: self.now,
            enough,
            running: false,
            first_slice: false,
            revoked: false,
            grant: 0,
            waits_since: self.now,
            waited: 0,
            waited_first: None,
        });
        let now = self.instant(self.now);
        if self.scheduler.admit(job, Source::of(id), params, now, &mut self.decisions).is_err() {
            self.refuse(id, params.class);
        }
        self.carry_out();
    }

    fn refuse(&mut self, id: u64, class: Class) {
        if let Some(session) = self.sessions.get_mut(&id) {
            session.search = None;
        }
        if class == Class::Clock {
            self.measured.refused += 1;
            self.await_opponent(id);
        }
    }

    /// Makes the move: the optimum or the maximum time is over.
    fn make_move(&mut self, id: u64) {
        self.note_wait(id);
        let now = self.now;
        if let Some(Session { game: Some(game), search: Some(search), .. }) = self.sessions.get_mut(&id) {
            let used = (now - search.since) / 1_000_000;
            game.remaining = game.remaining - used as i64 + TIME_CONTROLS[game.control].increment as i64;
        }
        self.end_search(id);
        self.await_opponent(id);
    }

    fn note_wait(&mut self, id: u64) {
        let now = self.now;
        let Some(Session { search: Some(search), .. }) = self.sessions.get(&id) else { return };
        let last = if search.running { 0 } else { now - search.waits_since };
        let waited = search.waited + last;
        let first = search.waited_first.unwrap_or(waited);
        self.measured.waits.note(waited as f64 / 1e6);
        self.measured.first.note(first as f64 / 1e6);
        self.measured.lacked += waited as f64 / 1e9;
        self.measured.used += (now - search.since - waited) as f64 / 1e9;
    }

    fn end_search(&mut self, id: u64) {
        let Some(session) = self.sessions.get_mut(&id) else { return };
        let Some(search) = session.search.take() else { return };
        let job = JobId { owner: id, search: SearchId(session.number) };
        self.clocks_running -= usize::from(search.class == Class::Clock && search.running);
        self.scheduler.remove(job, self.instant(self.now), &mut self.decisions);
        self.carry_out();
    }

    fn poll(&mut self, id: u64, number: u64, grant: u64) {
        let (now, running) = (self.now, self.clocks_running);
        let (_, clocks) = self.scheduler.states()[Class::Clock as usize];
        let clock_waits = clocks.running + clocks.waiting + clocks.held > running;
        let any_waits = self.scheduler.has_waiting();
        let Some(search) = self.search(id, number) else { return };
        if !search.running || search.grant != grant {
            return;
        }
        if search.enough.is_some_and(|enough| now >= enough) {
            return self.make_move(id);
        }
        // The scheduler would grant another slice at once.
        let wanted = if search.class == Class::Clock { clock_waits } else { any_waits };
        if !search.revoked && !search.first_slice && !wanted {
            let next = search.enough.map_or(now + SLICE, |enough| enough.min(now + SLICE));
            return self.poll_at(id, number, grant, next);
        }
        search.running = false;
        search.waits_since = now;
        self.clocks_running -= usize::from(search_is_clock(self.sessions.get(&id)));
        let job = JobId { owner: id, search: SearchId(number) };
        self.scheduler.yield_token(job, self.instant(now), &mut self.decisions);
        self.carry_out();
    }

    fn poll_at(&mut self, session: u64, search: u64, grant: u64, time: Time) {
        let time = time.max(self.now) + self.until_poll();
        self.at(time, Event::Poll { session, search, grant });
    }

    fn carry_out(&mut self) {
        for decision in std::mem::take(&mut self.decisions) {
            match decision {
                Decision::Grant { job, until, first, until_variation, .. } => {
                    let until = until.saturating_duration_since(self.start).as_nanos() as Time;
                    let variation = self.now + self.dice.exponential(FIRST_VARIATION) as Time;
                    let until = if until_variation { until.min(variation) } else { until };
                    self.grant(job, until, first);
                }
                Decision::Revoke { job } => {
                    let now = self.now;
                    let Some(search) = self.search(job.owner, job.search.0) else { continue };
                    search.revoked = true;
                    let grant = search.grant;
                    self.poll_at(job.owner, job.search.0, grant, now);
                }
            }
        }
    }

    fn grant(&mut self, job: JobId, until: Time, first: bool) {
        let now = self.now;
        let Some(search) = self.search(job.owner, job.search.0) else { return };
        let wait = now - search.waits_since;
        search.waited += wait;
        search.waited_first.get_or_insert(wait);
        (search.running, search.revoked, search.first_slice) = (true, false, first);
        search.grant += 1;
        let (grant, is_clock) = (search.grant, search.class == Class::Clock);
        let next = search.enough.map_or(until, |enough| enough.min(until));
        self.clocks_running += usize::from(is_clock);
        self.poll_at(job.owner, job.search.0, grant, next);
    }
}

fn search_is_clock(session: Option<&Session>) -> bool {
    session.and_then(|session| session.search.as_ref()).is_some_and(|search| search.class == Class::Clock)
}
