//! Lines of a server that must be the same in a replay.
//!
//! Thinking lines, node counts and times differ from run to run, and so do hints and book moves;
//! names and options differ from version to version. None of these is compared with a record. A
//! transcript expects every line, in a form: `%d` is a whole number, `%*` anything.

use super::language::first_word;
use crate::shim::client_protocol::ClientProtocol;
use std::fmt;

/// A line of a server that is compared with the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedLine {
    /// Lines are compared with others of the same kind.
    pub kind: LineKind,
    /// The line, without its ending.
    pub text: String,
}

/// The kind of a compared line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// A move.
    Move,
    /// The answer to the `ping` with this number, or to `isready`.
    Pong(i64),
    /// A result claimed by rule.
    Result,
    /// The engine resigns.
    Resignation,
    /// The engine offers a draw.
    DrawOffer,
    /// A refused command or another error message.
    Error,
    /// A line of a transcript, or one that is compared with a transcript.
    Whole,
}

impl ComparedLine {
    /// Parses a line without its ending; `None` if it is not compared.
    pub fn read(protocol: ClientProtocol, line: &[u8]) -> Option<ComparedLine> {
        let text = String::from_utf8_lossy(line);
        let trimmed = text.trim_ascii();
        let mut words = trimmed.split_ascii_whitespace();
        let (kind, text) = match protocol {
            ClientProtocol::Xboard => (xboard_kind(str::from_utf8(line).ok()?)?, text.into_owned()),
            ClientProtocol::Uci => match (words.next()?, words.next()) {
                // The ponder move behind it is a matter of time.
                ("bestmove", mv) => (LineKind::Move, format!("bestmove {}", mv.unwrap_or("(none)"))),
                ("readyok", _) => (LineKind::Pong(0), trimmed.to_owned()),
                ("info", Some("string")) => (LineKind::Error, trimmed.to_owned()),
                _ => return None,
            },
            ClientProtocol::Checkers => match first_word(line) {
                b"BESTMOVE" => (LineKind::Move, trimmed.to_owned()),
                b"ALERT" => (LineKind::Error, trimmed.to_owned()),
                _ => return None,
            },
        };
        Some(ComparedLine { kind, text })
    }

    /// A line of a transcript, or one that is compared with a transcript.
    pub fn whole(line: &[u8]) -> ComparedLine {
        ComparedLine { kind: LineKind::Whole, text: String::from_utf8_lossy(line).into_owned() }
    }

    /// Returns true if an answer is as expected.
    pub fn is_met_by(&self, answer: &ComparedLine) -> bool {
        match self.kind {
            LineKind::Whole => has_form(&answer.text, &self.text),
            _ => self == answer,
        }
    }

    /// Returns the move of a line of xboard's protocol.
    pub fn xboard_move(&self) -> Option<&str> {
        xboard_move(&self.text)
    }
}

/// Returns true if a line has a form, in which `%d` is a whole number, `%*` anything, and all else
/// itself.
pub fn has_form(line: &str, form: &str) -> bool {
    let Some(at) = form.find("%d").into_iter().chain(form.find("%*")).min() else { return form == line };
    let Some(line) = line.strip_prefix(&form[..at]) else { return false };
    let rest = &form[at + 2..];
    if form[at..].starts_with("%d") {
        let digits = line.find(|c: char| !(c.is_ascii_digit() || c == '-')).unwrap_or(line.len());
        digits > 0 && has_form(&line[digits..], rest)
    } else {
        line.char_indices().any(|(end, _)| has_form(&line[end..], rest)) || has_form("", rest)
    }
}

fn xboard_kind(line: &str) -> Option<LineKind> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "pong" => rest.trim().parse().ok().map(LineKind::Pong),
        "resign" if rest.is_empty() => Some(LineKind::Resignation),
        "offer" if rest == "draw" => Some(LineKind::DrawOffer),
        "1-0" | "0-1" | "1/2-1/2" => Some(LineKind::Result),
        "Illegal" if rest.starts_with("move") => Some(LineKind::Error),
        "Error" | "tellusererror" => Some(LineKind::Error),
        _ => xboard_move(line).map(|_| LineKind::Move),
    }
}

/// Parses `move e7e5`, or `12. ... e7e5` of older protocols.
fn xboard_move(line: &str) -> Option<&str> {
    if let Some(mv) = line.strip_prefix("move ") {
        return Some(mv.trim());
    }
    let (number, mv) = line.split_once(" ... ")?;
    let number = number.strip_suffix('.').unwrap_or(number);
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(mv.trim())
}

impl LineKind {
    /// Returns true if the line accompanies a move, and so is missing if another was played.
    pub fn goes_with_a_move(self) -> bool {
        matches!(self, LineKind::Result | LineKind::Resignation | LineKind::DrawOffer)
    }
}

/// Numbers of compared lines, for a summary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineCounts {
    moves: usize,
    pongs: usize,
    endings: usize,
    errors: usize,
    lines: usize,
}

impl LineCounts {
    /// Counts a line.
    pub fn add(&mut self, kind: LineKind) {
        *match kind {
            LineKind::Move => &mut self.moves,
            LineKind::Pong(_) => &mut self.pongs,
            LineKind::Result | LineKind::Resignation | LineKind::DrawOffer => &mut self.endings,
            LineKind::Error => &mut self.errors,
            LineKind::Whole => &mut self.lines,
        } += 1;
    }

    /// Returns the number of lines.
    pub fn all(&self) -> usize {
        self.moves + self.pongs + self.endings + self.errors + self.lines
    }
}

impl fmt::Display for LineCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            (self.moves, "move", "moves"),
            (self.pongs, "pong", "pongs"),
            (self.endings, "result or offer", "results and offers"),
            (self.errors, "error", "errors"),
            (self.lines, "line", "lines"),
        ];
        let mut separator = "";
        for (count, one, many) in kinds.into_iter().filter(|(count, ..)| *count > 0) {
            write!(f, "{separator}{count} {}", if count == 1 { one } else { many })?;
            separator = ", ";
        }
        if separator.is_empty() { f.write_str("nothing") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_differ_between_runs_are_not_compared() {
        let read = |line: &str| ComparedLine::read(ClientProtocol::Xboard, line.as_bytes());
        for (line, expected) in [
            ("move e2e4", Some(LineKind::Move)),
            ("12. ... e7e5", Some(LineKind::Move)),
            ("pong 7", Some(LineKind::Pong(7))),
            ("pong x", None),
            ("1-0 {White mates}", Some(LineKind::Result)),
            ("resign", Some(LineKind::Resignation)),
            ("offer draw", Some(LineKind::DrawOffer)),
            ("Illegal move: e2e5", Some(LineKind::Error)),
            ("Illegal move (in check): O-O", Some(LineKind::Error)),
            ("Error (unknown command): foo bar", Some(LineKind::Error)),
            ("tellusererror The server is full.", Some(LineKind::Error)),
            ("9 23 100 4000\te4 e5", None),
            ("9 23 100 4000 1. e4 ... e5", None),
            (" e4  50%", None),
            ("feature done=1", None),
            ("Hint: e2e4", None),
            ("stat01: 1 2 3 4 5", None),
            ("# x", None),
            ("telluser x", None),
            ("", None),
        ] {
            assert_eq!(read(line).map(|line| line.kind), expected, "{line}");
        }
        let played = |line: &str| read(line).expect("a move").xboard_move().map(str::to_owned);
        assert_eq!(played("move e7e8q").as_deref(), Some("e7e8q"));
        assert_eq!(played("12. ... e7e5").as_deref(), Some("e7e5"));
    }

    #[test]
    fn a_move_of_uci_is_compared_without_the_ponder_move() {
        let read = |line: &str| ComparedLine::read(ClientProtocol::Uci, line.as_bytes());
        let best = read("bestmove e2e4 ponder e7e5").expect("a move");
        assert_eq!((best.kind, best.text.as_str()), (LineKind::Move, "bestmove e2e4"));
        assert_eq!(read("readyok ").expect("a line").kind, LineKind::Pong(0));
        assert_eq!(read("info string no such option").expect("an error").kind, LineKind::Error);
        for line in ["info depth 1 score cp 3", "id name x", "uciok", "option name Hash", ""] {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn in_the_checkers_protocol_moves_and_alerts_are_compared() {
        let kind =
            |line: &str| ComparedLine::read(ClientProtocol::Checkers, line.as_bytes()).map(|line| line.kind);
        assert_eq!(kind("BESTMOVE 11-15"), Some(LineKind::Move));
        assert_eq!(kind("ALERT no game"), Some(LineKind::Error));
        assert_eq!((kind("INFO depth 3"), kind("NAME x"), kind("READY")), (None, None, None));
    }

    #[test]
    fn forms_have_numbers_and_arbitrary_text() {
        for (line, form) in
            [("pong -12", "pong %d"), ("a b b c", "a %* c"), ("é", "%*"), ("", "%*"), ("", "")]
        {
            assert!(has_form(line, form), "{line} as {form}");
        }
        for (line, form) in [("pong x", "pong %d"), ("a b", "a"), ("a", "a b"), ("pong ", "pong %d")] {
            assert!(!has_form(line, form), "{line} as {form}");
        }
    }

    #[test]
    fn counts_are_words() {
        let mut count = LineCounts::default();
        assert_eq!(count.to_string(), "nothing");
        for kind in [LineKind::Move, LineKind::Move, LineKind::Pong(1), LineKind::Error] {
            count.add(kind);
        }
        assert_eq!((count.to_string().as_str(), count.all()), ("2 moves, 1 pong, 1 error", 4));
    }
}
