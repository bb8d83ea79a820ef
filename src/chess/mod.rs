//! The rules of chess: positions generic over a [`Ruleset`], move generation, notation, game
//! records.
//!
//! [`Game`] serves most callers: a start position and the moves played. [`AnyPosition`] is a
//! position of any variant, [`Position`] one whose rules the compiler knows.

mod any_position;
pub(crate) mod attacks;
mod bitboard;
mod checks;
mod fairy;
mod fen;
mod game;
mod game_text;
mod generate;
pub mod kriegspiel;
mod moves;
mod notation;
mod outcome;
mod perft;
mod pgn;
mod piece;
mod play;
mod position;
mod roles;
mod ruleset;
mod setup;
mod shuffled;
mod square;
pub(crate) mod square_set;
mod variants;
pub(crate) mod zobrist;

pub use any_position::{AnyPosition, MoveError, START_FEN};
pub use bitboard::Bitboard;
pub use checks::Checks;
pub use fen::FenError;
pub use game::Game;
pub use game_text::{GameTextError, Start as GameStart, Unfinished, is_game_file, read_games};
pub use generate::{Count, MoveList, Sink, Stage};
pub use moves::{Move, MoveKind};
pub use outcome::{Ending, Outcome};
pub use pgn::Tags;
pub use piece::{Color, Piece, Role};
pub(crate) use position::CastlingTargets;
pub use position::Position;
pub use roles::Roles;
pub use ruleset::{Fairy, Ruleset, Standard};
pub use setup::Setup;
pub use shuffled::shuffled;
pub use square::{File, Rank, Square};
pub use variants::{CastlingStyle, Drops, Goal, NORMAL, NoMoves, Royal, Rules, UnknownVariant, Variant};
