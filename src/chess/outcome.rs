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

/// The results of games with their codes in PGN; `None` is an unfinished game.
const CODES: [(&str, Option<Outcome>); 4] = [
    ("1-0", Some(Outcome::Win(Color::White))),
    ("0-1", Some(Outcome::Win(Color::Black))),
    ("1/2-1/2", Some(Outcome::Draw)),
    ("*", None),
];

impl Outcome {
    /// Returns the code in PGN; `*` for an unfinished game.
    pub fn code(outcome: Option<Outcome>) -> &'static str {
        CODES.iter().find(|&&(_, known)| known == outcome).map_or("*", |(code, _)| code)
    }

    /// The outcome with this code, `None` for an unfinished game; `None` if it is no code.
    pub fn from_code(code: &str) -> Option<Option<Outcome>> {
        CODES.iter().find(|&&(known, _)| known == code).map(|&(_, outcome)| outcome)
    }
}
