//! A fleet simulated session by session, second by second.

use super::balancer::{Balancer, Policy, Seen, weigh};
use super::curve::Curve;
use super::waits::Waits;
use super::workload::{Activity, LEAVES, rush, session_length};
use crate::support::dice::Dice;

/// Seconds before the measured day: several session lengths, so that it begins with a typical
/// number of sessions.
pub const BEFORE: usize = 4 * HOUR;
pub const HOUR: usize = 3600;
pub const DAY: usize = 24 * HOUR;
/// The day is measured from five in the morning.
const DAWN: usize = 5 * HOUR;
/// The busiest time.
pub const EVENING: usize = 20 * HOUR;

/// Seconds between two agent checks of the balancer.
const AGENT_EVERY: usize = 2;
/// Seconds until the balancer notices that a machine is down: three checks, two seconds apart.
const NOTICED_AFTER: usize = 6;
/// Seconds until a failed machine is back.
const BACK_AFTER: usize = 180;
/// Mean time between failures of a server in seconds.
const LIVES: f64 = 30.0 * DAY as f64;
/// Time from the loss of a server to the next answer through the shim, in seconds.
const MOVE: (f64, f64) = (0.2, 5.0);

/// A rolling replacement of all servers.
#[derive(Clone, Copy, Debug)]
pub struct Upgrade {
    /// Seconds after midnight.
    pub at: usize,
    /// Servers at a time.
    pub batch: usize,
    /// Seconds for which games may continue.
    pub drain: usize,
    /// Further seconds until the replacement accepts new sessions.
    pub restart: usize,
}

/// The events of a day.
#[derive(Clone, Debug)]
pub struct Plan {
    pub servers: usize,
    pub policy: Policy,
    /// Sessions per server in the busiest hour.
    pub sessions: f64,
    /// Whether servers fail.
    pub deaths: bool,
    pub upgrade: Option<Upgrade>,
    pub seed: u64,
}

/// An action of a session, to be repeated on detailed servers.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub time: usize,
    pub session: usize,
    /// Its new server and activity; `None` when it has left.
    pub to: Option<(usize, Activity)>,
}

/// The results of a day.
#[derive(Default)]
pub struct Outcome {
    /// Waits of moves by hour of the day.
    pub hours: Vec<Waits>,
    /// The same with games spread evenly over all servers.
    pub even: Vec<Waits>,
    pub sessions: usize,
    /// Sessions whose server was lost or replaced.
    pub moved: usize,
    /// Those of them that owed a move meanwhile.
    pub delayed: usize,
    pub deaths: usize,
    /// Duration of the upgrade in seconds, and the number of sessions when it began.
    pub upgrade: Option<(usize, usize)>,
    /// The largest number of games on one server, and the mean at that time.
    pub worst: (usize, f64),
    /// All actions, if requested.
    pub steps: Vec<Step>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Up,
    /// Until this time games continue, if there are any.
    Draining(usize),
    /// Down until this time.
    Down(usize),
}

struct Session {
    /// The server, and the index among its sessions.
    at: Option<(usize, usize)>,
    activity: Activity,
}

#[derive(Clone, Copy)]
enum Event {
    /// A session has finished its activity.
    Done(usize),
    /// A session that lost its server finds another one.
    Returns(usize),
}

pub struct Fleet<'a> {
    curve: &'a Curve,
    plan: Plan,
    balancer: Balancer,
    dice: Dice,
    now: usize,
    /// Start of the measurement and end of the simulation.
    counts_from: usize,
    end: usize,
    events: Vec<Vec<Event>>,
    sessions: Vec<Session>,
    free: Vec<usize>,
    states: Vec<State>,
    seen: Vec<Seen>,
    present: Vec<Vec<usize>>,
    /// Since when each server has had its present number of games.
    since: Vec<usize>,
    /// Seconds of servers by hour and number of games.
    spent: Vec<Vec<f64>>,
    delays: Vec<Waits>,
    /// The next server to replace, and the servers being replaced.
    next: usize,
    replaced: Vec<usize>,
    record: bool,
    outcome: Outcome,
}

impl<'a> Fleet<'a> {
    /// Simulates a whole day.
    pub fn day(plan: Plan, curve: &'a Curve) -> Outcome {
        Fleet::new(plan, curve, DAWN, DAWN + DAY, false).run()
    }

    /// Simulates this many seconds from the busiest time on, eight in the evening.
    pub fn evening(plan: Plan, curve: &'a Curve, time: usize) -> Outcome {
        Fleet::new(plan, curve, EVENING, EVENING + time, false).run()
    }

    /// The same, recording all actions.
    pub fn recorded(plan: Plan, curve: &'a Curve, time: usize) -> Outcome {
        Fleet::new(plan, curve, EVENING, EVENING + time, true).run()
    }

    fn new(plan: Plan, curve: &'a Curve, counts_from: usize, end: usize, record: bool) -> Fleet<'a> {
        let (count, begin) = (plan.servers, counts_from - BEFORE);
        let seen = Seen { open: true, weight: 100.0, ..Seen::default() };
        Fleet {
            curve,
            balancer: Balancer::new(plan.policy),
            dice: Dice::of_seed(plan.seed),
            plan,
            now: begin,
            counts_from,
            end,
            events: (begin..end).map(|_| Vec::new()).collect(),
            sessions: Vec::new(),
            free: Vec::new(),
            states: vec![State::Up; count],
            seen: vec![seen; count],
            present: vec![Vec::new(); count],
            since: vec![begin; count],
            spent: vec![Vec::new(); 24],
            delays: vec![Waits::default(); 24],
            next: 0,
            replaced: Vec::new(),
            record,
            outcome: Outcome { even: vec![Waits::default(); 24], ..Outcome::default() },
        }
    }

    fn run(mut self) -> Outcome {
        let begin = self.now;
        while self.now < self.end {
            self.states_change();
            self.upgrade();
            for event in std::mem::take(&mut self.events[self.now - begin]) {
                match event {
                    Event::Done(session) => self.done(session),
                    Event::Returns(session) => self.place(session),
                }
            }
            self.arrivals();
            if self.now.is_multiple_of(AGENT_EVERY) {
                self.ask_agents();
            }
            self.note_spread();
            self.now += 1;
        }
        for server in 0..self.seen.len() {
            self.account(server);
        }
        self.outcome.hours = self.delays;
        for (waits, spent) in self.outcome.hours.iter_mut().zip(&self.spent) {
            for (games, &time) in spent.iter().enumerate().filter(|(_, time)| **time > 0.0) {
                self.curve.add(games as f64, time, waits);
            }
        }
        self.outcome
    }

    fn hour(&self) -> usize {
        self.now / HOUR % 24
    }

    /// Returns true once the measurement has begun.
    fn counts(&self) -> bool {
        self.now >= self.counts_from
    }

    /// Schedules an event after this many seconds, unless that is past the end.
    fn after(&mut self, seconds: f64, event: Event) {
        let begin = self.end - self.events.len();
        let at = self.now + (seconds.round() as usize).max(1);
        if at < self.end {
            self.events[at - begin].push(event);
        }
    }

    fn note(&mut self, session: usize) {
        if self.record {
            let Session { at, activity } = self.sessions[session];
            let to = at.map(|(server, _)| (server, activity));
            self.outcome.steps.push(Step { time: self.now, session, to });
        }
    }

    fn arrivals(&mut self) {
        let rate = self.plan.sessions * self.plan.servers as f64 / session_length() * rush(self.now as f64);
        for _ in 0..self.dice.poisson(rate) {
            let activity = Activity::first(&mut self.dice);
            let session = Session { at: None, activity };
            let id = match self.free.pop() {
                Some(id) => id,
                None => self.sessions.len(),
            };
            if id == self.sessions.len() {
                self.sessions.push(session);
            } else {
                self.sessions[id] = session;
            }
            self.outcome.sessions += usize::from(self.counts());
            self.begin(id, activity);
            self.place(id);
        }
    }

    fn begin(&mut self, session: usize, activity: Activity) {
        self.sessions[session].activity = activity;
        let duration = activity.duration(&mut self.dice);
        self.after(duration, Event::Done(session));
    }

    fn done(&mut self, id: usize) {
        let at = self.sessions[id].at;
        // A session without a server does not leave.
        if at.is_some() && self.dice.happens(LEAVES) {
            self.take(id);
            return self.free.push(id);
        }
        let activity = Activity::next(&mut self.dice);
        if let Some((server, _)) = at {
            self.count(server, self.sessions[id].activity, -1);
            self.count(server, activity, 1);
        }
        self.begin(id, activity);
        self.note(id);
        // A draining server has waited for the end of the game.
        if let Some((server, _)) = at
            && matches!(self.states[server], State::Draining(_))
        {
            self.lose(id, 0.0);
        }
    }

    /// Puts a session on a server.
    fn place(&mut self, id: usize) {
        let activity = self.sessions[id].activity;
        let Some(server) = self.balancer.choose(&self.seen, activity == Activity::Game, &mut self.dice)
        else {
            return self.after(1.0, Event::Returns(id));
        };
        self.sessions[id].at = Some((server, self.present[server].len()));
        self.present[server].push(id);
        self.seen[server].sessions += 1;
        self.count(server, activity, 1);
        self.note(id);
    }

    /// Takes a session from its server.
    fn take(&mut self, id: usize) {
        let Some((server, place)) = self.sessions[id].at.take() else { return };
        self.present[server].swap_remove(place);
        if let Some(&other) = self.present[server].get(place) {
            self.sessions[other].at = Some((server, place));
        }
        self.seen[server].sessions -= 1;
        self.count(server, self.sessions[id].activity, -1);
        self.note(id);
    }

    /// A session loses its server, which is noticed after this many seconds.
    fn lose(&mut self, id: usize, noticed: f64) {
        self.take(id);
        let time = noticed + self.dice.between(MOVE.0, MOVE.1);
        self.after(time, Event::Returns(id));
        if !self.counts() {
            return;
        }
        self.outcome.moved += 1;
        if self.sessions[id].activity == Activity::Game && self.dice.happens(self.curve.duty()) {
            self.outcome.delayed += 1;
            let hour = self.hour();
            self.delays[hour].note(time * 1e3);
        }
    }

    fn count(&mut self, server: usize, activity: Activity, by: isize) {
        if activity == Activity::Game {
            self.account(server);
        }
        let seen = &mut self.seen[server];
        let count = match activity {
            Activity::Game => &mut seen.games,
            Activity::Analysis => &mut seen.analyses,
            Activity::Idle => return,
        };
        *count = count.checked_add_signed(by).expect("a session of the server");
    }

    /// Accounts for the time for which a server had its present number of games.
    fn account(&mut self, server: usize) {
        let since = std::mem::replace(&mut self.since[server], self.now).max(self.counts_from);
        let time = self.now.saturating_sub(since);
        if time > 0 {
            let (games, hour) = (self.seen[server].games, (self.now - 1) / HOUR % 24);
            let spent = &mut self.spent[hour];
            if spent.len() <= games {
                spent.resize(games + 1, 0.0);
            }
            spent[games] += time as f64;
        }
    }

    /// Records the distribution of games, and the waits if they were spread evenly.
    fn note_spread(&mut self) {
        // Games come and go within minutes: once in ten seconds is enough.
        if !self.counts() || !self.now.is_multiple_of(10) {
            return;
        }
        let hour = self.hour();
        let up = self.states.iter().filter(|state| !matches!(state, State::Down(_))).count().max(1) as f64;
        let games: usize = self.seen.iter().map(|server| server.games).sum();
        self.curve.add(games as f64 / up, 10.0 * up, &mut self.outcome.even[hour]);
        let most = self.seen.iter().map(|server| server.games).max().unwrap_or_default();
        if most > self.outcome.worst.0 {
            self.outcome.worst = (most, games as f64 / up);
        }
    }

    fn ask_agents(&mut self) {
        let Policy::Agent(weight) = self.plan.policy else { return };
        let duty = self.curve.duty();
        for server in 0..self.seen.len() {
            let Seen { games, analyses, weight: before, .. } = self.seen[server];
            let clocks = self.dice.binomial(games, duty);
            let passed = AGENT_EVERY as f64;
            self.seen[server].weight = weigh(weight, before, passed, self.curve.tokens, clocks, analyses);
        }
    }

    /// Servers fail and come back.
    fn states_change(&mut self) {
        for server in 0..self.states.len() {
            match self.states[server] {
                State::Down(until) if until <= self.now => self.set(server, State::Up),
                State::Up if self.plan.deaths && self.dice.happens(1.0 / LIVES) => {
                    self.set(server, State::Down(self.now + BACK_AFTER));
                    self.outcome.deaths += usize::from(self.counts());
                    self.lose_all(server, NOTICED_AFTER as f64, |_| true);
                }
                State::Draining(until) if until <= self.now || self.present[server].is_empty() => {
                    let restart = self.plan.upgrade.map_or(0, |upgrade| upgrade.restart);
                    self.set(server, State::Down(self.now + restart));
                    self.lose_all(server, 0.0, |_| true);
                }
                _ => {}
            }
        }
    }

    fn set(&mut self, server: usize, state: State) {
        self.states[server] = state;
        self.seen[server].open = state == State::Up;
    }

    fn lose_all(&mut self, server: usize, noticed: f64, which: impl Fn(Activity) -> bool) {
        for id in self.present[server].clone() {
            if which(self.sessions[id].activity) {
                self.lose(id, noticed);
            }
        }
    }

    /// Replaces the next servers when the previous ones are back.
    fn upgrade(&mut self) {
        let Some(upgrade) = self.plan.upgrade else { return };
        if !self.counts() || self.now < upgrade.at || self.next > self.states.len() {
            return;
        }
        let present = self.seen.iter().map(|server| server.sessions).sum();
        let (_, there) = *self.outcome.upgrade.get_or_insert((0, present));
        if self.replaced.iter().any(|&server| self.states[server] != State::Up) {
            return;
        }
        self.outcome.upgrade = Some((self.now - upgrade.at, there));
        if self.next == self.states.len() {
            self.next += 1;
            return;
        }
        let last = (self.next + upgrade.batch).min(self.states.len());
        self.replaced = (self.next..last).filter(|&server| self.states[server] == State::Up).collect();
        self.next = last;
        for server in self.replaced.clone() {
            self.set(server, State::Draining(self.now + upgrade.drain));
            // Sessions without a game find another server at once.
            self.lose_all(server, 0.0, |activity| activity != Activity::Game);
        }
    }
}
