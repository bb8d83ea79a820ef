//! Lines that are not yet written. A value: no clock, no thread, no file.

use super::format::LogFormat;
use super::kind::Kind;
use super::limit::{Limiter, Rate, Suppressed};
use crate::metrics::{Counters, labels};
use std::collections::VecDeque;
use std::mem::take;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Period in which lines of a kind are counted together.
const PERIOD: Duration = Duration::from_secs(10);
/// Limit for lines of one source location and origin. Enough for a ban after five failures.
const ORIGIN_LIMIT: Rate = Rate { most: 10, period: PERIOD };
/// Limit for lines of one source location.
const PLACE_LIMIT: Rate = Rate { most: 100, period: PERIOD };
/// Maximum number of origins counted in a period. Lines of further origins are limited by location
/// only.
const MAX_ORIGINS: usize = 1024;
/// Maximum number of locations counted; more than the source has.
const MAX_PLACES: usize = 1024;
/// Maximum number of lines that wait to be written. Further ones are dropped. A line has at most
/// about 2,000 bytes.
const MAX_QUEUED: usize = 1024;

/// Lines that wait, with limits everywhere.
pub(super) struct Backlog {
    by_origin: Limiter<u64, String>,
    by_place: Limiter<u64, String>,
    lines: VecDeque<String>,
    dropped: u64,
    format: LogFormat,
}

impl Backlog {
    /// An empty backlog of lines in this form.
    pub(super) fn new(format: LogFormat) -> Backlog {
        Backlog {
            by_origin: Limiter::new(ORIGIN_LIMIT, MAX_ORIGINS),
            by_place: Limiter::new(PLACE_LIMIT, MAX_PLACES),
            lines: VecDeque::new(),
            dropped: 0,
            format,
        }
    }

    /// Queues, counts or drops a line. One without a kind is not counted with others.
    pub(super) fn push(&mut self, kind: Option<Kind>, line: String, now: Instant) {
        self.sum_up(now);
        let Some(kind) = kind else { return self.queue(line) };
        let repeated = dropped().of(DropCause::Repeated);
        let passed = match kind.origin {
            Some(origin) => self.by_origin.pass(origin, line, now),
            None => Some(line),
        };
        match passed.and_then(|line| self.by_place.pass(kind.place, line, now)) {
            Some(line) => self.queue(line),
            None => repeated.add(1),
        }
    }

    fn queue(&mut self, line: String) {
        if self.lines.len() < MAX_QUEUED {
            self.lines.push_back(line);
        } else {
            self.dropped += 1;
            dropped().of(DropCause::Full).add(1);
        }
    }

    /// Queues the counts of periods that have ended.
    pub(super) fn sum_up(&mut self, now: Instant) {
        while let Some(held) = self.by_origin.take_due(now).or_else(|| self.by_place.take_due(now)) {
            self.tell(held);
        }
    }

    pub(super) fn sum_up_all(&mut self) {
        while let Some(held) = self.by_origin.take().or_else(|| self.by_place.take()) {
            self.tell(held);
        }
    }

    fn tell(&mut self, held: Suppressed<String>) {
        let line = self.format.with_others(held.first, held.more, PERIOD.as_secs());
        self.queue(line);
    }

    /// When the next period ends, at the earliest.
    pub(super) fn next(&self) -> Option<Instant> {
        [self.by_origin.next(), self.by_place.next()].into_iter().flatten().min()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Takes the lines to be written, oldest first.
    pub(super) fn take(&mut self) -> VecDeque<String> {
        take(&mut self.lines)
    }

    /// Takes the number of lines that were dropped since the last call, which only happens while
    /// others wait.
    pub(super) fn take_dropped(&mut self) -> u64 {
        take(&mut self.dropped)
    }
}

labels! {
    /// Reason for dropping a line.
    pub enum DropCause {
        /// Too many of its kind; one line gives their number.
        Repeated = "repeated",
        /// The log's reader is too slow.
        Full = "full",
    }
}

/// Returns the process-wide counters of dropped lines.
pub fn dropped() -> &'static Counters<DropCause> {
    static DROPPED: LazyLock<Counters<DropCause>> = LazyLock::new(Counters::default);
    &DROPPED
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> String {
        text.to_owned()
    }

    fn texts(backlog: &mut Backlog) -> Vec<String> {
        backlog.take().into()
    }

    #[test]
    fn a_flood_of_one_origin_is_summed_up_and_hides_no_other() {
        let start = Instant::now();
        let mut backlog = Backlog::new(LogFormat::Text);
        let from = |origin| Some(Kind { place: 1, origin: Some(origin) });
        (0..1000).for_each(|number| backlog.push(from(7), line(&number.to_string()), start));
        backlog.push(from(8), line("another"), start);
        let told = texts(&mut backlog);
        assert_eq!((told.len(), told[9].as_str(), told[10].as_str()), (11, "9", "another"));
        assert_eq!(backlog.next(), Some(start + PERIOD));
        backlog.sum_up(start + PERIOD);
        assert_eq!(texts(&mut backlog), ["10 (and 989 more like this in the last 10 s)"]);
        assert!(backlog.is_empty() && backlog.next().is_none());
    }

    #[test]
    fn a_flood_from_everywhere_is_summed_up_by_place() {
        let start = Instant::now();
        let mut backlog = Backlog::new(LogFormat::Text);
        for origin in 0..5000 {
            backlog.push(Some(Kind { place: 1, origin: Some(origin) }), line("refused"), start);
        }
        backlog.push(Some(Kind { place: 2, origin: None }), line("something else"), start);
        let told = texts(&mut backlog);
        assert_eq!((told.len(), told[100].as_str()), (101, "something else"));
        backlog.sum_up_all();
        assert_eq!(texts(&mut backlog), ["refused (and 4899 more like this in the last 10 s)"]);
    }

    #[test]
    fn what_nobody_writes_is_dropped_and_told() {
        let start = Instant::now();
        let mut backlog = Backlog::new(LogFormat::Text);
        let count = MAX_QUEUED as u64 + 77;
        (0..count).for_each(|place| backlog.push(Some(Kind { place, origin: None }), line("x"), start));
        let told = texts(&mut backlog);
        assert_eq!(told.len(), MAX_QUEUED);
        assert_eq!((backlog.take_dropped(), backlog.take_dropped()), (77, 0));
        assert!(backlog.is_empty());
        backlog.push(Some(Kind { place: 1, origin: None }), line("there is room again"), start);
        assert_eq!(texts(&mut backlog).len(), 1);
    }

    #[test]
    fn lines_without_a_kind_are_all_written() {
        let start = Instant::now();
        let mut backlog = Backlog::new(LogFormat::Text);
        (0..1000).for_each(|number| backlog.push(None, line(&number.to_string()), start));
        let told = texts(&mut backlog);
        assert_eq!((told.len(), told[999].as_str()), (1000, "999"));
        assert_eq!(backlog.next(), None);
    }
}
