//! When and how much may be written to a remote shell client.
//!
//! WinBoard's reader of such connections loses the beginning of a line whose end comes with a later
//! read, and repeats old text afterwards. It reads up to 4096 bytes at once, whenever its window
//! has time. So a write holds whole lines and fits into a segment, and the bytes that may be unread
//! stay below that size:
//!
//! * There is an interval between two writes.
//! * A GUI answers `feature debug=1` with `accepted debug` when it has read it. Once a client has
//!   done so, this probe follows thinking lines, and every kilobyte or so, and the pacer waits for
//!   the answer. Then a busy window does no harm, however long. Thinking lines wait until earlier
//!   ones are read: a move behind them cannot be seen earlier, and a window may need 10 ms for a
//!   line.
//! * Without such answers the interval before thinking lines is longer, and nothing more can be
//!   done.
//!
//! Thinking lines that wait replace each other. Everything else is sent, and in order.

use crate::protocol::LineKey;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Largest write in bytes: less than any path's segment.
const MAX_WRITE: usize = 1200;
/// A line that a GUI answers when it has read it. It changes nothing in the GUI.
const PROBE: &str = "feature debug=1\n";
/// Longest line in bytes: a probe must fit behind it.
const MAX_LINE: usize = MAX_WRITE - PROBE.len();
/// Most unread bytes of a client that answers probes.
const MAX_UNREAD: usize = 3 * MAX_WRITE;
/// Most bytes of thinking lines in one write to such a client.
const MAX_THINKING_PER_WRITE: usize = 600;
/// Bytes after which such a client is probed.
const PROBE_AFTER: usize = 1000;
/// Most bytes of queued thinking lines.
const MAX_QUEUED_THINKING: usize = MAX_WRITE;
const WRITE_INTERVAL: Duration = Duration::from_millis(30);
/// Interval before thinking lines, for clients that do not answer probes.
const THINKING_WRITE_INTERVAL: Duration = Duration::from_millis(100);
/// Time for an answer. After that the client gets only what it needs.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);

struct PacedLine {
    text: String,
    key: Option<LineKey>,
}

/// Queued lines, and the probes of sent ones.
#[derive(Default)]
pub(in crate::server) struct Pacer {
    waiting: VecDeque<PacedLine>,
    last: Option<Instant>,
    /// Whether the client has answered a probe.
    answers: bool,
    /// Unanswered probes: bytes since the end of the previous one, and when it was sent.
    asked: VecDeque<(usize, Instant)>,
    /// Bytes sent after the last probe.
    behind: usize,
    /// Thinking lines dropped since they were last counted.
    dropped: u64,
}

impl Pacer {
    /// Appends a complete line. One too long for a write is cut if that keeps its meaning.
    pub(in crate::server) fn push(&mut self, mut line: String, key: Option<LineKey>) {
        if line.len() > MAX_LINE && !line.starts_with("feature ") {
            line = cut(&line);
        }
        let before = self.waiting.len();
        let run = self.waiting.iter().rev().take_while(|line| line.key.is_some()).count();
        let run = self.waiting.len() - run;
        if key.is_none() {
            // Thinking lines before a move are dropped, as the move matters more.
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
        self.dropped += (before - self.waiting.len()) as u64;
        self.waiting.push_back(PacedLine { text: line, key });
    }

    /// Returns the number of thinking lines dropped since the last call.
    pub(in crate::server) fn take_dropped(&mut self) -> u64 {
        std::mem::take(&mut self.dropped)
    }

    pub(in crate::server) fn wrote(&mut self, now: Instant) {
        self.last = Some(now);
    }

    pub(in crate::server) fn heard(&mut self, line: &[u8]) {
        if matches!(line, b"accepted debug" | b"rejected debug") && self.asked.pop_front().is_some() {
            self.answers = true;
        }
    }

    pub(in crate::server) fn bytes(&self) -> usize {
        self.waiting.iter().map(|line| line.text.len()).sum()
    }

    /// Returns when to call [`Pacer::write`]; `None` if nothing is queued.
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

    /// Returns true if anything but thinking lines is queued.
    fn is_urgent(&self) -> bool {
        self.waiting.iter().any(|line| line.key.is_none())
    }

    /// Returns true if an answer must come before anything else is sent.
    fn must_be_read(&self) -> bool {
        let Some(front) = self.waiting.front() else { return false };
        let fits = self.unread() + front.text.len() <= MAX_UNREAD;
        self.answers && !self.asked.is_empty() && !(self.is_urgent() && fits)
    }

    /// Returns what to write now: one or more complete lines.
    pub(in crate::server) fn write(&mut self, now: Instant) -> Option<String> {
        if self.next(now)? > now {
            return None;
        }
        if self.must_be_read() {
            // The answer has not come in time.
            let before = self.waiting.len();
            self.waiting.retain(|line| line.key.is_none());
            self.dropped += (before - self.waiting.len()) as u64;
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
        // A line that begins with a blank is part of the book, whose end the window must see.
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

    /// Returns the bytes that the client may not have read.
    fn unread(&self) -> usize {
        self.asked.iter().map(|&(bytes, _)| bytes).sum::<usize>() + self.behind
    }
}

/// Returns the beginning of a line that fits, up to the end of a word.
fn cut(line: &str) -> String {
    let most = line.floor_char_boundary(MAX_LINE - 1);
    let end = line[..most].rfind(' ').unwrap_or(most);
    format!("{}\n", &line[..end])
}

#[cfg(test)]
mod tests;
