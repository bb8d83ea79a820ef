//! What a server's line means.

use super::shown::Thought;
use crate::protocol::DrainCause;
use crate::protocol::INTERNAL_ERROR;

/// What servers say of a `go perft` that has ended before its end.
const COUNT_STOPPED: &str = "the count of leaves was stopped";

/// A line of a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Answer<'a> {
    /// `id`, `option`: part of the answer to `uci`.
    Declaration,
    Uciok,
    Readyok,
    Bestmove,
    /// `info` with anything but a remark.
    Thought(Thought),
    /// `info string`, and the text.
    Remark(&'a str),
    /// How servers refuse a client of which they know nothing yet, and the reason.
    Refusal(&'a str),
    /// The last line of `go perft`: the total, or that it was stopped.
    Total,
    Other,
}

impl<'a> Answer<'a> {
    /// Reads a line without blanks around.
    pub(super) fn of(line: &'a str) -> Answer<'a> {
        let (word, rest) = split(line);
        match word {
            "id" | "option" => Answer::Declaration,
            "uciok" => Answer::Uciok,
            "readyok" => Answer::Readyok,
            "bestmove" => Answer::Bestmove,
            "info" => match split(rest) {
                ("string", COUNT_STOPPED) => Answer::Total,
                ("string", text) => Answer::Remark(text),
                _ => Answer::Thought(Thought::read(rest)),
            },
            "tellusererror" => Answer::Refusal(rest),
            "Nodes" if rest.starts_with("searched:") => Answer::Total,
            _ => Answer::Other,
        }
    }
}

/// The first word, and what follows it.
fn split(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((text, ""));
    (word, rest.trim_ascii_start())
}

/// Whether this is the last line of `go perft`.
pub(super) fn ends_count(answer: &Answer<'_>) -> bool {
    match answer {
        Answer::Remark(text) => {
            text.starts_with("nothing is searched") || text.starts_with("nothing is counted")
        }
        other => *other == Answer::Total,
    }
}

/// Whether a server says this only before it closes: then another one may go on, and the client need not know.
pub(super) fn is_farewell(remark: &str) -> bool {
    DrainCause::is_stated_by(remark) || is_defect(remark)
}

/// The option that a server has refused to set, by its remark. What other programs say to that is not known: what they refuse
/// is taken for set.
pub(super) fn refused_option(remark: &str) -> Option<&str> {
    if remark.starts_with("there is no profile ") {
        return Some("Profile");
    }
    remark.strip_prefix("option ")?.split_once(": ").map(|(name, _)| name)
}

/// Whether a server says this when it has a defect.
pub(super) fn is_defect(remark: &str) -> bool {
    remark.contains(INTERNAL_ERROR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_known_by_their_words() {
        for (line, expected) in [
            ("option name Hash type spin default 1 min 1 max 9", Answer::Declaration),
            ("uciok", Answer::Uciok),
            ("bestmove e2e4 ponder e7e5", Answer::Bestmove),
            ("bestmove", Answer::Bestmove),
            ("info string depth 3", Answer::Remark("depth 3")),
            ("info  string", Answer::Remark("")),
            ("Nodes searched: 20", Answer::Total),
            ("e2e4: 20", Answer::Other),
            ("tellusererror The server is full.", Answer::Refusal("The server is full.")),
            ("", Answer::Other),
        ] {
            assert_eq!(Answer::of(line), expected, "{line}");
        }
        assert!(matches!(Answer::of("info depth 3 score cp 1"), Answer::Thought(_)));
        assert_eq!(refused_option("option Skill Level: no number"), Some("Skill Level"));
        assert_eq!(refused_option("option"), None);
        assert!(
            is_farewell(DrainCause::Shutdown.remark())
                && is_farewell(DrainCause::Command.remark())
                && is_farewell(&format!("oh: {INTERNAL_ERROR}"))
                && !is_farewell("x")
        );
    }
}
