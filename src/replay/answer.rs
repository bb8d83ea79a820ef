//! What of a server's words has to be the same again, and what cannot be.
//!
//! Thinking lines, node counts and times differ from run to run, and so do hints and what books play; names and options
//! differ from version to version. None of these is compared.

use crate::connect::journal::xboard::Heard;
use std::fmt;

/// A line of a server that is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Answers are compared with others of their kind.
    pub kind: Kind,
    /// The line, without its end.
    pub text: String,
}

/// What an answer is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A move.
    Move,
    /// The answer to the `ping` with that number.
    Pong(i64),
    /// The game has ended by rule.
    Result,
    /// The engine resigns.
    Resignation,
    /// The engine offers a draw.
    DrawOffer,
    /// A line that the server cannot obey, or something else to complain of.
    Error,
}

impl Answer {
    /// Reads a line without its end; `None` if it is not compared.
    pub fn read(line: &[u8]) -> Option<Answer> {
        let kind = match Heard::parse(line) {
            Heard::Move(_) => Kind::Move,
            Heard::Pong(number) => Kind::Pong(number),
            Heard::Result => Kind::Result,
            Heard::Resign => Kind::Resignation,
            Heard::OfferDraw => Kind::DrawOffer,
            Heard::Illegal(_)
            | Heard::Error(_)
            | Heard::IllegalPosition
            | Heard::IllegalTurn
            | Heard::Complaint => Kind::Error,
            _ => return None,
        };
        Some(Answer { kind, text: String::from_utf8_lossy(line).into_owned() })
    }

    /// The move, if it is one.
    pub fn played(&self) -> Option<&str> {
        match Heard::parse(self.text.as_bytes()) {
            Heard::Move(mv) => Some(mv),
            _ => None,
        }
    }
}

impl Kind {
    /// Whether it goes with a move, and so cannot come if another was played.
    pub fn goes_with_a_move(self) -> bool {
        matches!(self, Kind::Result | Kind::Resignation | Kind::DrawOffer)
    }
}

/// How many answers were compared, in a few words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    moves: usize,
    pongs: usize,
    endings: usize,
    errors: usize,
}

impl Count {
    /// One more of this kind.
    pub fn add(&mut self, kind: Kind) {
        *match kind {
            Kind::Move => &mut self.moves,
            Kind::Pong(_) => &mut self.pongs,
            Kind::Result | Kind::Resignation | Kind::DrawOffer => &mut self.endings,
            Kind::Error => &mut self.errors,
        } += 1;
    }

    /// How many there are.
    pub fn all(&self) -> usize {
        self.moves + self.pongs + self.endings + self.errors
    }
}

impl fmt::Display for Count {
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
        let kind = |line: &str| Answer::read(line.as_bytes()).map(|answer| answer.kind);
        for line in
            ["9 23 100 4000 e4", "feature done=1", "Hint: e2e4", "stat01: 1 2 3 4 5", "# x", "", "telluser x"]
        {
            assert_eq!(kind(line), None, "{line}");
        }
        assert_eq!(kind("pong 7"), Some(Kind::Pong(7)));
        assert_eq!(kind("1-0 {White mates}"), Some(Kind::Result));
        assert_eq!(kind("Illegal move: e2e5"), Some(Kind::Error));
        assert_eq!(kind("tellusererror The server is full."), Some(Kind::Error));
        let played = |line: &str| Answer::read(line.as_bytes()).expect("a move").played().map(str::to_owned);
        assert_eq!(played("move e7e8q").as_deref(), Some("e7e8q"));
        assert_eq!(played("12. ... e7e5").as_deref(), Some("e7e5"));
    }

    #[test]
    fn counts_are_words() {
        let mut count = Count::default();
        assert_eq!(count.to_string(), "nothing");
        for kind in [Kind::Move, Kind::Move, Kind::Pong(1), Kind::Error] {
            count.add(kind);
        }
        assert_eq!((count.to_string().as_str(), count.all()), ("2 moves, 1 pong, 1 error", 4));
    }
}
