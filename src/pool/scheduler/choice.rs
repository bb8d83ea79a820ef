//! Who gets a free token and for how long, and who is asked for one.

use super::lane::Track;
use super::{Class, Job, JobId, Order, Scheduler, State};
use std::time::{Duration, Instant};

/// The first slice of a search: enough for some plies, too little to be felt by those that wait. Where many wait, and
/// without a clock, it ends sooner, with the first variation.
const LOOK: Duration = Duration::from_millis(2);
/// A slice with a clock: short, as there may be many whose time is short.
const CLOCK: Duration = Duration::from_millis(5);
/// Any other slice. Much shorter would thrash the caches, longer would be felt as a pause by those that wait.
const SLICE: Duration = Duration::from_millis(10);
/// The same where so many wait that the pauses are long in any case. A clock need not wait for its end.
const LONG_SLICE: Duration = Duration::from_millis(20);
/// So many for each token are many.
const CROWD: usize = 8;

/// How far replies are ahead of their share, or behind it.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Lead {
    /// Nanoseconds of run time in the background that would make up for it.
    ahead: i64,
}

impl Lead {
    /// Parts that replies get while the background gets one.
    const PARTS: i64 = 3;
    /// No more than this is made up for: one of the two may have been unable to use its share, as it had too few searches.
    const MOST: i64 = 100_000_000;

    pub(super) fn note_run(&mut self, track: Track, ran: Duration) {
        let ran = i64::try_from(ran.as_nanos()).unwrap_or(Lead::MOST).min(Lead::PARTS * Lead::MOST);
        let ahead = match track {
            Track::Reply => self.ahead + ran / Lead::PARTS,
            Track::Background => self.ahead - ran,
            Track::Clock | Track::Help => self.ahead,
        };
        self.ahead = ahead.clamp(-Lead::MOST, Lead::MOST);
    }

    /// The tracks in the order in which they come.
    fn order(self) -> [Track; 4] {
        if self.ahead <= 0 {
            [Track::Clock, Track::Reply, Track::Background, Track::Help]
        } else {
            [Track::Clock, Track::Background, Track::Reply, Track::Help]
        }
    }
}

impl Scheduler {
    /// Hands out free tokens, then asks for as many as those wait for who go before.
    pub(super) fn dispatch(&mut self, now: Instant, orders: &mut Vec<Order>) {
        for track in Track::ALL {
            let least = self.least(track, now);
            self.lanes[track as usize].raise_floor(least);
        }
        while self.running.len() < self.tokens {
            let Some(job) = self.next(now) else { break };
            orders.push(self.grant(job, now));
        }
        self.revoke(now, orders);
        #[cfg(debug_assertions)]
        self.check_invariants();
    }

    fn next(&self, now: Instant) -> Option<JobId> {
        self.lead.order().into_iter().find_map(|track| self.candidate(track, now))
    }

    /// Who of a track should run next.
    fn candidate(&self, track: Track, now: Instant) -> Option<JobId> {
        let lane = &self.lanes[track as usize];
        let least_waiting = lane.line.least()?;
        // Where all that wait are too far ahead of one that runs, they are compared with each other.
        let within = |least| self.candidate_within(track, least, now);
        within(self.least(track, now)).or_else(|| within(least_waiting))
    }

    /// Who of a track should run next, of those that are not too far ahead of the least virtual run time.
    fn candidate_within(&self, track: Track, least: Duration, now: Instant) -> Option<JobId> {
        let lane = &self.lanes[track as usize];
        if lane.may_look() {
            let credit = lane.credit(least, true);
            let fresh = match track {
                Track::Clock => lane.line.most_delayed_fresh(credit, now),
                _ => lane.line.first_fresh(credit),
            };
            if fresh.is_some() {
                return fresh;
            }
        }
        match track {
            Track::Clock => lane.line.most_delayed(lane.credit(least, false), now),
            _ => lane.line.first(),
        }
    }

    fn grant(&mut self, job: JobId, now: Instant) -> Order {
        self.leave_line(job);
        let entry = self.jobs.get_mut(&job).expect("only known searches are in a line");
        let first = !entry.started;
        entry.started = true;
        entry.looks = first;
        entry.since = now;
        entry.state = State::Running { charged: now, revoked: false };
        let track = entry.track();
        self.started += usize::from(first);
        self.running.push(job);
        let crowd = self.lanes[track as usize].line.len() > CROWD * self.tokens;
        let slice = match track {
            // It ends with the first variation, which in a sharp position may take many nodes.
            _ if first && track != Track::Clock => LONG_SLICE,
            _ if first => LOOK,
            Track::Clock => CLOCK,
            _ if crowd => LONG_SLICE,
            _ => SLICE,
        };
        let brief = first && (crowd || track != Track::Clock);
        if let Some(entry) = self.jobs.get_mut(&job) {
            entry.expected = self.lanes[track as usize].begin(entry, slice);
        }
        Order::Grant { job, until: now + slice, first, brief }
    }

    /// Those that wait with a clock want the tokens of all others, and everybody those of helpers.
    fn revoke(&mut self, now: Instant, orders: &mut Vec<Order>) {
        let waiting = |track: Track| self.lanes[track as usize].line.len();
        let clocks = waiting(Track::Clock);
        let anybody = clocks + waiting(Track::Reply) + waiting(Track::Background);
        if anybody == 0 {
            return;
        }
        let mut asked = self.running.iter().filter(|job| self.jobs[job].is_asked()).count();
        let mut others: Vec<_> = self
            .running
            .iter()
            .map(|&job| (self.jobs[&job], job))
            .filter(|(entry, _)| entry.class != Class::Clock && !entry.is_asked())
            .map(|(entry, job)| (entry.class, self.time_at(job, now), job))
            .collect();
        // Who is worth least gives first, and of equals who has had most.
        others.sort_unstable();
        for (class, _, job) in others.into_iter().rev() {
            let wanted = if class == Class::Help { anybody } else { clocks };
            if asked >= wanted {
                continue;
            }
            asked += 1;
            if let Some(Job { state: State::Running { revoked, .. }, .. }) = self.jobs.get_mut(&job) {
                *revoked = true;
            }
            orders.push(Order::Revoke { job });
        }
    }
}

impl Job {
    /// Was asked for the token that it holds.
    pub(super) fn is_asked(&self) -> bool {
        matches!(self.state, State::Running { revoked: true, .. })
    }
}
