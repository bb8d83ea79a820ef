//! A position of any variant, for callers that do not care which.

use super::{Color, Move, MoveList};
use std::fmt;

/// The rules a game is played by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variant {
    /// Orthodox chess.
    Normal,
    /// Chess960: kings and rooks may start elsewhere.
    Fischerandom,
}

impl Variant {
    /// All variants that can be played.
    pub const ALL: [Variant; 2] = [Variant::Normal, Variant::Fischerandom];

    /// The variant's name in the xboard protocol's table of variants.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Normal => "normal",
            Variant::Fischerandom => "fischerandom",
        }
    }

    /// The variant of that name.
    pub fn from_name(name: &str) -> Option<Variant> {
        Variant::ALL.into_iter().find(|variant| variant.name() == name)
    }
}

/// A position of one of the variants.
#[derive(Clone)]
pub struct AnyPosition;

/// Why a text is not a move that can be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveError {
    /// It does not look like a move at all.
    Syntax,
    /// It looks like a move, and cannot be played here.
    Illegal,
    /// It cannot be played because the king is in check and would remain so.
    InCheck,
    /// It would put the mover's own king in check.
    IntoCheck,
    /// The piece belongs to the side not on move.
    WrongTurn,
    /// More than one piece could do it.
    Ambiguous,
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MoveError::Syntax => "not a move",
            MoveError::Illegal => "illegal move",
            MoveError::InCheck => "in check",
            MoveError::IntoCheck => "moving into check",
            MoveError::WrongTurn => "wrong turn",
            MoveError::Ambiguous => "ambiguous move",
        })
    }
}

impl std::error::Error for MoveError {}

/// Why a text is not a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenError(pub String);

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FenError {}

#[allow(unused_variables)]
impl AnyPosition {
    /// The start position of a variant.
    pub fn start(variant: Variant) -> AnyPosition {
        todo!()
    }
    /// Reads FEN (X-FEN and Shredder-FEN castling letters too; 2 to 6 fields).
    pub fn from_fen(variant: Variant, fen: &str) -> Result<AnyPosition, FenError> {
        todo!()
    }
    /// Writes FEN (Shredder letters in fischerandom).
    pub fn fen(&self) -> String {
        todo!()
    }
    /// The rules it is played by.
    pub fn variant(&self) -> Variant {
        todo!()
    }
    /// The side on move.
    pub fn turn(&self) -> Color {
        todo!()
    }
    /// The zobrist key: equal for positions that are the same for the repetition rule.
    pub fn key(&self) -> u64 {
        todo!()
    }
    /// Plies since the last capture or pawn move.
    pub fn halfmove_clock(&self) -> u32 {
        todo!()
    }
    /// Whether the side on move is in check.
    pub fn in_check(&self) -> bool {
        todo!()
    }
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        todo!()
    }
    /// Whether the move, whatever its source, is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        todo!()
    }
    /// Plays a legal move. Must be legal here.
    pub fn play(&mut self, mv: Move) {
        todo!()
    }
    /// Reads a move in coordinates (`e2e4`, `e7e8q`, `e1g1`), SAN, or castling in any form.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        todo!()
    }
    /// The move as the xboard protocol wants it: `e2e4`, `e7e8q`, `e1g1`; `O-O` in fischerandom.
    pub fn coordinates(&self, mv: Move) -> String {
        todo!()
    }
    /// The move in standard algebraic notation, with `+` and `#`.
    pub fn san(&self, mv: Move) -> String {
        todo!()
    }
}
