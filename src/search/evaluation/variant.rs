//! Terms of variants, in addition to or instead of the terms of chess: each is a difference between
//! White and Black times a weight ([`super::variant_weights`]), fitted by `farboard tune`.

use super::pair::Pair;
use super::variant_weights::weights_of;
use crate::chess::{Bitboard, Color, Fairy, Position, Role, Ruleset, attacks};

/// Number of terms.
pub const TERMS: usize = 25;

/// Names of the terms, each White's count less Black's.
pub(crate) const NAMES: [&str; TERMS] = [
    "pawns",
    "knights",
    "bishops",
    "rooks",
    "queens",
    "kings",
    "pawns in hand",
    "knights in hand",
    "bishops in hand",
    "rooks in hand",
    "queens in hand",
    "moves of pawns",
    "moves of knights",
    "moves of bishops",
    "moves of rooks",
    "moves of queens",
    "moves of kings",
    "pawn ranks",
    "a check given",
    "two checks given",
    "king from the center",
    "king's rank",
    "attacks near the enemy king",
    "attacked pieces of the enemy",
    "on move",
];

const MATERIAL: usize = 0;
const IN_HAND: usize = 6;
const MOVES: usize = 11;
const PAWN_RANKS: usize = 17;
const CHECKS: usize = 18;
const KING_CENTER: usize = 20;
const KING_RANK: usize = 21;
const NEAR_KING: usize = 22;
const ATTACKED: usize = 23;
const ON_MOVE: usize = 24;

/// Returns the terms of a position, White's less Black's.
pub(crate) fn terms<R: Ruleset>(position: &Position<R>, fairy: &Fairy) -> [i32; TERMS] {
    let (white, black) = (side(position, fairy, Color::White), side(position, fairy, Color::Black));
    std::array::from_fn(|term| white[term] - black[term])
}

/// Returns the terms of one side.
fn side<R: Ruleset>(position: &Position<R>, fairy: &Fairy, us: Color) -> [i32; TERMS] {
    let mut terms = [0; TERMS];
    let (own, enemy, occupied) = (position.color(us), position.color(!us), position.occupied());
    let enemy_kings = position.pieces(!us, Role::King);
    let near_king = enemy_kings.into_iter().fold(Bitboard::EMPTY, |near, king| near | attacks::king(king));
    let mut attacked = Bitboard::EMPTY;
    for role in Role::ALL {
        let pieces = position.pieces(us, role);
        terms[MATERIAL + role.index()] = pieces.count() as i32;
        if role != Role::King {
            terms[IN_HAND + role.index()] = i32::from(fairy.in_hand(us, role));
        }
        for square in pieces {
            let reach = match role {
                Role::Pawn => attacks::pawn(us, square),
                _ => attacks::piece(role, square, occupied),
            };
            attacked |= reach;
            let moves = if role == Role::Pawn { reach & enemy } else { reach & !own };
            terms[MOVES + role.index()] += moves.count() as i32;
            terms[NEAR_KING] += (reach & near_king).count() as i32;
            let rank = if us == Color::White { square.rank() } else { 7 - square.rank() };
            if role == Role::Pawn {
                terms[PAWN_RANKS] += i32::from(rank);
            }
        }
    }
    terms[ATTACKED] = (attacked & enemy).count() as i32;
    terms[CHECKS] = i32::from(fairy.checks(us) == 1);
    terms[CHECKS + 1] = i32::from(fairy.checks(us) == 2);
    if let Some(king) = position.king(us) {
        let from_center =
            |coordinate: u8| i32::from(if coordinate < 4 { 3 - coordinate } else { coordinate - 4 });
        terms[KING_CENTER] = from_center(king.file()).max(from_center(king.rank()));
        terms[KING_RANK] = i32::from(king.rank());
    }
    terms[ON_MOVE] = i32::from(position.turn() == us);
    terms
}

/// Returns the value of a position in centipawns from the view of the side on move.
pub(crate) fn evaluate<R: Ruleset>(position: &Position<R>, fairy: &Fairy) -> i32 {
    let chess = weights_of(fairy.rules()).chess;
    let base = chess.map_or(Pair::default(), |weights| super::chess(position, weights));
    super::from_view(position.turn(), super::taper(position, base + worth(position, fairy)))
}

/// Returns the value of a variant's terms for White.
pub(crate) fn worth<R: Ruleset>(position: &Position<R>, fairy: &Fairy) -> Pair {
    let weights = &weights_of(fairy.rules()).terms;
    let terms = terms(position, fairy);
    weights.iter().zip(terms).fold(Pair::default(), |sum, (&weight, term)| sum + weight * term)
}
