//! Positions and moves as text: what is written reads back as the same.

use farboard::chess::{AnyPosition, Variant};

/// `data` is a FEN, read by the rules of every variant.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for variant in Variant::KNOWN {
        if let Ok(position) = AnyPosition::from_fen(variant, &text) {
            check(&position);
            check_moves(&position);
        }
    }
}

fn check(position: &AnyPosition) {
    let fen = position.fen();
    let read = AnyPosition::from_fen(position.variant(), &fen).expect("what was written is legal");
    assert_eq!(read.fen(), fen);
    assert_eq!(read.key(), position.key(), "{fen}");
}

/// Every legal move is found again by its names, and leads to a position.
fn check_moves(position: &AnyPosition) {
    let moves = position.legal_moves();
    assert_eq!(position.has_legal_move(), !moves.is_empty(), "{}", position.fen());
    for &mv in &moves {
        assert!(position.is_legal(mv));
        for name in [position.coordinates(mv), position.san(mv)] {
            assert_eq!(position.parse_move(&name), Ok(mv), "{name} in {}", position.fen());
        }
        let mut next = *position;
        next.play(mv);
        // Counters are limited when read, but not when counted.
        if next.halfmove_clock().max(next.fullmove()) <= 9999 {
            check(&next);
        }
    }
}
