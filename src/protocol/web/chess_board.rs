//! Games of chess and its variants, as the client sees them.

use super::{Checks, Hands, LastMove, Legal, PlayedMove, Position, Result};
use crate::chess::{self, AnyPosition, Color, Ending, Game, Goal, Role, Royal, Rules, Square};
use std::collections::BTreeMap;

/// Returns the position on the board, with the result of a game that is over for a reason outside
/// the rules. `claims`: whether draws by claim end the game.
pub(crate) fn chess_position(game: &Game, result: Option<Result>, claims: bool) -> Position {
    let position = game.position();
    let ending = if claims { game.ending() } else { position.outcome() };
    let by_rule = ending
        .map(|(outcome, ending)| Result::new(outcome, chess_reason(position.variant().rules(), ending)));
    let result = result.or(by_rule);
    let legal = if result.is_some() { Vec::new() } else { chess_legal(position) };
    Position {
        fen: position.fen(),
        turn: position.turn().into(),
        ply: game.moves().len(),
        pieces: chess_pieces(position),
        legal,
        hands: position.hands().map(|hands| hands_of(&hands)),
        checks_left: checks_of(position),
        check: checked_king(position).map(|square| square.to_string()),
        last: game.moves().last().map(|&mv| squares_of_move(&position.coordinates(mv))),
        result,
        book: Vec::new(),
    }
}

/// Returns the legal moves.
pub(crate) fn chess_legal(position: &AnyPosition) -> Vec<Legal> {
    position.legal_moves().into_iter().map(|mv| legal(position, mv)).collect()
}

/// Returns the checks that each side still has to give, in three-check.
pub(crate) fn checks_of(position: &AnyPosition) -> Option<Checks> {
    position.checks_left().map(|[white, black]| Checks { white, black })
}

/// Returns the pieces by square.
pub(crate) fn chess_pieces(position: &AnyPosition) -> BTreeMap<String, String> {
    let pieces = Square::all().filter_map(|square| Some((square, position.piece_at(square)?)));
    pieces.map(|(square, piece)| (square.to_string(), piece.letter().to_string())).collect()
}

/// Returns a legal move in both notations.
pub(crate) fn chess_move(position: &AnyPosition, mv: chess::Move) -> super::Move {
    super::Move { uci: position.coordinates(mv), san: position.san(mv) }
}

/// Returns the moves of a game, each with the position after it.
pub(crate) fn chess_moves(game: &Game) -> Vec<PlayedMove> {
    let mut position = *game.start();
    let played = game.moves().iter().map(|&mv| {
        let super::Move { uci, san } = chess_move(&position, mv);
        position.play(mv);
        PlayedMove { uci, san, fen: position.fen() }
    });
    played.collect()
}

fn legal(position: &AnyPosition, mv: chess::Move) -> Legal {
    let super::Move { uci, san } = chess_move(position, mv);
    let LastMove { from, to } = squares_of_move(&uci);
    let is_drop = from.is_none();
    let promotion = uci.get(4..).filter(|piece| !is_drop && !piece.is_empty()).map(str::to_owned);
    let drop = uci.get(..1).filter(|_| is_drop).map(str::to_owned);
    Legal { uci, san, from, to, promotion, drop, path: Vec::new() }
}

/// Returns the squares of a move in coordinates, which do not depend on the position.
pub(crate) fn squares_of_move(uci: &str) -> LastMove {
    let from = uci.get(..2).filter(|from| !from.ends_with('@')).map(str::to_owned);
    LastMove { from, to: uci.get(2..4).unwrap_or_default().to_owned() }
}

/// Returns the pieces in hand.
pub(crate) fn hands_of(hands: &[[u8; 6]; 2]) -> Hands {
    let side = |color: Color| {
        let held = Role::ALL.into_iter().map(|role| (role, hands[color.index()][role.index()]));
        held.filter(|&(_, count)| count > 0).map(|(role, count)| (role.letter().to_string(), count)).collect()
    };
    Hands { white: side(Color::White), black: side(Color::Black) }
}

/// Returns the square of the king in check.
pub(crate) fn checked_king(position: &AnyPosition) -> Option<Square> {
    let is_own_king = |&square: &Square| {
        let piece = position.piece_at(square);
        piece.is_some_and(|piece| piece.role == Role::King && piece.color == position.turn())
    };
    let kings = Square::all().filter(is_own_king);
    let king = match position.variant().rules().royal {
        Royal::FirstKing => kings.min_by_key(|square| (square.file(), square.rank())),
        Royal::King => kings.min(),
        Royal::Nothing => None,
    };
    king.filter(|_| position.in_check())
}

/// The reason of an end by rule in English words.
pub(crate) fn chess_reason(rules: &Rules, ending: Ending) -> &'static str {
    match ending {
        Ending::Checkmate => "checkmate",
        Ending::Stalemate => "stalemate",
        Ending::InsufficientMaterial => "insufficient material",
        Ending::Repetition => "threefold repetition",
        Ending::FiftyMoves => "fifty moves",
        Ending::VariantRule if rules.checks_to_win > 0 => "third check",
        Ending::VariantRule if rules.explodes => "king exploded",
        Ending::VariantRule if rules.goal != Goal::None => "king reached the goal",
        Ending::VariantRule if rules.bare_king_wins || rules.royal == Royal::Nothing => {
            "nothing left to lose"
        }
        Ending::VariantRule if rules.white_horde => "the horde is lost",
        Ending::VariantRule => "rule of the variant",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Variant;
    use crate::protocol::web::Side;

    fn played(variant: &str, moves: &str) -> Position {
        let mut game = Game::new(variant.parse().expect("a variant"));
        for text in moves.split_whitespace() {
            game.play(game.position().parse_move(text).unwrap_or_else(|error| panic!("{text}: {error}")));
        }
        chess_position(&game, None, true)
    }

    fn set_up(fen: &str) -> Position {
        chess_position(&Game::from_fen(Variant::NORMAL, fen).expect("a position"), None, true)
    }

    fn legal_of<'a>(position: &'a Position, uci: &str) -> &'a Legal {
        position.legal.iter().find(|legal| legal.uci == uci).unwrap_or_else(|| panic!("{uci}"))
    }

    #[test]
    fn a_position_has_all_that_a_board_shows() {
        let position = played("normal", "e4 d5 Bb5+");
        assert_eq!((position.turn, position.ply), (Side::Black, 3));
        assert_eq!(position.pieces["b5"], "B");
        assert_eq!(position.pieces["e8"], "k");
        assert_eq!(position.pieces.len(), 32);
        assert_eq!(position.check.as_deref(), Some("e8"));
        assert_eq!(position.last, Some(LastMove { from: Some("f1".into()), to: "b5".into() }));
        assert_eq!((position.hands, position.checks_left, position.result), (None, None, None));
    }

    #[test]
    fn castling_and_promotions_name_the_squares_to_click() {
        let position = set_up("4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1");
        let castling = legal_of(&position, "e1g1");
        assert_eq!(
            (castling.from.as_deref(), castling.to.as_str(), castling.san.as_str()),
            (Some("e1"), "g1", "O-O")
        );
        let promotion = legal_of(&position, "a7a8n");
        assert_eq!((promotion.promotion.as_deref(), promotion.drop.as_deref()), (Some("n"), None));
    }

    #[test]
    fn drops_have_no_origin_and_hands_are_counted() {
        let position = played("crazyhouse", "e4 d5 exd5 Qxd5");
        let hands = position.hands.as_ref().expect("a game with drops");
        assert_eq!((hands.white.get("P"), hands.black.get("P"), hands.white.len()), (Some(&1), Some(&1), 1));
        let drop = legal_of(&position, "P@e4");
        assert_eq!((drop.from.as_deref(), drop.to.as_str(), drop.drop.as_deref()), (None, "e4", Some("P")));
        assert_eq!(drop.promotion, None);
        let dropped = played("crazyhouse", "e4 d5 exd5 Qxd5 P@e4");
        assert_eq!(dropped.last, Some(LastMove { from: None, to: "e4".into() }));
    }

    #[test]
    fn checks_are_counted_down_and_the_game_ends() {
        let position = played("3check", "e4 d5 Bb5+");
        assert_eq!(position.checks_left, Some(Checks { white: 2, black: 3 }));
        let over = played("normal", "f3 e5 g4 Qh4#");
        let result = over.result.expect("mate");
        assert_eq!((result.score.as_str(), result.reason.as_str()), ("0-1", "checkmate"));
        assert!(over.legal.is_empty());
        assert_eq!(over.check.as_deref(), Some("e1"));
    }

    #[test]
    fn an_analysis_goes_on_after_a_repetition() {
        let mut game = Game::new(Variant::NORMAL);
        for text in "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8".split(' ') {
            game.play(game.position().parse_move(text).expect("legal"));
        }
        let claimed = chess_position(&game, None, true);
        assert_eq!(claimed.result.expect("a draw").reason, "threefold repetition");
        assert!(claimed.legal.is_empty());
        let analysed = chess_position(&game, None, false);
        assert_eq!((analysed.legal.len(), analysed.result), (20, None));
    }

    #[test]
    fn every_legal_move_of_every_game_can_be_read_again() {
        for variant in Variant::ALL {
            let position = AnyPosition::start(variant);
            for mv in position.legal_moves() {
                let legal = legal(&position, mv);
                assert_eq!(position.parse_move(&legal.uci), Ok(mv), "{}", variant.name());
                assert_eq!(position.parse_move(&legal.san), Ok(mv), "{}", variant.name());
                let mut after = position;
                after.play(mv);
                assert_eq!(after.coordinates(mv), legal.uci, "they do not depend on the position");
            }
        }
    }
}
