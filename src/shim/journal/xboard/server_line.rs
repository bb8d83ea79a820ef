//! Lines of a server, as far as the journal needs them.

use crate::protocol::ROOM_ELSEWHERE;

/// A line of the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heard<'a> {
    /// `move MOVE`, or `NUMBER. ... MOVE` of older protocols.
    Move(&'a str),
    /// `resign`
    Resign,
    /// `1-0 {…}` and the like: a result by rule.
    Result,
    /// `offer draw`
    OfferDraw,
    /// `pong N`
    Pong(i64),
    /// `feature …`: the text after the word.
    Feature(&'a str),
    /// `Illegal move (…): MOVE`: the move.
    Illegal(&'a str),
    /// `Error (…): LINE`: the line.
    Error(&'a str),
    /// `tellusererror Illegal position…`
    IllegalPosition,
    /// The same error after `white` or `black`.
    IllegalTurn,
    /// Another `tellusererror …`.
    Complaint,
    /// `Hint: MOVE`
    Hint,
    /// `stat01: …`
    Status,
    /// A question or a message to the user.
    Message,
    /// `tellopponent TEXT`, a greeting at the start of a game.
    Greeting,
    /// `tellothers …`, `tellall …`: remarks with a move.
    Remark,
    /// A line of the answer to `bk`: it begins with a blank.
    Book,
    /// The empty line that ends that answer.
    BookEnd,
    /// The session may move to another server.
    Room,
    /// Thinking lines, comments, and everything else.
    Other,
}

/// Error of a server after an impossible `white` or `black`.
const ILLEGAL_TURN: &str = "Illegal position: the side that would not be on move";

impl Heard<'_> {
    /// Whether the client waits for it, unlike output of a search for a move.
    pub fn is_answer(&self) -> bool {
        !matches!(
            self,
            Heard::Other
                | Heard::Complaint
                | Heard::OfferDraw
                | Heard::Greeting
                | Heard::Remark
                | Heard::Book
                | Heard::Room
        )
    }

    /// Parses a line without its ending.
    pub fn parse(line: &[u8]) -> Heard<'_> {
        let Ok(text) = str::from_utf8(line) else { return Heard::Other };
        if text.is_empty() {
            return Heard::BookEnd;
        }
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        match word {
            "" => Heard::Book,
            "move" => Heard::Move(rest.trim()),
            "pong" => rest.trim().parse().map_or(Heard::Other, Heard::Pong),
            "feature" => Heard::Feature(rest),
            "resign" if rest.is_empty() => Heard::Resign,
            "offer" if rest == "draw" => Heard::OfferDraw,
            "1-0" | "0-1" | "1/2-1/2" => Heard::Result,
            "Illegal" if rest.starts_with("move") => Heard::Illegal(echoed(rest)),
            "Error" => Heard::Error(echoed(rest)),
            "tellusererror" if rest.starts_with(ILLEGAL_TURN) => Heard::IllegalTurn,
            "tellusererror" if rest.starts_with("Illegal position") => Heard::IllegalPosition,
            "tellusererror" => Heard::Complaint,
            "Hint:" => Heard::Hint,
            "stat01:" => Heard::Status,
            "tellopponent" => Heard::Greeting,
            "tellothers" | "tellall" => Heard::Remark,
            "askuser" | "telluser" => Heard::Message,
            "#" if rest == ROOM_ELSEWHERE => Heard::Room,
            _ => numbered_move(text).map_or(Heard::Other, Heard::Move),
        }
    }
}

/// The text after the first `: `, which repeats the client's line.
fn echoed(rest: &str) -> &str {
    rest.split_once(": ").map_or("", |(_, echo)| echo.trim())
}

/// `12. ... e7e5`
fn numbered_move(text: &str) -> Option<&str> {
    let (number, mv) = text.split_once(" ... ")?;
    let number = number.strip_suffix('.').unwrap_or(number);
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(mv.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_matter_are_told_from_those_that_do_not() {
        for (line, expected) in [
            ("move e2e4", Heard::Move("e2e4")),
            ("12. ... e7e5", Heard::Move("e7e5")),
            ("pong 7", Heard::Pong(7)),
            ("pong x", Heard::Other),
            ("1-0 {White mates}", Heard::Result),
            ("Illegal move: e2e5", Heard::Illegal("e2e5")),
            ("Illegal move (in check): O-O", Heard::Illegal("O-O")),
            ("Error (unknown command): foo bar", Heard::Error("foo bar")),
            ("tellusererror Illegal position: two kings", Heard::IllegalPosition),
            ("tellusererror The server is full.", Heard::Complaint),
            ("# farboard: another server has more room", Heard::Room),
            ("# farboard: another server has more room?", Heard::Other),
            ("9 23 100 4000\te4 e5", Heard::Other),
            ("9 23 100 4000 1. e4 ... e5", Heard::Other),
            (" e4  50%", Heard::Book),
            ("", Heard::BookEnd),
        ] {
            assert_eq!(Heard::parse(line.as_bytes()), expected, "{line}");
        }
    }
}
