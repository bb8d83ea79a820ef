//! The record of a game: where it started, what was played, and whether it has ended by rule.

use super::any::{AnyPosition, FenError, Variant};
use super::{Color, Move};

/// How a game ends by rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The side on move is mated.
    Checkmate,
    /// The side on move has no move and is not in check.
    Stalemate,
    /// Neither side can mate with what is on the board.
    InsufficientMaterial,
    /// The position is there for the third time.
    Repetition,
    /// Fifty moves by each side without capture or pawn move.
    FiftyMoves,
}

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// This side won.
    Win(Color),
    /// Nobody won.
    Draw,
}

/// A game from its start position to the position now on the board.
#[derive(Clone)]
pub struct Game {
    position: AnyPosition,
}

#[allow(unused_variables)]
impl Game {
    /// A game from the variant's start position.
    pub fn new(variant: Variant) -> Game {
        todo!()
    }
    /// A game from a set-up position.
    pub fn from_fen(variant: Variant, fen: &str) -> Result<Game, FenError> {
        todo!()
    }
    /// The position on the board.
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }
    /// The position the game started from.
    pub fn start(&self) -> &AnyPosition {
        todo!()
    }
    /// The moves played from the start.
    pub fn moves(&self) -> &[Move] {
        todo!()
    }
    /// Plays a legal move of the position on the board.
    pub fn play(&mut self, mv: Move) {
        todo!()
    }
    /// Takes the last move back; `None` if there is none.
    pub fn undo(&mut self) -> Option<Move> {
        todo!()
    }
    /// Keys of the positions before this one since the last capture or pawn move, oldest first: what
    /// a search needs to see repetitions.
    pub fn history(&self) -> Vec<u64> {
        todo!()
    }
    /// Whether the game has ended by rule, and how. Draws that need a claim count.
    pub fn ending(&self) -> Option<(Outcome, Ending)> {
        todo!()
    }
    /// The moves in SAN with numbers, as PGN movetext without a result.
    pub fn movetext(&self) -> String {
        todo!()
    }
    /// Puts the other side on move, keeping the pieces (the protocol's `white` and `black` out of turn). Starts a new record.
    /// False, and nothing is changed, if that position would be illegal.
    pub fn set_turn(&mut self, turn: Color) -> bool {
        todo!()
    }
}
