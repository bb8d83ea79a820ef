//! The interface between search and games. A move is an opaque word here, meaningful only to the
//! position.

use super::correction::KINDS;
use crate::chess::{Color, Move, MoveList, Outcome, Stage};

/// The outcome with best play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BestPlay {
    pub outcome: Outcome,
    /// Plies until a win, with the winner as fast and the loser as slow as possible.
    pub plies: usize,
}

/// A searchable position. Small: it is copied for every move.
pub(super) trait Searchable: Copy {
    /// Data to detect checking moves.
    type Checks;
    /// Number of values of [`Searchable::butterfly`].
    const BUTTERFLY: usize;
    /// Number of reversible plies that draw a game.
    const DRAWN_PLIES: u32 = 100;

    /// Returns the side on move.
    fn turn(&self) -> Color;
    /// Returns the zobrist key: equal for positions that the repetition rule considers equal.
    fn key(&self) -> u64;
    /// Returns the number of plies since the last irreversible move; [`Searchable::DRAWN_PLIES`]
    /// are a draw.
    fn reversible_plies(&self) -> u32;
    /// Returns true if the side on move is in check.
    fn in_check(&self) -> bool;
    /// Returns the outcome if the game has ended, regardless of legal moves; see
    /// [`Searchable::outcome_without_moves`].
    fn decided(&self) -> Option<Outcome>;
    /// Returns the outcome with best play if known, so that nothing below needs searching.
    #[inline]
    fn with_best_play(&self) -> Option<BestPlay> {
        None
    }
    /// Returns an immediately winning move, if one is quickly found. Quiescence and forward pruning
    /// might not try it.
    #[inline]
    fn winning_move(&self) -> Option<Move> {
        None
    }
    /// Returns true if the opponent would win at once if the side on move, which is not in check,
    /// passed, as far as quickly seen. The static evaluation is meaningless then.
    #[inline]
    fn is_threatened(&self) -> bool {
        false
    }
    /// Returns a margin of pruning by the static evaluation, from its value in chess: games differ
    /// in how much a quiet move changes the evaluation.
    #[inline]
    fn margin(&self, in_chess: i32) -> i32 {
        in_chess
    }
    /// Returns true if the game is drawn when the number of reversible plies is reached: false
    /// where the side on move has no move and that decides the game.
    fn survives_the_count(&self) -> bool;
    /// Returns true if repetition and reversible plies draw the game.
    #[inline]
    fn may_be_drawn(&self) -> bool {
        true
    }
    /// Returns true if the side on move has no legal move but may get one without moving.
    fn waits(&self) -> bool {
        false
    }
    /// Returns true if the side on move may win by having no legal move.
    #[inline]
    fn may_win_without_moves(&self) -> bool {
        false
    }
    /// Returns the outcome when the side on move has no legal move.
    fn outcome_without_moves(&self) -> Outcome;

    /// Appends the legal moves of a stage.
    fn generate(&self, stage: Stage, moves: &mut MoveList);
    /// Returns true if there is a legal move.
    fn has_legal_move(&self) -> bool;
    /// Returns true if a move, whatever its source, is legal.
    fn is_legal(&self, mv: Move) -> bool;
    /// Plays a legal move.
    fn play(&mut self, mv: Move);
    /// Returns what is probably the key after a legal move.
    #[inline]
    fn likely_key_after(&self, _mv: Move) -> u64 {
        self.key()
    }
    /// Passes, for NMP.
    fn pass(&mut self);
    /// Returns true if passing is probably no better than all moves: false where zugzwang is
    /// common. Called out of check.
    fn can_pass(&self) -> bool;
    /// Returns true if the static evaluation is meaningful: the side on move is not in check, need
    /// not capture, and has a move.
    fn may_stand_pat(&self) -> bool;
    /// Returns true if the only legal move is a capture. Never true endlessly in a row.
    #[inline]
    fn has_only_capture(&self) -> bool {
        false
    }

    /// Prepares [`Searchable::gives_check`].
    fn checks(&self) -> Self::Checks;
    /// Returns true if a legal move gives check, may win at once in another way or threatens to, or
    /// forces the other side to capture.
    fn gives_check(&self, mv: Move, checks: &Self::Checks) -> bool;
    /// Returns true if a move is a capture.
    fn is_capture(&self, mv: Move) -> bool;
    /// Returns true if a move is a promotion.
    fn is_promotion(&self, mv: Move) -> bool;
    /// Returns true if a move is an underpromotion.
    fn is_underpromotion(&self, mv: Move) -> bool;
    /// Returns the value of the captured piece, and of a promotion to the best role, in centipawns.
    fn gain(&self, mv: Move) -> i32;
    /// Returns true if a move gains at least `threshold` centipawns after all captures on its
    /// square (SEE).
    fn see_ge(&self, mv: Move, threshold: i32) -> bool;

    /// Returns the index of a move in the butterfly history, by side, origin and target.
    fn butterfly(&self, mv: Move) -> usize;
    /// Returns the piece and target of a move, below [`super::history::PIECE_TO`].
    fn piece_to(&self, mv: Move) -> usize;
    /// Returns the captured role, below [`super::history::VICTIMS`].
    fn victim(&self, mv: Move) -> usize;

    /// Returns how unlikely a human player is to make a legal move by mistake, from 0 for a natural
    /// move to 100.
    fn unnaturalness(&self, _: Move) -> i32 {
        0
    }

    /// Returns the number of pieces of each role and side, for games with a partner.
    fn supply(&self) -> [[u8; 6]; 2] {
        [[0; 6]; 2]
    }

    /// Returns hashes of parts of the structure, if the game has such parts, which tend to cause
    /// the same error of the static evaluation. Any bits may be used.
    #[inline]
    fn structures(&self) -> Option<[u64; KINDS]> {
        None
    }

    /// Returns the static evaluation for the side on move in centipawns. Never near a mate score.
    fn evaluate(&self) -> i32;

    /// Returns true if a move neither captures nor promotes.
    #[inline]
    fn is_quiet(&self, mv: Move) -> bool {
        !self.is_capture(mv) && !self.is_promotion(mv)
    }

    /// Returns the position after a legal move.
    #[inline]
    fn after(&self, mv: Move) -> Self {
        let mut after = *self;
        after.play(mv);
        after
    }

    /// Returns all legal moves.
    fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(Stage::All, &mut moves);
        moves
    }
}
