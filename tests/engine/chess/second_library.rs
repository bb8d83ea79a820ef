//! Random games, with every set of legal moves and every SAN origin compared with cozy-chess.

use cozy_chess::Board;
use farboard::chess::{AnyPosition, Variant};
use farboard::random::mix;

fn cozy_moves(board: &Board) -> Vec<String> {
    let mut moves = Vec::new();
    board.generate_moves(|piece_moves| {
        moves.extend(piece_moves.into_iter().map(|mv| mv.to_string()));
        false
    });
    moves.sort();
    moves
}

/// Castling is king takes own rook, as cozy-chess writes it.
fn library_moves(position: &AnyPosition) -> Vec<String> {
    let mut moves: Vec<String> = position
        .legal_moves()
        .iter()
        .map(|mv| {
            let promotion = mv.promotion().map(|role| role.letter().to_ascii_lowercase().to_string());
            format!("{}{}{}", mv.from(), mv.to(), promotion.unwrap_or_default())
        })
        .collect();
    moves.sort();
    moves
}

#[test]
fn random_games_have_the_same_moves() {
    for seed in 0..200u64 {
        let chess960 = cozy_chess::Board::chess960_startpos((seed * 7 % 960) as u32);
        let mut board = if seed % 2 == 0 { Board::default() } else { chess960 };
        let variant = if seed % 2 == 0 { Variant::NORMAL } else { Variant::FISCHERANDOM };
        let mut position = AnyPosition::from_fen(variant, &format!("{board:#}")).expect("legal start");
        for ply in 0..200u64 {
            let moves = library_moves(&position);
            assert_eq!(moves, cozy_moves(&board), "seed {seed} ply {ply} {}", position.fen());
            if moves.is_empty() || board.halfmove_clock() >= 100 {
                break;
            }
            let chosen = &moves[mix(seed << 32 | ply) as usize % moves.len()];
            let mv = position
                .legal_moves()
                .into_iter()
                .find(|&mv| {
                    position.parse_move(&position.san(mv)) == Ok(mv) && {
                        let promotion =
                            mv.promotion().map(|role| role.letter().to_ascii_lowercase().to_string());
                        *chosen == format!("{}{}{}", mv.from(), mv.to(), promotion.unwrap_or_default())
                    }
                })
                .expect("SAN reads back");
            position.play(mv);
            board.play(chosen.parse().expect("a move of cozy-chess"));
        }
    }
}
