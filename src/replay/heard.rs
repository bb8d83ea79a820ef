//! Lines of a server in xboard's protocol, as far as a replay compares them.

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
    /// `Illegal move …`, `Error …` or `tellusererror …`
    Error,
    /// Thinking lines, comments, and everything else.
    Other,
}

impl Heard<'_> {
    /// Parses a line without its ending.
    pub fn parse(line: &[u8]) -> Heard<'_> {
        let Ok(text) = str::from_utf8(line) else { return Heard::Other };
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        match word {
            "move" => Heard::Move(rest.trim()),
            "pong" => rest.trim().parse().map_or(Heard::Other, Heard::Pong),
            "resign" if rest.is_empty() => Heard::Resign,
            "offer" if rest == "draw" => Heard::OfferDraw,
            "1-0" | "0-1" | "1/2-1/2" => Heard::Result,
            "Illegal" if rest.starts_with("move") => Heard::Error,
            "Error" | "tellusererror" => Heard::Error,
            _ => numbered_move(text).map_or(Heard::Other, Heard::Move),
        }
    }
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
            ("Illegal move: e2e5", Heard::Error),
            ("Illegal move (in check): O-O", Heard::Error),
            ("Error (unknown command): foo bar", Heard::Error),
            ("tellusererror The server is full.", Heard::Error),
            ("9 23 100 4000\te4 e5", Heard::Other),
            ("9 23 100 4000 1. e4 ... e5", Heard::Other),
            (" e4  50%", Heard::Other),
            ("", Heard::Other),
        ] {
            assert_eq!(Heard::parse(line.as_bytes()), expected, "{line}");
        }
    }
}
