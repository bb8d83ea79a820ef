//! Lines of any engine that speaks UCI, as far as those need them who play on it.

use super::EngineOption;
use crate::search::Bound;

/// A line of an engine.
#[derive(Clone, PartialEq, Debug)]
pub enum EngineLine<'a> {
    /// `id name …`
    Name(&'a str),
    /// `option …`
    Option(EngineOption),
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `info …`
    Info(Info<'a>),
    /// `bestmove M ponder M`; no best move for `(none)` and its like.
    BestMove {
        /// The move.
        best: Option<&'a str>,
        /// The expected reply.
        ponder: Option<&'a str>,
    },
    /// `info string …`: text for people.
    Remark(&'a str),
    /// Anything else.
    Other,
}

/// A score as it is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UciScore {
    /// Centipawns.
    Centipawns(i32),
    /// Moves to mate; negative, or 0, if the side on move is mated.
    Mate(i32),
}

/// What `info` says. Everything may be missing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Info<'a> {
    /// Plies.
    pub depth: Option<u8>,
    /// Plies of the longest line.
    pub selective_depth: Option<u8>,
    /// The number of the line, from 1.
    pub line: u8,
    /// From the view of the side on move.
    pub score: Option<UciScore>,
    /// Whether it is exact.
    pub bound: Bound,
    /// Nodes so far.
    pub nodes: Option<u64>,
    /// The first move that is being searched, and its number from 1.
    pub current: Option<(&'a str, u16)>,
    /// The moves of the line, separated by blanks.
    pub pv: &'a str,
}

impl EngineLine<'_> {
    /// Parses a line. What is not understood is left out.
    pub fn parse(line: &str) -> EngineLine<'_> {
        let line = line.trim();
        let (word, rest) = split_word(line);
        match word {
            "id" => match split_word(rest) {
                ("name", name) => EngineLine::Name(name),
                _ => EngineLine::Other,
            },
            "option" => EngineOption::parse(rest).map_or(EngineLine::Other, EngineLine::Option),
            "uciok" => EngineLine::UciOk,
            "readyok" => EngineLine::ReadyOk,
            "info" => match split_word(rest) {
                ("string", text) => EngineLine::Remark(text),
                _ => info(rest).map_or(EngineLine::Other, EngineLine::Info),
            },
            "bestmove" => {
                let mut words = rest.split_ascii_whitespace();
                let best = words.next().filter(|&mv| is_move(mv));
                let ponder = words.next().filter(|&word| word == "ponder").and_then(|_| words.next());
                EngineLine::BestMove { best, ponder: ponder.filter(|&mv| is_move(mv)) }
            }
            _ => EngineLine::Other,
        }
    }
}

/// Whether a word stands for a move, and not for none.
fn is_move(word: &str) -> bool {
    !matches!(word, "(none)" | "0000" | "NULL" | "none")
}

fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// `None` for what says nothing of a search.
fn info(text: &str) -> Option<Info<'_>> {
    let mut info = Info {
        depth: None,
        selective_depth: None,
        line: 1,
        score: None,
        bound: Bound::Exact,
        nodes: None,
        current: None,
        pv: "",
    };
    let mut current = (None, None);
    let mut rest = text;
    while !rest.is_empty() {
        let (word, behind) = split_word(rest);
        let (value, after) = split_word(behind);
        rest = after;
        match word {
            "string" | "refutation" | "currline" => break,
            "depth" => info.depth = small(value),
            "seldepth" => info.selective_depth = small(value),
            "multipv" => info.line = small(value)?,
            "nodes" => info.nodes = value.parse().ok(),
            "currmove" => current.0 = Some(value),
            "currmovenumber" => current.1 = value.parse().ok(),
            "lowerbound" => (info.bound, rest) = (Bound::Lower, behind),
            "upperbound" => (info.bound, rest) = (Bound::Upper, behind),
            "score" => {
                let (number, after) = split_word(after);
                rest = after;
                info.score = match value {
                    "cp" => number.parse().ok().map(UciScore::Centipawns),
                    "mate" => number.parse().ok().map(UciScore::Mate),
                    _ => None,
                };
            }
            "pv" => {
                info.pv = behind;
                break;
            }
            "wdl" => rest = split_word(split_word(after).1).1,
            "time" | "nps" | "hashfull" | "tbhits" | "sbhits" | "cpuload" => {}
            // An unknown word; whether a value follows is unknown, too.
            _ => rest = behind,
        }
    }
    info.current = current.0.zip(current.1);
    let says = info.depth.is_some() || info.nodes.is_some() || !info.pv.is_empty();
    says.then_some(info)
}

/// A number, or the greatest that fits.
fn small(text: &str) -> Option<u8> {
    text.parse::<u64>().ok().map(|number| u8::try_from(number).unwrap_or(u8::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Info<'_> {
        match EngineLine::parse(line) {
            EngineLine::Info(info) => info,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_variation() {
        let info = parsed(
            "info depth 12 seldepth 17 multipv 2 score cp -31 wdl 10 900 90 upperbound nodes 123456 nps 1 hashfull 3 \
             tbhits 0 time 120 pv e2e4 e7e5",
        );
        assert_eq!((info.depth, info.selective_depth, info.line), (Some(12), Some(17), 2));
        assert_eq!((info.score, info.bound), (Some(UciScore::Centipawns(-31)), Bound::Upper));
        assert_eq!((info.nodes, info.pv), (Some(123_456), "e2e4 e7e5"));
        assert_eq!(parsed("info depth 300 score mate -3 pv a1a2").depth, Some(255));
        assert_eq!(parsed("info  depth 3  score mate -3 fancy pv a1a2").score, Some(UciScore::Mate(-3)));
        let current = parsed("info depth 30 currmove d2d4 currmovenumber 7").current;
        assert_eq!(current, Some(("d2d4", 7)));
    }

    #[test]
    fn what_says_nothing() {
        for line in ["info", "info depth x", "", "Stockfish 15.1", "id author X", "infos"] {
            assert_eq!(EngineLine::parse(line), EngineLine::Other, "{line}");
        }
        let remark = "info string depth 3 pv e2e4";
        assert_eq!(EngineLine::parse(remark), EngineLine::Remark("depth 3 pv e2e4"));
        for line in [
            "info multipv",
            "info score",
            "info score cp",
            "info pv",
            "info currmove",
            "bestmove",
            "option",
            "id",
        ] {
            EngineLine::parse(line);
        }
    }

    #[test]
    fn best_moves() {
        let best = |best, ponder| EngineLine::BestMove { best, ponder };
        assert_eq!(EngineLine::parse("bestmove e2e4 ponder e7e5\r"), best(Some("e2e4"), Some("e7e5")));
        assert_eq!(EngineLine::parse("bestmove e7e8q"), best(Some("e7e8q"), None));
        assert_eq!(EngineLine::parse("bestmove e7e8q ponder (none)"), best(Some("e7e8q"), None));
        for none in ["bestmove (none)", "bestmove 0000", "bestmove NULL", "bestmove"] {
            assert_eq!(EngineLine::parse(none), best(None, None));
        }
    }
}
