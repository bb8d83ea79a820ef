//! Moves in Polyglot's format: 16 bits, of which six are the target square, six the origin, and
//! three the promotion. Castling is king takes own rook.

use crate::chess::{CastlingStyle, CastlingTargets, Move, MoveKind, Role};

/// Returns the bits of a move.
pub(crate) fn encode(mv: Move) -> u16 {
    let promotion = match mv.promotion() {
        Some(Role::Knight) => 1,
        Some(Role::Bishop) => 2,
        Some(Role::Rook) => 3,
        Some(Role::Queen) => 4,
        _ => 0,
    };
    mv.to().index() as u16 | (mv.from().index() as u16) << 6 | promotion << 12
}

/// Returns the legal move with these bits, if there is one. Castling may also be a step of the king
/// over two files, as some book makers write it.
pub(crate) fn decode(bits: u16, legal: &[Move]) -> Option<Move> {
    let is_castling = |mv: &Move| {
        mv.kind() == MoveKind::Castle && {
            let king = CastlingTargets::of(CastlingStyle::Chess960, mv.from(), mv.to()).king;
            encode(Move::normal(mv.from(), king)) == bits
        }
    };
    let same = |mv: &Move| encode(*mv) == bits;
    legal.iter().copied().find(same).or_else(|| legal.iter().copied().find(is_castling))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Position, Square, Standard};

    fn position(fen: &str) -> Position<Standard> {
        Position::from_fen(Standard::NORMAL, fen).unwrap()
    }

    fn bits(from: &str, to: &str, promotion: u16) -> u16 {
        let square = |text| Square::parse(text).unwrap().index() as u16;
        square(to) | square(from) << 6 | promotion << 12
    }

    #[test]
    fn moves_survive_a_round_trip() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        ] {
            let position = position(fen);
            let legal = position.legal_moves();
            for &mv in &legal {
                assert_eq!(decode(encode(mv), &legal), Some(mv), "{fen} {mv:?}");
            }
        }
    }

    #[test]
    fn bits_follow_the_format() {
        let promotion = position("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
        let legal = promotion.legal_moves();
        for (code, text) in [(1, "e7e8n"), (2, "e7e8b"), (3, "e7e8r"), (4, "e7e8q")] {
            let mv = decode(bits("e7", "e8", code), &legal).unwrap();
            assert_eq!(promotion.coordinates(mv), text);
        }
        for bad in [bits("e7", "e8", 0), bits("e7", "e8", 5), bits("e1", "e2", 4), 0, u16::MAX] {
            assert_eq!(decode(bad, &legal), None, "{bad:x}");
        }
    }

    #[test]
    fn castling_is_read_in_both_forms() {
        let castling = position("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
        let legal = castling.legal_moves();
        for (to, text) in [("h8", "O-O"), ("g8", "O-O"), ("a8", "O-O-O"), ("c8", "O-O-O")] {
            let mv = decode(bits("e8", to, 0), &legal).unwrap();
            assert_eq!(castling.san(mv), text);
        }
        assert_eq!(decode(bits("e8", "b8", 0), &legal), None);
        let beside = position("r2k3r/8/8/8/8/8/8/4K3 b - - 0 1");
        let mv = decode(bits("d8", "c8", 0), &beside.legal_moves()).unwrap();
        assert_eq!(mv.kind(), MoveKind::Normal);
    }
}
