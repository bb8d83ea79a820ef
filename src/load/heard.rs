//! What an engine says, as far as a load generator cares. Any engine that speaks xboard is understood.

/// A line of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard<'a> {
    /// `feature …`, with what stands behind the word.
    Feature(&'a str),
    /// `pong N`
    Pong(u64),
    /// `move M`, or what GNU Chess says instead.
    Move(&'a str),
    /// A thinking line.
    Thinking {
        /// Nodes so far.
        nodes: u64,
        /// The variation and what stands behind it.
        pv: &'a str,
    },
    /// `stat01: …`, with the nodes so far.
    Status(u64),
    /// How a move came about, in a `#` line of our server.
    Account(Account),
    /// A result is claimed.
    Result(&'a str),
    /// `resign`
    Resign,
    /// A command is not understood, or was refused; a move is illegal; the user is told of an error.
    Complaint(&'a str),
    /// Anything else.
    Other,
}

/// What our server says of a move of its own, after `accepted debug`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Account {
    /// Nodes searched; `None` if nothing was found before the move was due.
    pub nodes: Option<u64>,
    /// What the move has used of the clock, in milliseconds.
    pub used: u64,
    /// What it was allowed at most, in milliseconds; `None` for no limit.
    pub maximum: Option<u64>,
}

impl Heard<'_> {
    /// Understands a line, without its end.
    pub fn in_line(line: &str) -> Heard<'_> {
        let line = line.trim();
        let (word, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        match word {
            "feature" => Heard::Feature(rest),
            "pong" => rest.trim().parse().map_or(Heard::Other, Heard::Pong),
            "move" => Heard::Move(rest.trim()),
            "My" => rest
                .strip_prefix("move is")
                .map_or(Heard::Other, |rest| Heard::Move(rest.trim_start_matches([' ', ':']))),
            "resign" => Heard::Resign,
            "1-0" | "0-1" | "1/2-1/2" => Heard::Result(line),
            "Error" | "Illegal" | "tellusererror" => Heard::Complaint(line),
            "stat01:" => nth(rest, 1).map_or(Heard::Other, Heard::Status),
            "#" => account(rest).map_or(Heard::Other, Heard::Account),
            _ if word.starts_with(|first: char| first.is_ascii_digit()) => thinking(line),
            _ => Heard::Other,
        }
    }
}

fn nth(words: &str, index: usize) -> Option<u64> {
    words.split_ascii_whitespace().nth(index)?.parse().ok()
}

/// `ply score time nodes pv`. Behind the ply there may be a mark; a book's moves have ply 0.
fn thinking(line: &str) -> Heard<'_> {
    let mut rest = line;
    let mut next = || {
        let (word, behind) = rest.trim_start().split_once(|c: char| c.is_ascii_whitespace())?;
        rest = behind;
        Some(word)
    };
    let mut head = || {
        let depth: u32 = next()?.trim_end_matches(|mark: char| !mark.is_ascii_digit()).parse().ok()?;
        let _score: i64 = next()?.parse().ok()?;
        let _time: u64 = next()?.parse().ok()?;
        let nodes: u64 = next()?.parse().ok()?;
        (depth > 0).then_some(nodes)
    };
    let Some(nodes) = head() else { return Heard::Other };
    // More numbers may stand before a tabulator.
    let pv = rest.split_once('\t').map_or(rest, |(_, pv)| pv).trim();
    Heard::Thinking { nodes, pv }
}

/// `depth 5, score +0.31, 1000 nodes; 120 ms used of 4950 to 4950 ms; …`
fn account(text: &str) -> Option<Account> {
    let (found, rest) = text.split_once("; ")?;
    let (used, rest) = rest.split_once(" ms used of ")?;
    let allowed = rest.split_once(';').map_or(rest, |(allowed, _)| allowed);
    let maximum = allowed.split_once(" to ").and_then(|(_, most)| most.strip_suffix(" ms")?.parse().ok());
    let nodes = found.strip_suffix(" nodes").and_then(|found| found.rsplit(' ').next()?.parse().ok());
    Some(Account { nodes, used: used.parse().ok()?, maximum })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers() {
        assert_eq!(Heard::in_line("pong 7"), Heard::Pong(7));
        assert_eq!(Heard::in_line("pong"), Heard::Other);
        assert_eq!(Heard::in_line("move e7e8q\r"), Heard::Move("e7e8q"));
        assert_eq!(Heard::in_line("My move is : e2e4"), Heard::Move("e2e4"));
        assert_eq!(Heard::in_line("feature ping=1 done=1"), Heard::Feature("ping=1 done=1"));
        assert_eq!(
            Heard::in_line("1/2-1/2 {Draw by repetition}"),
            Heard::Result("1/2-1/2 {Draw by repetition}")
        );
        assert_eq!(Heard::in_line("resign"), Heard::Resign);
        let complaint = "Illegal move (in check): e2e4";
        assert_eq!(Heard::in_line(complaint), Heard::Complaint(complaint));
        assert_eq!(Heard::in_line("stat01: 120 34567 8 3 30 Nf3"), Heard::Status(34567));
        assert_eq!(Heard::in_line("stat01:"), Heard::Other);
        assert_eq!(Heard::in_line(""), Heard::Other);
        assert_eq!(Heard::in_line("TellUser: hello"), Heard::Other);
    }

    #[test]
    fn thinking_lines_of_several_engines() {
        let ours = Heard::in_line("12 31 250 1234567 20 493826 0\te4 e5 Nf3 !");
        assert_eq!(ours, Heard::Thinking { nodes: 1_234_567, pv: "e4 e5 Nf3 !" });
        let short = Heard::in_line("  5.   -31   12   4321  Nc6 Bb5");
        assert_eq!(short, Heard::Thinking { nodes: 4321, pv: "Nc6 Bb5" });
        for other in ["0 0 0 0 (e4 64%, d4 24%)", "1. ... e7e5", "5 31 12", "5 31 12 x e4", "1"] {
            assert_eq!(Heard::in_line(other), Heard::Other, "{other}");
        }
    }

    #[test]
    fn our_account_of_a_move() {
        let text =
            "# depth 5, score mate in 3, 1000 nodes; 120 ms used of 300 to 4950 ms; lag 0 ms, at worst 0 ms";
        let account = Account { nodes: Some(1000), used: 120, maximum: Some(4950) };
        assert_eq!(Heard::in_line(text), Heard::Account(account));
        let text = "# nothing found yet; 7 ms used of no limit; lag 0 ms, at worst 0 ms";
        let account = Account { nodes: None, used: 7, maximum: None };
        assert_eq!(Heard::in_line(text), Heard::Account(account));
        assert_eq!(Heard::in_line("# hello"), Heard::Other);
    }
}
