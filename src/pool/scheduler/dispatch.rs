//! Which search gets a free token and for how long, and which token is revoked.

use super::class_queue::QueueKind;
use super::{Class, Decision, EntryState, JobId, Scheduler, SearchEntry};
use std::time::{Duration, Instant};

/// The first slice of a search: enough for some plies, too short to delay others noticeably.
/// Without a clock, or when many searches wait, the slice ends sooner, with the first variation.
const FIRST_SLICE: Duration = Duration::from_millis(2);
/// A slice of a search with a clock: short, as many such searches may be short of time.
const CLOCK_SLICE: Duration = Duration::from_millis(5);
/// Any other slice. Much shorter slices would thrash the caches; longer ones would be felt as
/// pauses.
const SLICE: Duration = Duration::from_millis(10);
/// A slice when the wait queue is so long that pauses are long anyway. A search with a clock does
/// not wait for its end.
const LONG_SLICE: Duration = Duration::from_millis(20);
/// Waiting searches per token above which slices are long.
const LONG_SLICE_WAITERS: usize = 8;
/// Maximum time in which every search gets a slice. With thousands of searches slices shrink to
/// that end, as a client sees nothing new for so long; but not below the second.
const MAX_ROUND: Duration = Duration::from_secs(20);
const SHORTEST_SLICE: Duration = Duration::from_millis(2);

/// Slices of searches whose suspension is costly: the first with a clock, a later one with a clock,
/// and any other one. The last grows to half of what the search has run, since a part of that is
/// done again after a suspension; up to the longest.
const COARSE_FIRST_SLICE: Duration = Duration::from_millis(20);
const COARSE_CLOCK_SLICE: Duration = Duration::from_millis(30);
const COARSE_SLICE: Duration = Duration::from_millis(100);
const LONGEST_COARSE_SLICE: Duration = Duration::from_secs(1);

/// Balance of replies against their share of the tokens.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct ReplyLead {
    /// Run time of the background that would even it out, in nanoseconds.
    ahead: i64,
}

impl ReplyLead {
    /// Parts of the run time that replies get for each part of the background.
    const REPLY_WEIGHT: i64 = 3;
    /// Maximum of the difference to be evened out, in nanoseconds: one side may have had too few
    /// searches to use its share.
    const MAX_NS: i64 = 100_000_000;

    pub(super) fn note_run(&mut self, kind: QueueKind, ran: Duration) {
        let ran = i64::try_from(ran.as_nanos())
            .unwrap_or(ReplyLead::MAX_NS)
            .min(ReplyLead::REPLY_WEIGHT * ReplyLead::MAX_NS);
        let ahead = match kind {
            QueueKind::Reply => self.ahead + ran / ReplyLead::REPLY_WEIGHT,
            QueueKind::Background => self.ahead - ran,
            QueueKind::Clock | QueueKind::Help => self.ahead,
        };
        self.ahead = ahead.clamp(-ReplyLead::MAX_NS, ReplyLead::MAX_NS);
    }

    /// The queues in the order in which they are served.
    fn order(self) -> [QueueKind; 4] {
        if self.ahead <= 0 {
            [QueueKind::Clock, QueueKind::Reply, QueueKind::Background, QueueKind::Help]
        } else {
            [QueueKind::Clock, QueueKind::Background, QueueKind::Reply, QueueKind::Help]
        }
    }
}

impl Scheduler {
    /// Hands out free tokens, then revokes as many as searches of higher priority wait for.
    pub(super) fn dispatch(&mut self, now: Instant, decisions: &mut Vec<Decision>) {
        for kind in QueueKind::ALL {
            let least = self.least(kind, now);
            self.queues[kind as usize].raise_floor(least);
        }
        while self.running.len() < self.tokens {
            let Some(job) = self.next(now) else { break };
            decisions.push(self.grant(job, now));
        }
        self.revoke(now, decisions);
        #[cfg(debug_assertions)]
        self.check_invariants();
    }

    fn next(&self, now: Instant) -> Option<JobId> {
        self.lead.order().into_iter().find_map(|kind| self.candidate(kind, now))
    }

    /// The search of a queue that should run next.
    fn candidate(&self, kind: QueueKind, now: Instant) -> Option<JobId> {
        let queue = &self.queues[kind as usize];
        let least_waiting = queue.waiting.least()?;
        // If all waiting searches are too far ahead of a running one, compare them with each other.
        let within = |least| self.candidate_within(kind, least, now);
        within(self.least(kind, now)).or_else(|| within(least_waiting))
    }

    /// The search of a queue that should run next, among those not too far ahead of `least` virtual
    /// run time.
    fn candidate_within(&self, kind: QueueKind, least: Duration, now: Instant) -> Option<JobId> {
        let queue = &self.queues[kind as usize];
        let clock = kind == QueueKind::Clock;
        let fresh = queue.may_start_new().then(|| {
            let lead_limit = queue.lead_limit(least, true);
            match clock {
                true => queue.waiting.most_delayed(true, lead_limit, now),
                false => queue.waiting.first_fresh(lead_limit),
            }
        });
        fresh.flatten().or_else(|| match clock {
            true => queue.waiting.most_delayed(false, queue.lead_limit(least, false), now),
            false => queue.waiting.first(),
        })
    }

    fn grant(&mut self, job: JobId, now: Instant) -> Decision {
        self.dequeue(job);
        let entry = self.jobs.get_mut(&job).expect("a waiting search is known");
        let first = !entry.started;
        let (class, waited) = (entry.class, now.saturating_duration_since(entry.since));
        entry.started = true;
        entry.in_first_slice = first;
        entry.since = now;
        entry.state = EntryState::Running { charged: now, revoked: false };
        let kind = entry.kind();
        self.started += usize::from(first);
        self.running.push(job);
        self.running_by_class[class as usize] += 1;
        let waiting = self.queues[kind as usize].waiting.len();
        let many_wait = waiting > LONG_SLICE_WAITERS * self.tokens;
        let (coarse, ran) = (entry.coarse, entry.ran);
        let slice = match kind {
            QueueKind::Clock if coarse && first => COARSE_FIRST_SLICE,
            QueueKind::Clock if coarse => COARSE_CLOCK_SLICE,
            _ if coarse => (ran / 2).clamp(COARSE_SLICE, LONGEST_COARSE_SLICE),
            // The slice ends with the first variation, which may take many nodes in a sharp
            // position.
            _ if first && kind != QueueKind::Clock => LONG_SLICE,
            _ if first => FIRST_SLICE,
            QueueKind::Clock => CLOCK_SLICE,
            _ if many_wait => {
                (MAX_ROUND * self.tokens as u32 / waiting as u32).clamp(SHORTEST_SLICE, LONG_SLICE)
            }
            _ => SLICE,
        };
        let until_variation = first && (many_wait || kind != QueueKind::Clock);
        if let Some(entry) = self.jobs.get_mut(&job) {
            entry.expected = self.queues[kind as usize].start_slice(entry, slice);
        }
        Decision::Grant { job, until: now + slice, first, until_variation, class, waited }
    }

    /// Searches with a clock take the tokens of all other classes; every search takes those of
    /// helpers; a new search or a reply takes one in a long slice.
    fn revoke(&mut self, now: Instant, decisions: &mut Vec<Decision>) {
        let waiting = |kind: QueueKind| self.queues[kind as usize].waiting.len();
        let clocks = waiting(QueueKind::Clock);
        let all = clocks + waiting(QueueKind::Reply) + waiting(QueueKind::Background);
        if all == 0 {
            return;
        }
        let is_urgent = self.coarse > 0 && self.next(now).is_some_and(|job| self.is_urgent(job));
        let mut revocations = self.running.iter().filter(|job| self.jobs[job].is_revoked()).count();
        let mut others: Vec<_> = self
            .running
            .iter()
            .map(|&job| (self.jobs[&job], job))
            .filter(|(entry, _)| entry.class != Class::Clock && !entry.is_revoked())
            .map(|(entry, job)| (entry.class, self.time_at(job, now), job))
            .collect();
        // Lowest class first; within a class, the search whose source has used most.
        others.sort_unstable();
        for (class, _, job) in others.into_iter().rev() {
            let is_long = self.has_long_slice(job);
            let wanted = match class {
                Class::Help => all,
                Class::Analysis | Class::Ponder if is_long && is_urgent => clocks.max(1),
                Class::Analysis | Class::Ponder | Class::Reply | Class::Clock => clocks,
            };
            if revocations >= wanted {
                continue;
            }
            revocations += 1;
            if let Some(SearchEntry { state: EntryState::Running { revoked, .. }, .. }) =
                self.jobs.get_mut(&job)
            {
                *revoked = true;
            }
            decisions.push(Decision::Revoke { job });
        }
    }

    /// Whether a search goes before those in a long slice: a new one, or a reply.
    fn is_urgent(&self, job: JobId) -> bool {
        let entry = &self.jobs[&job];
        !entry.started || entry.class == Class::Reply
    }

    /// Whether a search is in a long slice, other than its first: a new search has a variation
    /// soon, and would lose its preparation.
    fn has_long_slice(&self, job: JobId) -> bool {
        let entry = &self.jobs[&job];
        entry.coarse && !entry.in_first_slice
    }
}

impl SearchEntry {
    /// Whether the token of the search has been revoked.
    pub(super) fn is_revoked(&self) -> bool {
        matches!(self.state, EntryState::Running { revoked: true, .. })
    }
}
