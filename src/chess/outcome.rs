//! Outcomes of games.

use super::Color;

/// The rule by which a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The side on move is mated.
    Checkmate,
    /// The side on move has no move and is not in check.
    Stalemate,
    /// Neither side can mate with the material left.
    InsufficientMaterial,
    /// The position occurred for the third time.
    Repetition,
    /// Fifty moves by each side without capture or pawn move.
    FiftyMoves,
    /// A rule of this variant.
    VariantRule,
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// This side won.
    Win(Color),
    /// Neither side won.
    Draw,
}
