//! Static evaluation: material, placement, pawns, mobility, king safety, threats; tapered from middlegame
//! to endgame by what is left on the board.

pub mod chess_weights;
pub mod draughts;
mod endgame;
mod king;
mod pair;
mod pawns;
pub mod sample;
mod side;
mod terms;
mod threats;
pub mod variant;
pub mod variant_weights;

use crate::chess::{Color, Fairy, Position, Role, Ruleset};
use chess_weights::{CHESS, ChessWeights, Sum};
use pair::Pair;
use side::Side;
use terms::{Ledger, MATERIAL, TEMPO};

/// How much of the middlegame each role stands for; [`FULL_PHASE`] in all at the start.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// The phase of the start position.
const FULL_PHASE: i32 = 24;

/// The worth of a position in centipawns from the view of the side on move. Never near a mate score.
pub fn evaluate<R: Ruleset>(position: &Position<R>) -> i32 {
    if let Some(fairy) = position.fairy() {
        return variant::evaluate(position, fairy);
    }
    let total = endgame::scaled(position, chess(position, &CHESS));
    from_view(position.turn(), endgame::adjust(position, taper(position, total)))
}

/// What counts in chess, for White less for Black.
fn chess<R: Ruleset>(position: &Position<R>, weights: &ChessWeights) -> Pair {
    let mut sums = [Sum::new(weights), Sum::new(weights)];
    keep_accounts(position, &mut sums);
    sums[0].total() - sums[1].total()
}

/// Enters what either side has, White first.
fn keep_accounts<R: Ruleset, L: Ledger>(position: &Position<R>, ledgers: &mut [L; 2]) {
    let [for_white, for_black] = ledgers;
    let (mut white, mut black) = (Side::new(position, Color::White), Side::new(position, Color::Black));
    white.place(&black, for_white);
    black.place(&white, for_black);
    for (side, enemy, ledger) in [(&white, &black, for_white), (&black, &white, for_black)] {
        pawns::structure(side, enemy, ledger);
        king::shelter(side, enemy, ledger);
        king::attack(side, enemy, ledger);
        king::space(side, enemy, ledger);
        threats::threats(side, enemy, ledger);
        ledger.add(TEMPO, i32::from(position.turn() == side.color));
        if let Some(fairy) = position.fairy() {
            for role in &Role::ALL[..5] {
                ledger.add(MATERIAL + role.index(), i32::from(fairy.in_hand(side.color, *role)));
            }
        }
    }
}

/// Between the values of middlegame and endgame, by what is on the board.
fn taper<R: Ruleset>(position: &Position<R>, total: Pair) -> i32 {
    let phase = phase(position);
    (total.middle() * phase + total.end() * (FULL_PHASE - phase)) / FULL_PHASE
}

/// White's score as a side sees it, kept away from mate scores.
fn from_view(side: Color, score: i32) -> i32 {
    let score = score.clamp(-20_000, 20_000);
    if side == Color::White { score } else { -score }
}

/// [`FULL_PHASE`] with all pieces on the board or in hand, 0 with none.
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

    /// The same position with colours changed.
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
    fn what_cannot_be_won_is_near_a_draw() {
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
