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
    let (mut depth, mut selective_depth, mut line, mut nodes) = (None, None, Some(1), 0);
    let (mut score, mut bound) = (Score::DRAW, Bound::Exact);
    let mut current = (None, None);
    let mut pv = "";
    let mut rest = text;
    while !rest.is_empty() {
        let (word, behind) = split_word(rest);
        let (value, after) = split_word(behind);
        rest = after;
        match word {
            "string" | "refutation" | "currline" => break,
            "depth" => depth = small(value),
            "seldepth" => selective_depth = small(value),
            "multipv" => line = small(value),
            "nodes" => nodes = value.parse().unwrap_or(0),
            "currmove" => current.0 = Some(value),
            "currmovenumber" => current.1 = value.parse().ok(),
            "lowerbound" => (bound, rest) = (Bound::Lower, behind),
            "upperbound" => (bound, rest) = (Bound::Upper, behind),
            "score" => {
                let (number, after) = split_word(after);
                rest = after;
                score = match (value, number.parse::<i32>()) {
                    ("cp", Ok(number)) => centipawns(number.into()),
                    ("mate", Ok(number)) => mate(number.into()),
                    _ => Score::DRAW,
                };
            }
            "pv" => {
                pv = behind;
                break;
            }
            "wdl" => rest = split_word(split_word(after).1).1,
            "time" | "nps" | "hashfull" | "tbhits" | "sbhits" | "cpuload" => {}
            // Whether a value follows an unknown word is unknown, too.
            _ => rest = behind,
        }
    }
    let Some(line) = line else { return EngineEvent::Other };
    let reached = depth.unwrap_or(1);
    if !pv.is_empty() {
        let selective_depth = selective_depth.unwrap_or(reached);
        let line = line.max(1);
        return EngineEvent::Thinking(Thinking {
            depth: reached,
            selective_depth,
            line,
            score,
            bound,
            nodes,
            pv,
        });
    }
    match current {
        (Some(mv), Some(number)) => EngineEvent::CurrentMove { depth: reached, mv, number },
        _ => EngineEvent::Other,
    }
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
