//! Naturalness of moves as mistakes: players of limited strength err by natural moves.

use super::searchable::Searchable;
use crate::chess::{Bitboard, Color, Move, MoveKind, Position, Role, Ruleset, attacks};

/// The part of a game that a side is in, which decides what is natural.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Knights and bishops are undeveloped.
    Opening,
    Middlegame,
    /// Kings take part, and pawns on any file advance.
    Endgame,
}

impl Part {
    /// The part of the game of the side on move.
    fn of<R: Ruleset>(position: &Position<R>) -> Part {
        let minors = position.role(Role::Knight) | position.role(Role::Bishop);
        let home = Bitboard::rank(position.turn().home()) & position.color(position.turn());
        let simple = position.role(Role::Pawn) | position.role(Role::King);
        if (position.occupied() & !simple).count() <= 6 {
            Part::Endgame
        } else if (minors & home).many() {
            Part::Opening
        } else {
            Part::Middlegame
        }
    }
}

/// Returns how unlikely a club player is to make a legal move by mistake, from 0 for a natural move
/// to 100. Captures, promotions, checks, castling, safe attacks on a greater piece, and flight from
/// a lesser one are natural. Always 0 in variants with rules of their own.
pub(super) fn unnaturalness<R: Ruleset>(position: &Position<R>, mv: Move) -> i32 {
    let Some(role) = position.role_at(mv.from()) else { return 0 };
    if position.fairy().is_some() || mv.kind() == MoveKind::Castle || is_forcing(position, mv, role) {
        return 0;
    }
    let relative = |rank: u8| if position.turn() == Color::White { rank } else { 7 - rank };
    let (file, rank) = (usize::from(mv.to().file()), usize::from(relative(mv.to().rank())));
    let (at_rim, has_moved) = (file == 0 || file == 7, relative(mv.from().rank()) > 0);
    match (Part::of(position), role) {
        (Part::Opening, Role::Pawn) => [100, 70, 0, 0, 0, 60, 70, 100][file],
        (Part::Middlegame, Role::Pawn) => [30, 30, 0, 0, 0, 0, 30, 30][file],
        (Part::Opening | Part::Middlegame, Role::Knight) if at_rim || rank == 0 => 100,
        (Part::Opening, Role::Knight) if has_moved => 40,
        (Part::Endgame, Role::Knight) if at_rim => 50,
        (Part::Opening | Part::Middlegame, Role::Bishop) if rank == 0 => 80,
        (Part::Opening | Part::Middlegame, Role::Bishop) if at_rim => 40,
        (Part::Opening, Role::Rook) => 90,
        (Part::Opening, Role::Queen) => [30, 30, 30, 70, 70, 70, 70, 70][rank],
        (Part::Opening, Role::King) => 100,
        (Part::Middlegame, Role::King) => [30, 100, 100, 100, 100, 100, 100, 100][rank],
        (Part::Opening | Part::Middlegame | Part::Endgame, Role::Knight | Role::Bishop)
        | (Part::Middlegame | Part::Endgame, Role::Rook | Role::Queen)
        | (Part::Endgame, Role::Pawn | Role::King) => 0,
    }
}

/// Returns true for captures, promotions, checks, moves out of check, flight from a lesser piece,
/// and attacks on a greater one that lose nothing.
fn is_forcing<R: Ruleset>(position: &Position<R>, mv: Move, role: Role) -> bool {
    let (own, enemy) = (position.turn(), !position.turn());
    let greater = |other: Role| other > role && other != Role::King;
    let attacked = match role {
        Role::Pawn => attacks::pawn(own, mv.to()),
        _ => attacks::piece(role, mv.to(), position.occupied()),
    };
    let attackers = position.attackers(mv.from(), position.occupied()) & position.color(enemy);
    let of = |squares: Bitboard, wanted: &dyn Fn(Role) -> bool| {
        Role::ALL.into_iter().any(|other| wanted(other) && (squares & position.role(other)).any())
    };
    position.in_check()
        || !position.is_quiet(mv)
        || Searchable::gives_check(position, mv, &position.checks())
        || of(attackers, &|other| other < role)
        || of(attacked & position.color(enemy), &greater) && position.see_ge(mv, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{START_FEN, Standard};

    fn of(fen: &str, moves: &[&str]) -> Vec<i32> {
        let position = Position::from_fen(Standard::NORMAL, fen).unwrap();
        moves.iter().map(|text| unnaturalness(&position, position.parse_move(text).unwrap())).collect()
    }

    #[test]
    fn development_is_natural_and_moves_at_the_rim_are_not() {
        let natural = of(START_FEN, &["e4", "d4", "c4", "Nf3", "Nc3", "e3", "d3", "c3"]);
        assert_eq!(natural, [0; 8]);
        let odd = of(START_FEN, &["Na3", "Nh3", "a4", "h3", "g4", "f3"]);
        assert!(odd.iter().all(|&odd| odd >= 60), "{odd:?}");
        let reply = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(of(reply, &["e5", "Na6", "h5", "a6"]), [0, 100, 100, 100]);
    }

    #[test]
    fn threats_captures_and_flight_are_natural() {
        let spanish = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
        assert_eq!(of(spanish, &["a6", "h6", "Na5"]), [0, 100, 100]);
        let italian = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
        assert_eq!(of(italian, &["b5", "Na5", "Bc5"]), [70, 0, 0]);
        let attacked = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4";
        assert_eq!(of(attacked, &["Ba4", "Bxc6", "O-O", "Rg1", "Ke2"]), [0, 0, 0, 90, 100]);
    }

    #[test]
    fn in_an_endgame_kings_and_pawns_advance() {
        assert_eq!(of("8/5pkp/8/8/8/8/5PKP/R7 w - - 0 1", &["h4", "Kf3", "Ra7"]), [0; 3]);
    }
}
