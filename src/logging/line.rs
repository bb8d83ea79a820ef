//! A line of the log: always a single line, whatever a client has sent.

use jiff::Timestamp;
use log::Level;
use std::fmt::Write;
use std::time::SystemTime;

/// Maximum length of the text in bytes; the rest is cut off.
const MAX_TEXT: usize = 2000;

/// A line of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    /// `None` for the time of writing.
    time: Option<SystemTime>,
    level: Level,
    text: String,
}

impl Line {
    pub(super) fn new(level: Level, message: &str) -> Line {
        Line { time: None, level, text: in_one_line(message) }
    }

    /// Sets the time of the event: a stalled destination may delay the writing.
    pub(super) fn at(self, time: SystemTime) -> Line {
        Line { time: Some(time), ..self }
    }

    /// A line that also stands for `more` suppressed ones.
    pub(super) fn with_others(mut self, more: u64, seconds: u64) -> Line {
        if more > 0 {
            let _ = write!(self.text, " (and {more} more like this in the last {seconds} s)");
        }
        self
    }

    /// The line as it is written, with its ending.
    pub(super) fn written(&self, now: SystemTime) -> String {
        let time = self.time.unwrap_or(now);
        // Seconds suffice, and always have the same length.
        let seconds = Timestamp::try_from(time).map_or(0, |time| time.as_second());
        let time = Timestamp::from_second(seconds).unwrap_or_default();
        format!("[{time} {:<5}] {}\n", self.level, self.text)
    }
}

/// Joins several lines into one. Characters that could move the cursor, colour the terminal or change the
/// direction of writing are escaped as in a Rust string.
fn in_one_line(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    for (index, part) in message.trim_end().split('\n').enumerate() {
        if index > 0 {
            text.push(' ');
        }
        for letter in if index > 0 { part.trim_start() } else { part }.chars() {
            if text.len() >= MAX_TEXT {
                return text + " …";
            }
            if is_harmless(letter) { text.push(letter) } else { text.extend(letter.escape_unicode()) }
        }
    }
    text
}

fn is_harmless(letter: char) -> bool {
    let is_formatting =
        matches!(letter, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !letter.is_control() && !is_formatting
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn the_form_is_time_level_text() {
        let time = UNIX_EPOCH + Duration::from_millis(1_793_966_400_999);
        let line = Line::new(Level::Warn, "refused 192.0.2.7 port 1 (late): why");
        assert_eq!(line.written(time), "[2026-11-06T12:00:00Z WARN ] refused 192.0.2.7 port 1 (late): why\n");
        let line = line.with_others(0, 10).with_others(311, 10);
        assert!(line.written(time).ends_with(": why (and 311 more like this in the last 10 s)\n"));
        let late = time + Duration::from_secs(3600);
        assert!(line.at(time).written(late).starts_with("[2026-11-06T12:00:00Z"), "an hour late");
    }

    #[test]
    fn nobody_can_write_a_line_of_its_own() {
        let text = |message: &str| Line::new(Level::Info, message).text;
        assert_eq!(text("a\n  because: b\n"), "a because: b");
        assert_eq!(text("x\n[2026-11-06T12:00:00Z WARN ] refused"), "x [2026-11-06T12:00:00Z WARN ] refused");
        let hostile = "\r\u{1b}[2J\0\u{7f}\u{85}\u{9b}\u{2028}\u{202e}\u{2066}\t";
        let shown = text(hostile);
        assert!(shown.starts_with("\\u{d}\\u{1b}[2J\\u{0}\\u{7f}\\u{85}"), "{shown}");
        assert!(shown.is_ascii(), "{shown}");
        assert_eq!(text("Größe “Ж” ♔"), "Größe “Ж” ♔");
    }

    #[test]
    fn a_line_is_no_longer_than_it_may_be() {
        let text = Line::new(Level::Info, &"ж\n".repeat(MAX_TEXT)).text;
        assert!(text.len() < MAX_TEXT + 10 && text.ends_with(" …"), "{}", text.len());
        assert_eq!(Line::new(Level::Info, "").text, "");
    }
}
