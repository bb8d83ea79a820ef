//! The rules of chess: positions generic over [`Rules`], move generation, notation, game records.
//!
//! [`Game`] is what most callers want: a start position and the moves played from it.

mod any;
mod bitboard;
mod game;
mod moves;
mod piece;
mod square;

pub use any::{AnyPosition, MoveError, Variant};
pub use bitboard::Bitboard;
pub use game::{Ending, Game, Outcome};
pub use moves::{Move, MoveKind, MoveList};
pub use piece::{Color, Piece, Role};
pub use square::{File, Rank, Square};
