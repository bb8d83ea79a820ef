//! Polyglot keys of positions.

use super::random::RANDOM;
use crate::chess::{Bitboard, Color, Piece, Position, Role, Square, Standard, attacks};
use arrayvec::ArrayVec;

const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_ON_MOVE: usize = 780;

/// Squares of the rooks in the format's order of castling rights.
const ROOKS: [Square; 4] = [Square::at(7, 0), Square::at(0, 0), Square::at(7, 7), Square::at(0, 7)];

/// Returns the keys of a position: the one to store it under, then others under which it may be
/// found.
///
/// In the format, a pawn that has just made a double step next to an enemy pawn can be captured en
/// passant even if every capturing pawn is pinned. By the rules of chess, and for [`Position`], it
/// cannot, and the positions with and without that double step are the same.
pub(crate) fn keys(position: &Position<Standard>) -> ArrayVec<u64, 9> {
    let mut plain = Square::all()
        .filter_map(|square| position.piece_at(square).map(|piece| of_piece(piece, square)))
        .fold(0, |key, number| key ^ number);
    for (right, &rook) in ROOKS.iter().enumerate() {
        if position.castling().has(rook) {
            plain ^= RANDOM[CASTLING + right];
        }
    }
    if position.turn() == Color::White {
        plain ^= RANDOM[WHITE_ON_MOVE];
    }
    let mut keys = ArrayVec::new();
    match position.en_passant() {
        Some(target) => keys.push(plain ^ of_en_passant(target)),
        None => {
            keys.push(plain);
            keys.extend(pinned_en_passant(position).map(|target| plain ^ of_en_passant(target)));
        }
    }
    keys
}

/// Black before White, pawn to king.
fn of_piece(piece: Piece, square: Square) -> u64 {
    let kind = 2 * piece.role.index() + usize::from(piece.color == Color::White);
    RANDOM[64 * kind + square.index()]
}

fn of_en_passant(target: Square) -> u64 {
    RANDOM[EN_PASSANT + usize::from(target.file())]
}

/// Returns the squares behind enemy pawns that may just have made a double step next to an own
/// pawn, and cannot be captured because that pawn is pinned.
fn pinned_en_passant(position: &Position<Standard>) -> impl Iterator<Item = Square> {
    let us = position.turn();
    let (fifth, sixth, seventh) = if us == Color::White { (4, 5, 6) } else { (3, 2, 1) };
    let enemies = position.pieces(!us, Role::Pawn) & Bitboard::rank(fifth);
    enemies.filter_map(move |pawn| {
        let (target, origin) = (Square::at(pawn.file(), sixth), Square::at(pawn.file(), seventh));
        let came_through = !position.occupied().has(target) && !position.occupied().has(origin);
        let mut takers = attacks::pawn(!us, target) & position.pieces(us, Role::Pawn);
        let pinned = takers.any() && takers.all(|taker| !position.en_passant_is_safe(taker, target));
        (came_through && pinned).then_some(target)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys_of(fen: &str) -> ArrayVec<u64, 9> {
        keys(&Position::from_fen(Standard::NORMAL, fen).unwrap())
    }

    /// The examples from the description of the format.
    #[test]
    fn published_keys_are_reproduced() {
        for (fen, key) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b_9618_1691_fc9c),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c_9b50_fd11_4196),
            ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756_b944_61c5_0fb0),
            ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662f_afb9_65db_29d4),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a4_8b5a_8e47_ff78),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a_607c_a3f2_42c1),
            ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fd_d303_c946_bdd9),
            ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c81_23ea_7b06_7637),
            ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f_9b82_9b27_9560),
        ] {
            assert_eq!(keys_of(fen)[..], [key], "{fen}");
        }
    }

    /// `tests/data/polyglot-keys.epd` names their source.
    #[test]
    fn keys_match_a_second_library() {
        let (mut positions, mut pinned) = (0, 0);
        let lines = include_str!("../../../tests/data/polyglot-keys.epd").lines();
        for line in lines.filter(|line| !line.starts_with('#')) {
            let (fen, key) = line.rsplit_once(';').unwrap();
            let key = u64::from_str_radix(key, 16).unwrap();
            let keys = keys_of(fen);
            assert!(keys.contains(&key), "{fen}");
            positions += 1;
            if keys[0] != key {
                assert_eq!(Position::from_fen(Standard::NORMAL, fen).unwrap().en_passant(), None, "{fen}");
                pinned += 1;
            }
        }
        assert!(positions > 400 && (20..40).contains(&pinned), "{positions} {pinned}");
    }
}
