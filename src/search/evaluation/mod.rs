//! Static evaluation by nets, corrected by what is known of endings.

pub(super) mod draughts;
mod endgame;
pub mod net;
mod partner;

use crate::chess::{Color, Position, Ruleset};
use net::{Seen, net_of};

/// Greatest value of a position in centipawns, far from mate scores.
const MOST: i32 = 20_000;

/// Returns the value of a position in centipawns from the view of the side on move. Never near a
/// mate score.
pub(super) fn evaluate<R: Ruleset>(position: &Position<R>) -> i32 {
    let us = position.turn();
    let by_net = from_view(us, net_of(position.domain()).evaluate_incrementally(position));
    let score = if position.variant().has_partner() {
        by_net + partner::advantage(position)
    } else {
        endgame::adjust(position, by_net)
    };
    from_view(us, score.clamp(-MOST, MOST))
}

/// Returns White's score from a side's view, or a side's from White's.
fn from_view(side: Color, score: i32) -> i32 {
    if side == Color::White { score } else { -score }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Standard;

    fn value(fen: &str) -> i32 {
        evaluate(&Position::from_fen(Standard::NORMAL, fen).unwrap())
    }

    /// Returns the position with colours exchanged.
    fn mirrored(fen: &str) -> String {
        let mut fields = fen.split(' ');
        let swap = |text: &str| -> String {
            text.chars()
                .map(|c| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
                .collect()
        };
        let board: Vec<String> = fields.next().unwrap().split('/').rev().map(swap).collect();
        let turn = if fields.next() == Some("w") { "b" } else { "w" };
        format!("{} {turn} {} -", board.join("/"), swap(fields.next().unwrap()))
    }

    #[test]
    fn colours_do_not_matter() {
        for line in include_str!("../../../tests/data/perft-variants.epd").lines() {
            let mut fields = line.split(';');
            if fields.next() == Some("normal") {
                let fen = fields.next().unwrap();
                assert_eq!(value(fen), value(&mirrored(fen)), "{fen}");
            }
        }
    }

    #[test]
    fn the_start_is_level_and_a_queen_counts() {
        let tempo = value(crate::chess::START_FEN);
        assert!((1..60).contains(&tempo), "{tempo}");
        let without = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!((600..1300).contains(&value(without)), "{}", value(without));
    }

    #[test]
    fn drawn_endings_score_near_zero() {
        for fen in [
            "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
            "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1",
            "8/5r2/4k3/8/8/3K3R/3B4/8 w - - 0 1",
        ] {
            assert!(value(fen).abs() < 100, "{fen} {}", value(fen));
        }
        assert!(value("8/8/4k3/8/8/3K3R/8/8 w - - 0 1") > 400);
    }
}
