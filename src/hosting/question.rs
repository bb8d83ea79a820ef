//! What an engine is asked, printed anew from our rules: no word of a client reaches it.

use crate::chess::{AnyPosition, Move};
use crate::search::{Limits, Played, Request, Strength};

/// Most moves that an engine is told before the position. Two rules look back: a draw can be claimed after 100 plies without a
/// capture or a pawn's move, and the game is over after 150; positions of before that are repeated in no game. How many such
/// plies there were stands in the position itself. With more, an engine that does not read would be told more than a pipe holds.
pub(super) const MOST_TOLD: usize = 200;

/// A question to an engine.
#[derive(Clone, Debug)]
pub(super) struct Question {
    /// The position to search.
    pub position: AnyPosition,
    /// Where `moves` begin.
    pub from: AnyPosition,
    /// The moves since the last irreversible one, which lead to the position; the last [`MOST_TOLD`] of them.
    pub moves: Vec<Move>,
    /// The whole game, if it is known.
    pub whole: Option<Played>,
    /// How many best lines are wanted.
    pub lines: u8,
    /// First moves that may be played.
    pub allowed: Vec<Move>,
    /// First moves that may not be played.
    pub excluded: Vec<Move>,
    /// How strong to play.
    pub strength: Option<Strength>,
    /// Whether it is for a game rather than an analysis.
    pub game: bool,
    /// Where to end.
    pub limits: Limits,
    /// A draw is to be worth something else than nothing.
    pub contempt: bool,
    /// The user has set scores of positions.
    pub scores: bool,
}

impl Question {
    /// The question of a request; `None` if no engine can be asked that.
    pub fn of(request: &Request) -> Option<Question> {
        let position = request.position.chess()?;
        if position.variant().has_partner() || position.waits() {
            return None;
        }
        let whole = request.played.clone().filter(|played| leads_to(played, &position));
        let (from, moves) = whole.as_ref().map_or((position, Vec::new()), reversible);
        let is_allowed = |mv: &Move| !request.excluded.contains(mv);
        let allowed: Vec<Move> = position.legal_moves().into_iter().filter(is_allowed).collect();
        (!allowed.is_empty()).then(|| Question {
            position,
            from,
            moves,
            whole,
            lines: request.lines.max(1),
            allowed,
            excluded: request.excluded.clone(),
            strength: request.strength,
            game: request.game,
            limits: request.limits,
            contempt: request.contempt != 0,
            scores: !request.known.is_empty(),
        })
    }

    /// The moves since the last irreversible one in coordinates, each with the position before it.
    pub fn each_move(&self) -> impl Iterator<Item = (AnyPosition, Move)> {
        let mut position = self.from;
        self.moves.iter().map(move |&mv| {
            let before = position;
            position.play(mv);
            (before, mv)
        })
    }
}

/// Whether a game leads to a position. A user may have changed it since.
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
        if position.halfmove_clock() == 0 || left >= MOST_TOLD {
            (from, begin) = (position, index + 1);
        }
    }
    (from, played.moves[begin..].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Game, Variant};
    use crate::search::GameRecord;

    fn after(moves: &str) -> (Game, Request) {
        let mut game = Game::new(Variant::NORMAL);
        for text in moves.split_whitespace() {
            game.play(game.position().parse_move(text).unwrap());
        }
        let request = Request { played: game.played(), ..Request::of(game.root()) };
        (game, request)
    }

    #[test]
    fn only_moves_that_can_be_repeated_are_told() {
        let (game, request) = after("e4 e5 Nf3 Nc6 Ng1 Nb8");
        let question = Question::of(&request).unwrap();
        assert_eq!(question.from.fen(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
        let told: Vec<String> = question.each_move().map(|(at, mv)| at.coordinates(mv)).collect();
        assert_eq!(told, ["g1f3", "b8c6", "f3g1", "c6b8"]);
        assert_eq!(question.allowed.len(), game.position().legal_moves().len());
    }

    #[test]
    fn of_a_game_that_goes_to_and_fro_only_the_end_is_told() {
        let (game, request) = after(&"Nf3 Nf6 Ng1 Ng8 ".repeat(100));
        let question = Question::of(&request).unwrap();
        assert_eq!(question.moves.len(), MOST_TOLD);
        assert_eq!(question.from.halfmove_clock(), 400 - MOST_TOLD as u32);
        let mut reached = question.from;
        question.moves.iter().for_each(|&mv| reached.play(mv));
        assert_eq!(reached.fen(), game.position().fen());
    }

    #[test]
    fn a_game_that_does_not_lead_there_is_not_told() {
        let (_, request) = after("e4 e5");
        let (other, _) = after("d4");
        let question = Question::of(&Request { position: other.root(), ..request }).unwrap();
        assert!(question.whole.is_none() && question.moves.is_empty());
        assert_eq!(question.from.fen(), other.position().fen());
    }

    #[test]
    fn what_nobody_can_answer_is_not_asked() {
        let (game, request) = after("e4");
        let excluded = game.position().legal_moves().into_iter().collect();
        assert!(Question::of(&Request { excluded, ..request }).is_none());
        let bughouse = Request::of(AnyPosition::start(Variant::BUGHOUSE));
        assert!(Question::of(&bughouse).is_none());
    }
}
