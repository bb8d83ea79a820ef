//! Static evaluation: by a net, or in variants without one by terms for material, placement, pawns,
//! mobility, king safety and threats, tapered from middlegame to endgame by the material left.

pub(super) mod chess_weights;
pub(super) mod draughts;
mod endgame;
mod king;
pub mod net;
mod pair;
mod pawns;
pub(super) mod sample;
mod side;
mod terms;
mod threats;
pub(super) mod variant;
pub(super) mod variant_weights;

use crate::chess::{Color, Fairy, Position, Role, Ruleset};
use chess_weights::{ChessWeights, Sum};
use net::{Net, Seen, net_of};
use pair::Pair;
use side::Side;
use terms::{MATERIAL, TEMPO, TermSink};

/// Contribution of each role to the game phase; [`FULL_PHASE`] in total at the start.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// The phase of the start position.
const FULL_PHASE: i32 = 24;

/// Returns the value of a position in centipawns from the view of the side on move. Never near a
/// mate score.
pub(super) fn evaluate<R: Ruleset>(position: &Position<R>) -> i32 {
    if let Some(net) = net_of(position.domain()) {
        return by_net(position, net);
    }
    variant::evaluate(position, position.fairy().expect("the net of chess is built in"))
}

/// Returns a net's value, corrected by what is known of endings.
fn by_net<R: Ruleset>(position: &Position<R>, net: &Net) -> i32 {
    let us = position.turn();
    from_view(us, endgame::adjust(position, from_view(us, net.evaluate(position))))
}

/// Returns the sum of the chess terms from White's view.
fn chess<R: Ruleset>(position: &Position<R>, weights: &ChessWeights) -> Pair {
    let mut sums = [Sum::new(weights), Sum::new(weights)];
    count_terms(position, &mut sums);
    sums[0].total() - sums[1].total()
}

/// Counts the terms of both sides, White first.
fn count_terms<R: Ruleset, L: TermSink>(position: &Position<R>, sinks: &mut [L; 2]) {
    let [for_white, for_black] = sinks;
    let (mut white, mut black) = (Side::new(position, Color::White), Side::new(position, Color::Black));
    white.count_pieces(&black, for_white);
    black.count_pieces(&white, for_black);
    for (side, enemy, sink) in [(&white, &black, for_white), (&black, &white, for_black)] {
        pawns::structure(side, enemy, sink);
        king::shelter(side, enemy, sink);
        king::attack(side, enemy, sink);
        king::space(side, enemy, sink);
        threats::threats(side, enemy, sink);
        sink.add(TEMPO, i32::from(position.turn() == side.color));
        if let Some(fairy) = position.fairy() {
            for role in &Role::ALL[..5] {
                sink.add(MATERIAL + role.index(), i32::from(fairy.in_hand(side.color, *role)));
            }
        }
    }
}

/// Interpolates between middlegame and endgame values by the phase.
fn taper<R: Ruleset>(position: &Position<R>, total: Pair) -> i32 {
    let phase = phase(position);
    (total.middle() * phase + total.end() * (FULL_PHASE - phase)) / FULL_PHASE
}

/// Returns White's score from a side's view, kept away from mate scores.
fn from_view(side: Color, score: i32) -> i32 {
    let score = score.clamp(-20_000, 20_000);
    if side == Color::White { score } else { -score }
}

/// Returns the phase: [`FULL_PHASE`] with all pieces on the board or in hand, 0 with none.
fn phase<R: Ruleset>(position: &Position<R>) -> i32 {
    let on_board = |role| position.role(role).count() as i32;
    let in_hand = |role| {
        let held = |fairy: &Fairy, color| i32::from(fairy.in_hand(color, role));
        position.fairy().map_or(0, |fairy| held(fairy, Color::White) + held(fairy, Color::Black))
    };
    let worth = |role: Role| PHASE[role.index()] * (on_board(role) + in_hand(role));
    Role::ALL.into_iter().map(worth).sum::<i32>().min(FULL_PHASE)
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
