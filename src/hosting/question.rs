//! A question to an engine, built from positions and moves: no text of a client reaches the engine.

use crate::chess::{AnyPosition, Move};
use crate::search::{Played, Request};

/// Maximum number of moves sent before the position. Two rules look back: a draw can be claimed
/// after 100 plies without a capture or a pawn move, and the game is over after 150; earlier
/// positions are never repeated. The number of such plies is part of the position. More moves would
/// not fit into the pipe of an engine that does not read.
pub(super) const MAX_MOVES: usize = 200;

/// A question to an engine.
#[derive(Clone, Debug)]
pub(super) struct Question {
    /// The position to search.
    pub(super) position: AnyPosition,
    /// Where `moves` begin.
    pub(super) from: AnyPosition,
    /// The last moves that lead to the position, since the last irreversible one and at most
    /// [`MAX_MOVES`].
    pub(super) moves: Vec<Move>,
    /// Legal first moves that are not excluded.
    pub(super) allowed: Vec<Move>,
    /// The request, with the game only if that leads to the position.
    pub(super) request: Request,
}

impl Question {
    /// The question of a request; `None` if no external engine can answer it.
    pub(super) fn of(request: &Request) -> Option<Question> {
        let position = request.position.chess()?;
        if position.variant().has_partner() || position.waits() {
            return None;
        }
        let mut request = request.clone();
        request.past.played = request.past.played.filter(|played| leads_to(played, &position));
        let (from, moves) = request.past.played.as_ref().map_or((position, Vec::new()), reversible);
        let is_allowed = |mv: &Move| !request.first_moves.excluded.contains(mv);
        let allowed: Vec<Move> = position.legal_moves().into_iter().filter(is_allowed).collect();
        (!allowed.is_empty()).then_some(Question { position, from, moves, allowed, request })
    }

    /// The game so far, if it is known.
    pub(super) fn played(&self) -> Option<&Played> {
        self.request.past.played.as_ref()
    }

    /// The number of lines to show.
    pub(super) fn lines(&self) -> u8 {
        self.request.first_moves.lines.max(1)
    }
}

/// Returns true if a game leads to a position. The user may have changed the position since.
fn leads_to(played: &Played, position: &AnyPosition) -> bool {
    let mut reached = played.start;
    for &mv in &played.moves {
        reached.play(mv);
    }
    reached.key() == position.key() && reached.variant() == position.variant()
}

/// The position after the last irreversible move of a game, or a later one, and the moves since.
fn reversible(played: &Played) -> (AnyPosition, Vec<Move>) {
    let (mut from, mut begin) = (played.start, 0);
    let mut position = played.start;
    for (index, &mv) in played.moves.iter().enumerate() {
        position.play(mv);
        let left = played.moves.len() - (index + 1);
        if position.halfmove_clock() == 0 || left >= MAX_MOVES {
            (from, begin) = (position, index + 1);
        }
    }
    (from, played.moves[begin..].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Game, Variant};
    use crate::search::{FirstMoves, GameRecord};

    fn after(moves: &str) -> (Game, Request) {
        let mut game = Game::new(Variant::NORMAL);
        for text in moves.split_whitespace() {
            game.play(game.position().parse_move(text).unwrap());
        }
        let request = Request { past: game.past(), ..Request::of(game.root()) };
        (game, request)
    }

    #[test]
    fn only_moves_since_the_last_irreversible_one_are_sent() {
        let (game, request) = after("e4 e5 Nf3 Nc6 Ng1 Nb8");
        let question = Question::of(&request).unwrap();
        assert_eq!(question.from.fen(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
        let position = crate::engines::uci::UciEngine::position(&question.from, &question.moves);
        assert!(position.ends_with(" moves g1f3 b8c6 f3g1 c6b8\n"), "{position}");
        assert_eq!(question.allowed.len(), game.position().legal_moves().len());
    }

    #[test]
    fn only_the_end_of_a_game_without_irreversible_moves_is_sent() {
        let (game, request) = after(&"Nf3 Nf6 Ng1 Ng8 ".repeat(100));
        let question = Question::of(&request).unwrap();
        assert_eq!(question.moves.len(), MAX_MOVES);
        assert_eq!(question.from.halfmove_clock(), 400 - MAX_MOVES as u32);
        let mut reached = question.from;
        question.moves.iter().for_each(|&mv| reached.play(mv));
        assert_eq!(reached.fen(), game.position().fen());
    }

    #[test]
    fn a_game_that_does_not_lead_to_the_position_is_not_sent() {
        let (_, request) = after("e4 e5");
        let (other, _) = after("d4");
        let question = Question::of(&Request { position: other.root(), ..request }).unwrap();
        assert!(question.request.past.played.is_none() && question.moves.is_empty());
        assert_eq!(question.from.fen(), other.position().fen());
    }

    #[test]
    fn some_requests_have_no_question() {
        let (game, request) = after("e4");
        let excluded = game.position().legal_moves().into_iter().collect();
        assert!(
            Question::of(&Request { first_moves: FirstMoves { lines: 1, excluded }, ..request }).is_none()
        );
        let bughouse = Request::of(AnyPosition::start(Variant::BUGHOUSE));
        assert!(Question::of(&bughouse).is_none());
    }
}
