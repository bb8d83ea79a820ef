//! Lines of any engine that speaks xboard, as far as its clients need them.

use crate::engines::Account;

/// A line of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineLine<'a> {
    /// `feature …`: the text after the word.
    Feature(&'a str),
    /// `pong N`
    Pong(u64),
    /// `move M`, or the form of GNU Chess.
    Move(&'a str),
    /// A thinking line.
    Thinking {
        /// Plies.
        depth: u8,
        /// Centipawns, or 100,000 and the number of moves to mate.
        score: i64,
        /// Nodes so far.
        nodes: u64,
        /// The principal variation and anything after it.
        pv: &'a str,
    },
    /// `stat01: …`: nodes so far.
    Status(u64),
    /// Statistics of a move, from a `#` line of Farboard.
    Account(Account),
    /// A claimed result.
    Result(&'a str),
    /// `resign`
    Resign,
    /// A command was not understood or refused, a move was illegal, or the user is told of an error.
    Complaint(&'a str),
    /// Anything else.
    Other,
}

impl EngineLine<'_> {
    /// Parses a line; a line ending is ignored.
    pub fn parse(line: &str) -> EngineLine<'_> {
        let line = line.trim();
        let (word, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        match word {
            "feature" => EngineLine::Feature(rest),
            "pong" => rest.trim().parse().map_or(EngineLine::Other, EngineLine::Pong),
            "move" => EngineLine::Move(rest.trim()),
            "My" => rest
                .strip_prefix("move is")
                .map_or(EngineLine::Other, |rest| EngineLine::Move(rest.trim_start_matches([' ', ':']))),
            "resign" => EngineLine::Resign,
            "1-0" | "0-1" | "1/2-1/2" => EngineLine::Result(line),
            "Error" | "Illegal" | "tellusererror" => EngineLine::Complaint(line),
            "stat01:" => nth(rest, 1).map_or(EngineLine::Other, EngineLine::Status),
            "#" => Account::parse(rest).map_or(EngineLine::Other, EngineLine::Account),
            _ if word.starts_with(|first: char| first.is_ascii_digit()) => thinking(line),
            _ => EngineLine::Other,
        }
    }
}

fn nth(words: &str, index: usize) -> Option<u64> {
    words.split_ascii_whitespace().nth(index)?.parse().ok()
}

/// `ply score time nodes pv`. A mark may follow the ply; book moves have ply 0.
fn thinking(line: &str) -> EngineLine<'_> {
    let mut rest = line;
    let mut next = || {
        let (word, behind) = rest.trim_start().split_once(|c: char| c.is_ascii_whitespace())?;
        rest = behind;
        Some(word)
    };
    let mut head = || {
        let depth: u64 = next()?.trim_end_matches(|mark: char| !mark.is_ascii_digit()).parse().ok()?;
        let score: i64 = next()?.parse().ok()?;
        // Some engines have a fraction.
        let _time: f64 = next()?.parse().ok()?;
        let nodes: u64 = next()?.parse().ok()?;
        (depth > 0).then_some((u8::try_from(depth).unwrap_or(u8::MAX), score, nodes))
    };
    let Some((depth, score, nodes)) = head() else { return EngineLine::Other };
    // More numbers may precede a tab.
    let pv = rest.split_once('\t').map_or(rest, |(_, pv)| pv).trim();
    EngineLine::Thinking { depth, score, nodes, pv }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers() {
        assert_eq!(EngineLine::parse("pong 7"), EngineLine::Pong(7));
        assert_eq!(EngineLine::parse("pong"), EngineLine::Other);
        assert_eq!(EngineLine::parse("move e7e8q\r"), EngineLine::Move("e7e8q"));
        assert_eq!(EngineLine::parse("My move is : e2e4"), EngineLine::Move("e2e4"));
        assert_eq!(EngineLine::parse("feature ping=1 done=1"), EngineLine::Feature("ping=1 done=1"));
        assert_eq!(
            EngineLine::parse("1/2-1/2 {Draw by repetition}"),
            EngineLine::Result("1/2-1/2 {Draw by repetition}")
        );
        assert_eq!(EngineLine::parse("resign"), EngineLine::Resign);
        let complaint = "Illegal move (in check): e2e4";
        assert_eq!(EngineLine::parse(complaint), EngineLine::Complaint(complaint));
        assert_eq!(EngineLine::parse("stat01: 120 34567 8 3 30 Nf3"), EngineLine::Status(34567));
        assert_eq!(EngineLine::parse("stat01:"), EngineLine::Other);
        assert_eq!(EngineLine::parse(""), EngineLine::Other);
        assert_eq!(EngineLine::parse("TellUser: hello"), EngineLine::Other);
    }

    #[test]
    fn thinking_lines_of_several_engines() {
        let ours = EngineLine::parse("12 31 250 1234567 20 493826 0\te4 e5 Nf3 !");
        assert_eq!(ours, EngineLine::Thinking { depth: 12, score: 31, nodes: 1_234_567, pv: "e4 e5 Nf3 !" });
        let short = EngineLine::parse("  5.   -31   12   4321  Nc6 Bb5");
        assert_eq!(short, EngineLine::Thinking { depth: 5, score: -31, nodes: 4321, pv: "Nc6 Bb5" });
        for other in ["0 0 0 0 (e4 64%, d4 24%)", "1. ... e7e5", "5 31 12", "5 31 12 x e4", "1"] {
            assert_eq!(EngineLine::parse(other), EngineLine::Other, "{other}");
        }
    }

    #[test]
    fn our_account_of_a_move() {
        let text =
            "# depth 5, score mate in 3, 1000 nodes; 120 ms used of 300 to 4950 ms; lag 0 ms, at worst 0 ms";
        let account = Account { nodes: Some(1000), used: 120, maximum: Some(4950) };
        assert_eq!(EngineLine::parse(text), EngineLine::Account(account));
        assert_eq!(EngineLine::parse("# hello"), EngineLine::Other);
    }
}
