//! The rules of chess: positions generic over [`Rules`], move generation, notation, game records.
//!
//! [`Game`] is what most callers want: a start position and the moves played from it. [`AnyPosition`]
//! is a position of any variant, [`Position`] one whose rules the compiler knows.

mod any;
pub mod attacks;
mod bitboard;
mod checks;
mod fen;
mod game;
mod generate;
mod moves;
mod notation;
mod perft;
mod pgn;
mod piece;
mod position;
mod rules;
mod setup;
mod square;
pub mod zobrist;

pub use any::{AnyPosition, MoveError, START_FEN, Variant};
pub use bitboard::Bitboard;
pub use checks::Checks;
pub use fen::FenError;
pub use game::{Ending, Game, Outcome};
pub use generate::{Count, Sink, Stage};
pub use moves::{Move, MoveKind, MoveList};
pub use perft::{divide, perft};
pub use pgn::Tags;
pub use piece::{Color, Piece, Role};
pub use position::{CastlingTargets, Position};
pub use rules::{CastlingStyle, Fischerandom, Normal, Rules};
pub use setup::Setup;
pub use square::{File, Rank, Square};
