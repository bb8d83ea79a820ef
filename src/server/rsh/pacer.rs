//! How fast a client of the remote shell may be told something.
//!
//! WinBoard's reader of such connections loses the beginning of a line whose end comes with a later read, and repeats old
//! text afterwards. It reads up to 4096 bytes at once, whenever its window has time. So a write holds whole lines and fits
//! into a segment, and what it may not have read yet stays below that size:
//!
//! * Between two writes is a pause.
//! * The protocol has an answer that a GUI gives when it has read something: `accepted debug` to `feature debug=1`. Once
//!   a client has given it, we ask again behind thinking lines and behind every kilobyte or so, and wait for the answers.
//!   However long its window is busy with something else, it does no harm then. Thinking lines wait until those before are
//!   read: a move behind them cannot be seen earlier than they are, and a window may need 10 ms for a line.
//! * Without such answers thinking lines get a longer pause, and nothing more can be done.
//!
//! While they wait, thinking lines make each other superfluous. Everything else is sent, and in order.

use crate::protocol::LineKey;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Bytes of a write: less than any path's segment.
const MAX_WRITE: usize = 1200;
/// What a GUI answers when it has read it. It knows that already, so nothing changes.
const PROBE: &str = "feature debug=1\n";
/// Bytes of a line: behind it there must be room for a question.
const MAX_LINE: usize = MAX_WRITE - PROBE.len();
/// Bytes that a client may not have read, if it tells what it has read.
const MAX_UNREAD: usize = 3 * MAX_WRITE;
/// Bytes of thinking lines in a write to it.
const MAX_THINKING_PER_WRITE: usize = 600;
/// After so many bytes it is asked.
const PROBE_AFTER: usize = 1000;
/// Bytes of thinking lines that wait.
const MAX_QUEUED_THINKING: usize = MAX_WRITE;
/// Between writes.
const WRITE_INTERVAL: Duration = Duration::from_millis(30);
/// The same before thinking lines, for clients that do not tell what they have read.
const THINKING_WRITE_INTERVAL: Duration = Duration::from_millis(100);
/// For an answer. After that the client has forgotten how, or its window is busy: it is told only what it cannot do
/// without.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);

struct Line {
    text: String,
    key: Option<LineKey>,
}

/// What waits to be sent, and what is known of what was.
#[derive(Default)]
pub(in crate::server) struct Pacer {
    waiting: VecDeque<Line>,
    /// When the last write was.
    last: Option<Instant>,
    /// It has answered once.
    answers: bool,
    /// For each question that is not answered: the bytes up to its end from the end of the one before, and when it was sent.
    asked: VecDeque<(usize, Instant)>,
    /// Bytes behind the last question.
    behind: usize,
}

impl Pacer {
    /// Appends a complete line. What is too long for a write loses its end, but for lines that would lose their sense.
    pub(in crate::server) fn push(&mut self, mut line: String, key: Option<LineKey>) {
        if line.len() > MAX_LINE && !line.starts_with("feature ") {
            line = cut(&line);
        }
        let run = self.waiting.iter().rev().take_while(|line| line.key.is_some()).count();
        let run = self.waiting.len() - run;
        if key.is_none() {
            // Who hears of the move soon is served better than who hears how it came about.
            let keep = self.waiting.len().saturating_sub(1);
            self.waiting.drain(run..keep.max(run));
        } else {
            if let Some(older) = (run..self.waiting.len()).find(|&index| self.waiting[index].key == key) {
                self.waiting.remove(older);
            }
            let mut bytes: usize = self.waiting.range(run..).map(|line| line.text.len()).sum();
            while bytes + line.len() > MAX_QUEUED_THINKING
                && let Some(oldest) = self.waiting.remove(run)
            {
                bytes -= oldest.text.len();
            }
        }
        self.waiting.push_back(Line { text: line, key });
    }

    /// Something else was written to the client, outside of this.
    pub(in crate::server) fn wrote(&mut self, now: Instant) {
        self.last = Some(now);
    }

    /// The client has said this line.
    pub(in crate::server) fn heard(&mut self, line: &[u8]) {
        if matches!(line, b"accepted debug" | b"rejected debug") && self.asked.pop_front().is_some() {
            self.answers = true;
        }
    }

    /// Bytes that wait.
    pub(in crate::server) fn bytes(&self) -> usize {
        self.waiting.iter().map(|line| line.text.len()).sum()
    }

    /// When to call [`Pacer::write`]; `None` if nothing waits.
    pub(in crate::server) fn next(&self, now: Instant) -> Option<Instant> {
        let front = self.waiting.front()?;
        let Some(last) = self.last else { return Some(now) };
        let urgent = self.is_urgent();
        Some(match self.asked.front() {
            Some(&(_, asked)) if self.must_be_read() => (asked + ANSWER_TIMEOUT).max(last + WRITE_INTERVAL),
            _ if self.answers && urgent && self.unread() + front.text.len() <= MAX_UNREAD => now,
            _ if self.answers || urgent => last + WRITE_INTERVAL,
            _ => last + THINKING_WRITE_INTERVAL,
        })
    }

    /// Whether something else waits than thinking lines.
    fn is_urgent(&self) -> bool {
        self.waiting.iter().any(|line| line.key.is_none())
    }

    /// Whether an answer is to come before anything else is sent.
    fn must_be_read(&self) -> bool {
        let Some(front) = self.waiting.front() else { return false };
        let fits = self.unread() + front.text.len() <= MAX_UNREAD;
        self.answers && !self.asked.is_empty() && !(self.is_urgent() && fits)
    }

    /// What is to be written now: one or more complete lines.
    pub(in crate::server) fn write(&mut self, now: Instant) -> Option<String> {
        if self.next(now)? > now {
            return None;
        }
        if self.must_be_read() {
            // Patience is over.
            self.waiting.retain(|line| line.key.is_none());
        }
        let room = if self.answers {
            MAX_UNREAD.saturating_sub(self.unread()).min(MAX_WRITE).saturating_sub(PROBE.len())
        } else {
            MAX_WRITE
        };
        let most_thinking = if self.answers { MAX_THINKING_PER_WRITE } else { MAX_WRITE };
        let mut text = String::new();
        let mut thinking = 0;
        while let Some(front) = self.waiting.front()
            && (text.is_empty() || text.len() + front.text.len() <= room)
            && (text.is_empty() || front.key.is_none() || thinking + front.text.len() <= most_thinking)
            && let Some(line) = self.waiting.pop_front()
        {
            thinking += line.key.map_or(0, |_| line.text.len());
            text.push_str(&line.text);
            self.sent(&line.text, now);
        }
        // What begins with a blank is a page of the book, which the window shows when another line comes.
        let last = text.lines().last()?;
        let ask = thinking > 0 || self.behind >= PROBE_AFTER;
        if self.answers && ask && !last.is_empty() && !last.starts_with(' ') {
            text.push_str(PROBE);
            self.sent(PROBE, now);
        }
        self.last = Some(now);
        Some(text)
    }

    fn sent(&mut self, line: &str, now: Instant) {
        self.behind += line.len();
        if line.starts_with("feature ") && line.trim_end().split(' ').any(|word| word == "debug=1") {
            self.asked.push_back((std::mem::take(&mut self.behind), now));
        }
    }

    /// Bytes that the client may not have read.
    fn unread(&self) -> usize {
        self.asked.iter().map(|&(bytes, _)| bytes).sum::<usize>() + self.behind
    }
}

/// The beginning of a line, as much as fits, up to the end of a word.
fn cut(line: &str) -> String {
    let most = line.floor_char_boundary(MAX_LINE - 1);
    let end = line[..most].rfind(' ').unwrap_or(most);
    format!("{}\n", &line[..end])
}

#[cfg(test)]
mod tests;
