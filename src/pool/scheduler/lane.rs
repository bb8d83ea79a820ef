//! Searches that compete with each other as equals, and what their sources have had.
//!
//! The measure is virtual run time: what a search has run, times what a moment of its class costs, for each share of its
//! source. It belongs to the source: who stops a search and starts another goes on where it stood, so starting again gains
//! nothing. Within a source it belongs to the owner in the same way.

use super::Job;
use super::account::Account;
use super::ledger::Ledger;
use super::line::{Credit, Line};
use crate::pool::{Class, JobId, Source};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Which lane a class runs in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Track {
    Clock,
    Reply,
    /// Analyses and pondering.
    Background,
    Help,
}

impl Track {
    pub(super) const ALL: [Track; 4] = [Track::Clock, Track::Reply, Track::Background, Track::Help];

    pub(super) fn of(class: Class) -> Track {
        match class {
            Class::Clock => Track::Clock,
            Class::Reply => Track::Reply,
            Class::Analysis | Class::Ponder => Track::Background,
            Class::Help => Track::Help,
        }
    }

    /// How far ahead of the source that has had least one with a clock may be and still be preferred to it, as more
    /// urgent. For a first look, which is short, twice as far; without a clock, too.
    pub(super) fn credit(self) -> Duration {
        match self {
            Track::Clock => Duration::from_secs(1),
            Track::Reply | Track::Background | Track::Help => Duration::from_millis(20),
        }
    }

    /// No virtual run time is further ahead than that of the least, so that nobody pays long for what was free.
    pub(super) fn most_ahead(self) -> Duration {
        match self {
            Track::Clock => 3 * self.credit(),
            // More than the longest slice at the price of pondering.
            Track::Reply | Track::Background | Track::Help => Duration::from_millis(100),
        }
    }
}

/// How far ahead a source may be and still be preferred that wants to run more searches than it has shares: a crowd has
/// always a search that is more urgent than that of somebody alone.
const CROWD_AHEAD: Duration = Duration::from_millis(20);

/// What a moment of a search costs in virtual run time. An analysis gets four times the run time of a search that
/// ponders: somebody watches it, while what is pondered is thrown away at every other move.
pub(super) fn price(class: Class) -> u32 {
    if class == Class::Ponder { 4 } else { 1 }
}

/// Run time that first looks may take at once. After so much of it they take turns with those that have begun, and get
/// so many parts of the time while these get one: an endless stream of newcomers does not stop them.
const LOOKS: Duration = Duration::from_millis(500);
const PARTS: u32 = 3;

/// Sources that are remembered, of those that have no search in the lane.
const SOURCES: usize = 1 << 14;

/// The searches of one track.
pub(super) struct Lane {
    track: Track,
    pub(super) line: Line,
    /// Of sources that have a search here.
    accounts: HashMap<u64, Account>,
    /// Of those that had one.
    ledger: Ledger,
    /// The least virtual run time there has been; never falls.
    floor: Duration,
    /// Run time of first looks, less what others ran since.
    looked: Duration,
}

impl Lane {
    pub(super) fn new(track: Track) -> Lane {
        Lane {
            track,
            line: Line::default(),
            accounts: HashMap::new(),
            ledger: Ledger::new(SOURCES),
            floor: Duration::ZERO,
            looked: Duration::ZERO,
        }
    }

    /// The least virtual run time of a source in the lane, if those of which a search runs have these.
    pub(super) fn least(&self, running: impl Iterator<Item = Duration>) -> Duration {
        self.line.least().into_iter().chain(running).min().unwrap_or_default().max(self.floor)
    }

    pub(super) fn raise_floor(&mut self, least: Duration) {
        self.floor = self.floor.max(least);
    }

    /// Changes what is known of a source, and puts it where it belongs then.
    fn with<T>(&mut self, source: Source, change: impl FnOnce(&mut Account) -> T) -> T {
        let account = self.accounts.get_mut(&source.id).expect("a search in the lane has an account");
        let changed = change(account);
        self.line.place(source.id, account);
        changed
    }

    /// A search comes into the lane. Returns what its owner has had, of the part of its source.
    pub(super) fn enter(&mut self, source: Source, owner: u64) -> Duration {
        let most_ahead = self.track.most_ahead();
        let had = || self.ledger.of(source.id).unwrap_or_default();
        self.accounts.entry(source.id).or_insert_with(|| Account::new(source, had()));
        self.with(source, |account| account.enter(source, owner, most_ahead))
    }

    /// A search goes out that neither runs nor waits.
    pub(super) fn exit(&mut self, job: JobId, entry: &Job, now: Instant) {
        let Some(account) = self.accounts.get_mut(&entry.source.id) else { return };
        if !account.exit(job.owner, entry.virtual_time, now) {
            self.ledger.keep(entry.source.id, account.time(Duration::ZERO), self.floor, now);
            self.accounts.remove(&entry.source.id);
        }
    }

    /// A search that was away wants to run, where `least` is the least virtual run time of others.
    pub(super) fn wake(&mut self, source: Source, least: Duration) {
        let most_ahead = self.track.most_ahead();
        self.with(source, |account| account.wake(least, most_ahead));
    }

    /// The virtual run time at which a search goes on that was held.
    pub(super) fn clamp(&self, entry: &Job) -> Duration {
        let account = self.accounts.get(&entry.source.id);
        account
            .map_or(entry.virtual_time, |account| account.clamp(entry.virtual_time, self.track.most_ahead()))
    }

    /// A search waits for a token from now on.
    pub(super) fn join(&mut self, job: JobId, entry: &Job) {
        self.line.join(job, entry);
        self.with(entry.source, Account::join);
    }

    /// A search does not wait any more.
    pub(super) fn leave(&mut self, entry: &Job) {
        self.line.leave(entry);
        self.with(entry.source, Account::leave);
    }

    /// A search that waits gets a token for so long. Returns what its source is expected to pay for that.
    pub(super) fn begin(&mut self, entry: &Job, slice: Duration) -> Duration {
        let least = self.line.least_of(entry.source.id).unwrap_or(entry.virtual_time).min(entry.virtual_time);
        let slice = slice * price(entry.class);
        self.with(entry.source, |account| account.begin(slice, least))
    }

    /// A search has come into the lane with its token.
    pub(super) fn begin_unforeseen(&mut self, source: Source) {
        self.with(source, Account::begin_unforeseen);
    }

    /// A search has no token any more.
    pub(super) fn end(&mut self, source: Source) {
        self.with(source, Account::end);
    }

    /// A search has run for so long since it was charged.
    pub(super) fn charge(&mut self, entry: &mut Job, ran: Duration) {
        let most_ahead = self.track.most_ahead();
        let (ran, expected) = (ran * price(entry.class), std::mem::take(&mut entry.expected));
        entry.virtual_time = self.with(entry.source, |account| {
            account.charge(ran, expected);
            account.cap_owner(entry.virtual_time + ran, most_ahead)
        });
    }

    /// No source is further ahead than that.
    pub(super) fn cap(&mut self, source: Source, most: Duration) {
        self.with(source, |account| account.cap(most));
    }

    /// The virtual run time of a source of which a search has run for so long since it was charged.
    pub(super) fn time_of(&self, entry: &Job, ran: Duration) -> Duration {
        let account = self.accounts.get(&entry.source.id);
        account.map(|account| account.time(ran * price(entry.class))).unwrap_or_default()
    }

    /// Who may be preferred as more urgent, if the source that has had least has had this.
    pub(super) fn credit(&self, least: Duration, is_look: bool) -> Credit {
        let ahead = if is_look { 2 * self.track.credit() } else { self.track.credit() };
        Credit { least, ahead, crowd_ahead: CROWD_AHEAD }
    }

    /// Whether those that have not run yet may go first.
    pub(super) fn may_look(&self) -> bool {
        self.looked < LOOKS
    }

    /// So much was run, in a first look or otherwise.
    pub(super) fn note_run(&mut self, ran: Duration, first: bool) {
        // While there are only newcomers nobody is kept waiting by them.
        self.looked =
            if first { (self.looked + ran).min(LOOKS) } else { self.looked.saturating_sub(ran * PARTS) };
    }

    /// Panics if accounts contradict each other, the line, or the searches that wait, that run, and that there are.
    pub(super) fn check_accounts(&self, counts: [usize; 3]) {
        let mut sums = [0; 3];
        for (&source, account) in &self.accounts {
            assert!(self.line.is_placed(source, account), "source {source} stands in a wrong place");
            let counts = account.counts();
            assert!(counts[2] > 0 && counts[2] >= counts[0] + counts[1], "source {source} has no search");
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        assert_eq!(sums, counts, "sources know their searches");
    }
}
