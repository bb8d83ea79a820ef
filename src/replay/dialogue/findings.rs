//! The findings of a replay: its lines for the reader, and the result.

use super::super::compared_line::ComparedLine;
use super::super::verdict::Verdict;

/// The findings so far.
#[derive(Default)]
pub(super) struct Findings {
    /// Lines for the reader that have not been taken.
    pub(super) lines: Vec<String>,
    pub(super) verdict: Verdict,
}

impl Findings {
    /// Adds a line for the reader. A record may contain anything: control characters are escaped.
    pub(super) fn line(&mut self, mark: char, text: &[u8]) {
        self.lines.push(format!("{mark} {}", shown(text)));
    }

    /// Reports an answer that is not in the record.
    pub(super) fn extra(&mut self, answer: &ComparedLine) {
        self.verdict.differ.add(answer.kind);
        self.line('!', format!("not in the record: {}", answer.text).as_bytes());
    }

    /// Ends the replay because the server has ended the session early.
    pub(super) fn closed(&mut self, reason: &str) {
        self.stop(format!("The server has ended the session: {reason}"));
    }

    /// Ends the replay early.
    pub(super) fn stop(&mut self, reason: String) {
        self.verdict.stopped = Some(reason);
    }
}

/// Makes a line safe for a terminal.
pub(super) fn shown(line: &[u8]) -> String {
    let visible =
        |c: char| if c.is_control() && c != '\t' { c.escape_default().to_string() } else { c.to_string() };
    String::from_utf8_lossy(line).chars().map(visible).collect()
}
