//! Which lines of a server must be the same in a replay.
//!
//! Thinking lines, node counts and times differ from run to run, and so do hints and book moves; names and
//! options differ from version to version. None of these is compared.

use super::heard::Heard;
use super::language::first_word;
use crate::shim::client_protocol::ClientProtocol;
use std::fmt;

/// A line of a server that is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Answers are compared with others of the same kind.
    pub kind: AnswerKind,
    /// The line, without its ending.
    pub text: String,
}

/// The kind of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerKind {
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
}

impl Answer {
    /// Parses a line without its ending; `None` if it is not compared.
    pub fn read(spoken: ClientProtocol, line: &[u8]) -> Option<Answer> {
        match spoken {
            ClientProtocol::Xboard => Answer::of_xboard(line),
            ClientProtocol::Uci => Answer::of_uci(line),
            ClientProtocol::Checkers => Answer::of_checkers(line),
        }
    }

    /// What is expected next, behind the move, is a matter of time.
    fn of_uci(line: &[u8]) -> Option<Answer> {
        let text = String::from_utf8_lossy(line);
        let mut words = text.split_ascii_whitespace();
        let kind = match (words.next()?, words.next()) {
            ("bestmove", mv) => {
                let text = format!("bestmove {}", mv.unwrap_or("(none)"));
                return Some(Answer { kind: AnswerKind::Move, text });
            }
            ("readyok", _) => AnswerKind::Pong(0),
            ("info", Some("string")) => AnswerKind::Error,
            _ => return None,
        };
        Some(Answer { kind, text: text.trim_ascii().to_owned() })
    }

    fn of_checkers(line: &[u8]) -> Option<Answer> {
        let kind = match first_word(line) {
            b"BESTMOVE" => AnswerKind::Move,
            b"ALERT" => AnswerKind::Error,
            _ => return None,
        };
        Some(Answer { kind, text: String::from_utf8_lossy(line).trim_ascii().to_owned() })
    }

    fn of_xboard(line: &[u8]) -> Option<Answer> {
        let kind = match Heard::parse(line) {
            Heard::Move(_) => AnswerKind::Move,
            Heard::Pong(number) => AnswerKind::Pong(number),
            Heard::Result => AnswerKind::Result,
            Heard::Resign => AnswerKind::Resignation,
            Heard::OfferDraw => AnswerKind::DrawOffer,
            Heard::Error => AnswerKind::Error,
            Heard::Other => return None,
        };
        Some(Answer { kind, text: String::from_utf8_lossy(line).into_owned() })
    }

    /// The move, if the answer is one of xboard.
    pub fn played(&self) -> Option<&str> {
        match Heard::parse(self.text.as_bytes()) {
            Heard::Move(mv) => Some(mv),
            Heard::Resign
            | Heard::Result
            | Heard::OfferDraw
            | Heard::Pong(_)
            | Heard::Error
            | Heard::Other => None,
        }
    }
}

impl AnswerKind {
    /// Whether the answer accompanies a move, and so is missing if another was played.
    pub fn goes_with_a_move(self) -> bool {
        matches!(self, AnswerKind::Result | AnswerKind::Resignation | AnswerKind::DrawOffer)
    }
}

/// Counts compared answers, for a short summary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerCounts {
    moves: usize,
    pongs: usize,
    endings: usize,
    errors: usize,
}

impl AnswerCounts {
    /// Counts an answer.
    pub fn add(&mut self, kind: AnswerKind) {
        *match kind {
            AnswerKind::Move => &mut self.moves,
            AnswerKind::Pong(_) => &mut self.pongs,
            AnswerKind::Result | AnswerKind::Resignation | AnswerKind::DrawOffer => &mut self.endings,
            AnswerKind::Error => &mut self.errors,
        } += 1;
    }

    /// The number of answers.
    pub fn all(&self) -> usize {
        self.moves + self.pongs + self.endings + self.errors
    }
}

impl fmt::Display for AnswerCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            (self.moves, "move", "moves"),
            (self.pongs, "pong", "pongs"),
            (self.endings, "result or offer", "results and offers"),
            (self.errors, "error", "errors"),
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
    fn what_cannot_be_the_same_is_not_compared() {
        let kind =
            |line: &str| Answer::read(ClientProtocol::Xboard, line.as_bytes()).map(|answer| answer.kind);
        for line in
            ["9 23 100 4000 e4", "feature done=1", "Hint: e2e4", "stat01: 1 2 3 4 5", "# x", "", "telluser x"]
        {
            assert_eq!(kind(line), None, "{line}");
        }
        assert_eq!(kind("pong 7"), Some(AnswerKind::Pong(7)));
        assert_eq!(kind("1-0 {White mates}"), Some(AnswerKind::Result));
        assert_eq!(kind("Illegal move: e2e5"), Some(AnswerKind::Error));
        assert_eq!(kind("tellusererror The server is full."), Some(AnswerKind::Error));
        let played = |line: &str| {
            Answer::read(ClientProtocol::Xboard, line.as_bytes()).expect("a move").played().map(str::to_owned)
        };
        assert_eq!(played("move e7e8q").as_deref(), Some("e7e8q"));
        assert_eq!(played("12. ... e7e5").as_deref(), Some("e7e5"));
    }

    #[test]
    fn a_move_of_uci_is_compared_without_what_is_expected_next() {
        let answer = |line: &str| Answer::read(ClientProtocol::Uci, line.as_bytes());
        let best = answer("bestmove e2e4 ponder e7e5").expect("a move");
        assert_eq!((best.kind, best.text.as_str()), (AnswerKind::Move, "bestmove e2e4"));
        assert_eq!(answer("readyok ").expect("an answer").kind, AnswerKind::Pong(0));
        assert_eq!(answer("info string no such option").expect("a remark").kind, AnswerKind::Error);
        for line in ["info depth 1 score cp 3", "id name x", "uciok", "option name Hash", ""] {
            assert_eq!(answer(line), None, "{line}");
        }
    }

    #[test]
    fn of_draughts_moves_and_alerts_are_compared() {
        let kind =
            |line: &str| Answer::read(ClientProtocol::Checkers, line.as_bytes()).map(|answer| answer.kind);
        assert_eq!(kind("BESTMOVE 11-15"), Some(AnswerKind::Move));
        assert_eq!(kind("ALERT no game"), Some(AnswerKind::Error));
        assert_eq!((kind("INFO depth 3"), kind("NAME x"), kind("READY")), (None, None, None));
    }

    #[test]
    fn counts_are_words() {
        let mut count = AnswerCounts::default();
        assert_eq!(count.to_string(), "nothing");
        for kind in [AnswerKind::Move, AnswerKind::Move, AnswerKind::Pong(1), AnswerKind::Error] {
            count.add(kind);
        }
        assert_eq!((count.to_string().as_str(), count.all()), ("2 moves, 1 pong, 1 error", 4));
    }
}
