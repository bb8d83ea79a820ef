//! Games of English draughts, as the client sees them. Squares have the names of a chessboard:
//! PDN's square 1 is b8, and 32 is g1.

use super::{LastMove, Legal, PlayedMove, Position, Result};
use crate::chess::Color;
use crate::draughts::{self, Ending, Game, Square};
use std::collections::BTreeMap;

/// Returns the position on the board, with the result of a game that is over for a reason outside
/// the rules. `claims`: whether draws by claim end the game.
pub(crate) fn draughts_position(game: &Game, result: Option<Result>, claims: bool) -> Position {
    let position = game.position();
    let ending = game.ending().filter(|&(_, ending)| claims || ending == Ending::NoMoves);
    let by_rule = ending.map(|(outcome, ending)| Result::new(outcome, draughts_reason(position, ending)));
    let result = result.or(by_rule);
    let legal = if result.is_some() { Vec::new() } else { draughts_legal(position) };
    Position {
        fen: position.fen(),
        turn: position.turn().into(),
        ply: game.moves().len(),
        pieces: draughts_pieces(position),
        legal,
        hands: None,
        checks_left: None,
        check: None,
        last: game
            .moves()
            .last()
            .map(|mv| LastMove { from: Some(board_square(mv.from())), to: board_square(mv.to()) }),
        result,
        book: Vec::new(),
    }
}

/// Returns the legal moves.
pub(crate) fn draughts_legal(position: &draughts::Position) -> Vec<Legal> {
    position.legal_moves().into_iter().map(|mv| legal(position, mv)).collect()
}

/// Returns the pieces by square.
pub(crate) fn draughts_pieces(position: &draughts::Position) -> BTreeMap<String, String> {
    let piece = |square: Square| {
        let is_king = position.kings().has(square);
        let color = Color::ALL.into_iter().find(|&color| position.side(color).has(square))?;
        Some(match (color, is_king) {
            (Color::White, false) => "M",
            (Color::White, true) => "K",
            (Color::Black, false) => "m",
            (Color::Black, true) => "k",
        })
    };
    let pieces = Square::all().filter_map(|square| Some((board_square(square), piece(square)?.to_owned())));
    pieces.collect()
}

/// Returns a legal move in both notations: all squares, and PDN.
pub(crate) fn draughts_move_words(position: &draughts::Position, mv: draughts::Move) -> super::Move {
    let separator = if mv.is_jump() { "x" } else { "-" };
    let squares: Vec<String> = mv.squares().iter().map(Square::to_string).collect();
    super::Move { uci: squares.join(separator), san: position.pdn(mv) }
}

/// Returns the moves of a game, each with the position after it.
pub(crate) fn draughts_moves(game: &Game) -> Vec<PlayedMove> {
    let mut position = *game.start();
    let played = game.moves().iter().map(|&mv| {
        let super::Move { uci, san } = draughts_move_words(&position, mv);
        position.play(mv);
        PlayedMove { uci, san, fen: position.fen() }
    });
    played.collect()
}

fn legal(position: &draughts::Position, mv: draughts::Move) -> Legal {
    let super::Move { uci, san } = draughts_move_words(position, mv);
    let squares = mv.squares();
    let path =
        if squares.len() > 2 { squares.iter().copied().map(board_square).collect() } else { Vec::new() };
    Legal {
        uci,
        san,
        from: Some(board_square(mv.from())),
        to: board_square(mv.to()),
        promotion: None,
        drop: None,
        path,
    }
}

/// The name of a square on a chessboard with White at the bottom.
pub(crate) fn board_square(square: Square) -> String {
    let (row, place) = (square.row(), (square.number() - 1) % 4);
    let file = 2 * place + u8::from(row % 2 == 0);
    crate::chess::Square::at(file, 7 - row).to_string()
}

/// The reason of an end by rule in English words.
pub(crate) fn draughts_reason(position: &draughts::Position, ending: Ending) -> &'static str {
    match ending {
        Ending::NoMoves if position.side(position.turn()) == draughts::Bitboard::EMPTY => "no pieces left",
        Ending::NoMoves => "no move left",
        Ending::Repetition => "threefold repetition",
        Ending::FortyMoves => "forty moves without progress",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::web::Side;

    #[test]
    fn black_stands_on_top_and_moves_first() {
        let position = draughts_position(&Game::new(), None, true);
        assert_eq!(position.turn, Side::Black);
        let piece = |square: &str| position.pieces.get(square).map(String::as_str);
        for square in ["b8", "h8", "a7", "g7", "b6", "h6"] {
            assert_eq!(piece(square), Some("m"), "{square}");
        }
        for square in ["a1", "g1", "b2", "h2", "a3", "g3"] {
            assert_eq!(piece(square), Some("M"), "{square}");
        }
        assert_eq!(position.pieces.len(), 24);
        assert_eq!((position.legal.len(), piece("a5")), (7, None));
        let step = position.legal.iter().find(|legal| legal.uci == "11-15").expect("legal");
        assert_eq!((step.from.as_deref(), step.to.as_str(), step.path.len()), (Some("f6"), "e5", 0));
    }

    #[test]
    fn a_long_jump_names_all_its_squares() {
        let start = draughts::Position::from_fen("B:W14,22,31:B9").expect("a position");
        let position = draughts_position(&Game::from_position(start), None, true);
        let jump = &position.legal[0];
        assert_eq!((jump.uci.as_str(), jump.san.as_str()), ("9x18x25", "9x25"));
        assert_eq!(jump.path, ["b6", "d4", "b2"]);
    }
}
