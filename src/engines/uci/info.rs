//! The line `info` of UCI.

use crate::engines::event::{EngineEvent, Thinking, centipawns, mate};
use crate::search::{Bound, Score};

/// Splits off the first word.
pub(super) fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// Parses the text after `info`. Unknown words are skipped.
pub(super) fn parse(text: &str) -> EngineEvent<'_> {
    let (score, bound) = (Score::DRAW, Bound::Exact);
    let mut found = Thinking { depth: 1, selective_depth: 0, line: 1, score, bound, nodes: 0, pv: "" };
    let (mut selective_depth, mut current) = (None, (None, None));
    let mut rest = text;
    while !rest.is_empty() {
        let (word, behind) = split_word(rest);
        let (value, after) = split_word(behind);
        rest = after;
        match word {
            "string" | "refutation" | "currline" => break,
            "depth" => found.depth = small(value).unwrap_or(1),
            "seldepth" => selective_depth = small(value),
            "multipv" => match small(value) {
                Some(line) => found.line = line.max(1),
                None => return EngineEvent::Other,
            },
            "nodes" => found.nodes = value.parse().unwrap_or(0),
            "currmove" => current.0 = Some(value),
            "currmovenumber" => current.1 = value.parse().ok(),
            "lowerbound" => (found.bound, rest) = (Bound::Lower, behind),
            "upperbound" => (found.bound, rest) = (Bound::Upper, behind),
            "score" => (found.score, rest) = score_of(value, after),
            "pv" => (found.pv, rest) = (behind, ""),
            "wdl" => rest = split_word(split_word(after).1).1,
            "time" | "nps" | "hashfull" | "tbhits" | "sbhits" | "cpuload" => {}
            // Whether a value follows an unknown word is unknown, too.
            _ => rest = behind,
        }
    }
    found.selective_depth = selective_depth.unwrap_or(found.depth);
    match current {
        _ if !found.pv.is_empty() => EngineEvent::Thinking(found),
        (Some(mv), Some(number)) => EngineEvent::CurrentMove { depth: found.depth, mv, number },
        _ => EngineEvent::Other,
    }
}

/// Parses a score of this kind; returns the text behind it, too.
fn score_of<'a>(kind: &str, text: &'a str) -> (Score, &'a str) {
    let (number, rest) = split_word(text);
    let score = match (kind, number.parse::<i32>()) {
        ("cp", Ok(number)) => centipawns(number.into()),
        ("mate", Ok(number)) => mate(number.into()),
        _ => Score::DRAW,
    };
    (score, rest)
}

/// A number, or the greatest that fits.
fn small(text: &str) -> Option<u8> {
    text.parse::<u64>().ok().map(|number| u8::try_from(number).unwrap_or(u8::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thinking(line: &str) -> Thinking<'_> {
        match parse(line) {
            EngineEvent::Thinking(thinking) => thinking,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_variation_has_a_score_and_a_bound() {
        let found = thinking(
            "depth 12 seldepth 17 multipv 2 score cp -31 wdl 10 900 90 upperbound nodes 123456 nps 1 hashfull 3 \
             tbhits 0 time 120 pv e2e4 e7e5",
        );
        assert_eq!((found.depth, found.selective_depth, found.line), (12, 17, 2));
        assert_eq!((found.score, found.bound), (Score(-31), Bound::Upper));
        assert_eq!((found.nodes, found.pv), (123_456, "e2e4 e7e5"));
        assert_eq!(thinking("depth 300 score mate -3 pv a1a2").depth, 255);
        let mated = thinking(" depth 3  score mate -3 fancy pv a1a2");
        assert_eq!(mated.score.mate_distance(), Some(-3));
        let current = EngineEvent::CurrentMove { depth: 30, mv: "d2d4", number: 7 };
        assert_eq!(parse("depth 30 currmove d2d4 currmovenumber 7"), current);
    }

    #[test]
    fn incomplete_lines_are_ignored() {
        for line in ["", "depth x", "multipv", "multipv x pv e2e4", "score", "score cp", "pv", "currmove"] {
            assert_eq!(parse(line), EngineEvent::Other, "{line}");
        }
    }
}
