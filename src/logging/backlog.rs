//! Lines that are not written yet. A value: no clock, no thread, no file.

use super::kind::Kind;
use super::limit::{Held, Limiter, Rate};
use super::line::Line;
use log::Level;
use std::collections::VecDeque;
use std::mem::take;
use std::time::{Duration, Instant};

/// How long lines of a kind are counted together.
const PERIOD: Duration = Duration::from_secs(10);
/// Lines of one place in the source and one origin in a period. Enough for a ban after five failures.
const OF_ORIGIN: Rate = Rate { most: 10, period: PERIOD };
/// Lines of one place in the source in a period.
const OF_PLACE: Rate = Rate { most: 100, period: PERIOD };
/// Origins that are counted in a period; the lines of further ones are counted by place alone.
const ORIGINS: usize = 1024;
/// More than there are places in the source that log.
const PLACES: usize = 1024;
/// Lines that wait to be written; further ones are dropped. None is longer than some 2000 bytes.
const LONGEST: usize = 1024;

/// Bounded in every way.
pub(super) struct Backlog {
    by_origin: Limiter<u64, Line>,
    by_place: Limiter<u64, Line>,
    lines: VecDeque<Line>,
    dropped: u64,
}

impl Default for Backlog {
    fn default() -> Backlog {
        Backlog {
            by_origin: Limiter::new(OF_ORIGIN, ORIGINS),
            by_place: Limiter::new(OF_PLACE, PLACES),
            lines: VecDeque::new(),
            dropped: 0,
        }
    }
}

impl Backlog {
    /// Takes a line, counts it, or drops it.
    pub(super) fn push(&mut self, kind: Kind, line: Line, now: Instant) {
        self.sum_up(now);
        let passed = match kind.origin {
            Some(origin) => self.by_origin.pass(origin, line, now),
            None => Some(line),
        };
        if let Some(line) = passed.and_then(|line| self.by_place.pass(kind.place, line, now)) {
            self.queue(line);
        }
    }

    fn queue(&mut self, line: Line) {
        if self.lines.len() < LONGEST { self.lines.push_back(line) } else { self.dropped += 1 }
    }

    /// Tells what was only counted in periods that are over.
    pub(super) fn sum_up(&mut self, now: Instant) {
        while let Some(held) = self.by_origin.take_due(now).or_else(|| self.by_place.take_due(now)) {
            self.tell(held);
        }
    }

    /// The same in all periods.
    pub(super) fn sum_up_all(&mut self) {
        while let Some(held) = self.by_origin.take().or_else(|| self.by_place.take()) {
            self.tell(held);
        }
    }

    fn tell(&mut self, held: Held<Line>) {
        self.queue(held.first.with_others(held.more, PERIOD.as_secs()));
    }

    /// When there is something to sum up, or may be.
    pub(super) fn next(&self) -> Option<Instant> {
        [self.by_origin.next(), self.by_place.next()].into_iter().flatten().min()
    }

    /// Whether there is nothing to write.
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.dropped == 0
    }

    /// What is to be written, oldest first.
    pub(super) fn take(&mut self) -> VecDeque<Line> {
        let mut lines = take(&mut self.lines);
        if self.dropped > 0 {
            let dropped = take(&mut self.dropped);
            let message = format!("{dropped} lines were dropped, as the log is not read as fast as it grows");
            lines.push_back(Line::new(Level::Warn, &message));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    fn line(text: &str) -> Line {
        Line::new(Level::Warn, text)
    }

    fn texts(backlog: &mut Backlog) -> Vec<String> {
        let text = |line: Line| {
            let written = line.written(SystemTime::UNIX_EPOCH);
            written.split_once("] ").map_or(String::new(), |(_, text)| text.trim_end().to_owned())
        };
        backlog.take().into_iter().map(text).collect()
    }

    #[test]
    fn a_flood_of_one_origin_is_summed_up_and_hides_no_other() {
        let start = Instant::now();
        let mut backlog = Backlog::default();
        let from = |origin| Kind { place: 1, origin: Some(origin) };
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
        let mut backlog = Backlog::default();
        for origin in 0..5000 {
            backlog.push(Kind { place: 1, origin: Some(origin) }, line("refused"), start);
        }
        backlog.push(Kind { place: 2, origin: None }, line("something else"), start);
        let told = texts(&mut backlog);
        assert_eq!((told.len(), told[100].as_str()), (101, "something else"));
        backlog.sum_up_all();
        assert_eq!(texts(&mut backlog), ["refused (and 4899 more like this in the last 10 s)"]);
    }

    #[test]
    fn what_nobody_writes_is_dropped_and_told() {
        let start = Instant::now();
        let mut backlog = Backlog::default();
        let count = LONGEST as u64 + 77;
        (0..count).for_each(|place| backlog.push(Kind { place, origin: None }, line("x"), start));
        let told = texts(&mut backlog);
        assert_eq!(told.len(), LONGEST + 1);
        assert!(told[LONGEST].starts_with("77 lines were dropped"), "{}", told[LONGEST]);
        assert!(backlog.is_empty());
        backlog.push(Kind { place: 1, origin: None }, line("there is room again"), start);
        assert_eq!(texts(&mut backlog).len(), 1);
    }
}
