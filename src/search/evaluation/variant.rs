//! Terms of variants, in addition to or instead of the terms of chess: each is a difference between
//! White and Black times a weight ([`super::variant_weights`]), fitted by `farboard tune`.

use super::pair::Pair;
use super::terms::blocks;
use super::variant_weights::weights_of;
use crate::chess::{Bitboard, Color, Fairy, Position, Role, Ruleset, attacks};

/// Number of terms.
pub const TERMS: usize = COUNT;

// Each term is White's count less Black's.
blocks!(Term, COUNT {
    MATERIAL = "pawns" 1,
        "knights" 1,
        "bishops" 1,
        "rooks" 1,
        "queens" 1,
        "kings" 1;
    IN_HAND = "pawns in hand" 1,
        "knights in hand" 1,
        "bishops in hand" 1,
        "rooks in hand" 1,
        "queens in hand" 1;
    MOVES = "moves of pawns" 1,
        "moves of knights" 1,
        "moves of bishops" 1,
        "moves of rooks" 1,
        "moves of queens" 1,
        "moves of kings" 1;
    PAWN_RANKS = "pawn ranks" 1;
    CHECKS = "a check given" 1,
        "two checks given" 1;
    KING_CENTER = "king from the center" 1;
    KING_RANK = "king's rank" 1;
    NEAR_KING = "attacks near the enemy king" 1;
    ATTACKED = "attacked pieces of the enemy" 1;
    ON_MOVE = "on move" 1;
});

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
    let base = super::chess(position, &weights_of(fairy.rules()).chess);
    super::from_view(position.turn(), super::taper(position, base + worth(position, fairy)))
}

/// Returns the value of a variant's terms for White.
pub(crate) fn worth<R: Ruleset>(position: &Position<R>, fairy: &Fairy) -> Pair {
    let weights = &weights_of(fairy.rules()).terms;
    let terms = terms(position, fairy);
    weights.iter().zip(terms).fold(Pair::default(), |sum, (&weight, term)| sum + weight * term)
}
