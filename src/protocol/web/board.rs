//! The parts of messages: moves, positions, clocks, scores.

use crate::chess::{Color, Outcome};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

/// A move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// Coordinates: `e2e4`, `e7e8q`, `P@e4`; in checkers all squares, `11x18x25`.
    pub uci: String,
    /// Standard algebraic notation; in checkers PDN.
    pub san: String,
}

/// A move of the game, and the position after it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedMove {
    /// As in [`Move`].
    pub uci: String,
    /// As in [`Move`].
    pub san: String,
    /// The position after the move.
    pub fen: String,
}

/// A legal move, with what a board needs to let it be made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Legal {
    /// As in [`Move`].
    pub uci: String,
    /// As in [`Move`].
    pub san: String,
    /// The origin; none for a drop.
    pub from: Option<String>,
    /// The target. Where castling is written as king takes rook, the square of the rook.
    pub to: String,
    /// The letter of the new piece, in lower case.
    pub promotion: Option<String>,
    /// The letter of the dropped piece, in upper case.
    pub drop: Option<String>,
    /// All squares that a checker touches, if it jumps more than once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
}

/// Pieces in hand by the letter of their kind, in upper case.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hands {
    /// White's.
    pub white: BTreeMap<String, u8>,
    /// Black's.
    pub black: BTreeMap<String, u8>,
}

/// Checks that each side still has to give to win.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checks {
    /// White's.
    pub white: u8,
    /// Black's.
    pub black: u8,
}

/// The squares of the last move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LastMove {
    /// The origin; none for a drop.
    pub from: Option<String>,
    /// The target.
    pub to: String,
}

/// The result of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Result {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub score: String,
    /// The reason in English words: `checkmate`, `time`, `resignation` …
    pub reason: String,
}

impl Result {
    /// The result of a game that ended for this reason.
    pub fn new(outcome: Outcome, reason: &str) -> Result {
        Result { score: Outcome::code(Some(outcome)).to_owned(), reason: reason.to_owned() }
    }
}

/// The position on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The position in FEN; in checkers in PDN's FEN.
    pub fen: String,
    /// The side to move.
    pub turn: Side,
    /// Plies played since the start of the game.
    pub ply: usize,
    /// Pieces by square. Upper case for White; in checkers `M` and `K`.
    pub pieces: BTreeMap<String, String>,
    /// The legal moves; none when the game is over.
    pub legal: Vec<Legal>,
    /// Pieces in hand, in games with drops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hands: Option<Hands>,
    /// Checks left to give, in games that count them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks_left: Option<Checks>,
    /// The square of a king in check.
    pub check: Option<String>,
    /// The last move.
    pub last: Option<LastMove>,
    /// The result, when the game is over.
    pub result: Option<Result>,
    /// The moves of the opening book, in an analysis.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub book: Vec<BookMove>,
}

/// A move of the opening book.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BookMove {
    /// As in [`Move`].
    pub uci: String,
    /// As in [`Move`].
    pub san: String,
    /// Its frequency in the book, in percent.
    pub percent: u8,
}

/// Both clocks in milliseconds, at the moment of the message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clocks {
    /// White's.
    pub white_ms: Option<i64>,
    /// Black's.
    pub black_ms: Option<i64>,
    /// The side whose clock runs.
    pub running: Option<Side>,
}

/// A score from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate; negative if White is mated.
    Mate(i32),
}

/// A score that is only a bound, from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}

/// A variation that the engine has found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The score.
    pub score: Score,
    /// Its depth in plies.
    pub depth: u8,
    /// The kind of bound, unless the score is exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<Bound>,
    /// The moves in coordinates.
    pub pv: Vec<String>,
    /// The moves in SAN.
    pub san: Vec<String>,
}
