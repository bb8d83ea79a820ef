//! What the search asks of a game, and nothing else. A move is an opaque word here: what it means the position knows.

use super::correction::KINDS;
use crate::chess::{Color, List, Move, Outcome, Stage};

/// How a game ends if both sides play as well as can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BestPlay {
    pub outcome: Outcome,
    /// Plies until a win: the winner is as fast and the loser as slow as can be.
    pub plies: usize,
}

/// A position that can be searched. Small: it is copied for every move.
pub trait Searchable: Copy {
    /// A list that has room for all moves of a position.
    type List<T>: List<T>;
    /// What has to be known of a position to tell which moves give check.
    type Checks;
    /// Values of [`Searchable::butterfly`].
    const BUTTERFLY: usize;
    /// Plies that can be taken back after which a game is drawn.
    const DRAWN_PLIES: u32 = 100;

    /// The side on move.
    fn turn(&self) -> Color;
    /// Equal for positions that are the same for the repetition rule.
    fn key(&self) -> u64;
    /// Plies since the last move that cannot be taken back; [`Searchable::DRAWN_PLIES`] are a draw.
    fn reversible_plies(&self) -> u32;
    /// Whether the side on move is in check.
    fn in_check(&self) -> bool;
    /// How the game has ended, whatever moves are left; [`Searchable::outcome_without_moves`] if there are none.
    fn decided(&self) -> Option<Outcome>;
    /// How the game will end, if that is known: nothing below has to be searched.
    #[inline]
    fn with_best_play(&self) -> Option<BestPlay> {
        None
    }
    /// A move that wins at once, if one is quickly found. Quiescence and forward pruning might not try it.
    #[inline]
    fn winning_move(&self) -> Option<Move> {
        None
    }
    /// Whether the opponent would win at once if the side on move passed, where that is quickly seen. Asked out of check. The
    /// static evaluation says nothing then.
    #[inline]
    fn is_threatened(&self) -> bool {
        false
    }
    /// How much more a quiet move changes the static evaluation than in chess: margins grow by it.
    #[inline]
    fn volatility(&self) -> i32 {
        1
    }
    /// Whether the game goes on at the very moment when the reversible plies are too many, so that it is drawn: not where
    /// the side on move has no move and that decides it.
    fn survives_the_count(&self) -> bool;
    /// Whether a position that repeats another, or too many reversible plies, are a draw.
    #[inline]
    fn may_be_drawn(&self) -> bool {
        true
    }
    /// Whether the side on move has no legal move, but may get one without moving.
    fn waits(&self) -> bool {
        false
    }
    /// Whether the side on move may win by having no legal move.
    #[inline]
    fn may_win_without_moves(&self) -> bool {
        false
    }
    /// How the game has ended if the side on move has no legal move.
    fn outcome_without_moves(&self) -> Outcome;

    /// Appends the legal moves of a stage.
    fn generate(&self, stage: Stage, moves: &mut Self::List<Move>);
    /// Whether there is a legal move.
    fn has_legal_move(&self) -> bool;
    /// Whether a move, whatever its source, is legal.
    fn is_legal(&self, mv: Move) -> bool;
    /// Plays a legal move.
    fn play(&mut self, mv: Move);
    /// Passes the move to the other side, for NMP.
    fn pass(&mut self);
    /// Whether to pass is no better than all moves, as far as can be told: not where zugzwang is common. Asked out of check.
    fn can_pass(&self) -> bool;
    /// Whether the static evaluation says something: the side on move is not in check, need not capture, and has a move.
    fn may_stand_pat(&self) -> bool;
    /// Whether the rules leave only one move, which takes something. Never true twice in a row without end.
    #[inline]
    fn has_only_capture(&self) -> bool {
        false
    }

    /// Prepares [`Searchable::gives_check`].
    fn checks(&self) -> Self::Checks;
    /// Whether a legal move gives check, may win at once in another way or threatens to, or compels the other side to capture.
    fn gives_check(&self, mv: Move, checks: &Self::Checks) -> bool;
    /// Whether a move takes something.
    fn is_capture(&self, mv: Move) -> bool;
    /// Whether a move makes something more of a piece.
    fn is_promotion(&self, mv: Move) -> bool;
    /// Whether a promotion is to less than the best.
    fn is_underpromotion(&self, mv: Move) -> bool;
    /// What a move takes, and makes more of its piece if that is the best it can become, in centipawns.
    fn gain(&self, mv: Move) -> i32;
    /// Whether a move comes out at `threshold` centipawns or better after all captures on its square (SEE).
    fn see_ge(&self, mv: Move, threshold: i32) -> bool;

    /// The index of a move in the butterfly history, by side, origin and target.
    fn butterfly(&self, mv: Move) -> usize;
    /// Which piece goes where, below [`super::history::PIECE_TO`].
    fn piece_to(&self, mv: Move) -> usize;
    /// What a move takes, below [`super::history::VICTIMS`].
    fn victim(&self, mv: Move) -> usize;

    /// How many pieces of each role either side has, if anybody may want more of some.
    fn supply(&self) -> [[u8; 6]; 2] {
        [[0; 6]; 2]
    }

    /// Numbers that are equal where parts of the structure are the same, on whose worth the static evaluation tends to err in the same
    /// way; if the game has such parts. Any bits may be used.
    #[inline]
    fn structures(&self) -> Option<[u64; KINDS]> {
        None
    }

    /// What the position is worth to the side on move, in centipawns. Never near a mate score.
    fn evaluate(&self) -> i32;

    /// Whether a move neither takes nor promotes.
    #[inline]
    fn is_quiet(&self, mv: Move) -> bool {
        !self.is_capture(mv) && !self.is_promotion(mv)
    }

    /// The position after a legal move.
    #[inline]
    fn after(&self, mv: Move) -> Self {
        let mut after = *self;
        after.play(mv);
        after
    }

    /// All legal moves.
    fn legal_moves(&self) -> Self::List<Move> {
        let mut moves = Self::List::default();
        self.generate(Stage::All, &mut moves);
        moves
    }
}
