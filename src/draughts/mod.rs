//! English draughts (checkers, PDN's game type 21): positions, legal moves, PDN notation, game
//! records.
//!
//! Black starts on squares 1 to 12 and moves first, towards higher numbers. Men step and jump only
//! forward, kings one step in any direction. A jump is compulsory, any one will do, and it must be
//! completed; a man that reaches the far row is crowned and stops there. The side without a move
//! has lost. Where programs differ, the WCDF's rules decide.
//!
//! [`Game`] is a start position and the moves played, [`Position`] a valid board, [`Setup`] an
//! unchecked one. [`endgames`] has the endgame database.

mod bitboard;
pub mod endgames;
mod fen;
mod game;
mod generate;
mod moves;
mod notation;
mod paths;
mod pdn;
mod perft;
mod play;
mod position;
mod setup;
mod square;
pub(crate) mod zobrist;

pub use bitboard::{Bitboard, Direction};
pub use fen::{FenError, START_FEN};
pub use game::{DRAWN_PLIES, Ending, Game};
pub use generate::{Count, MoveList, Sink};
pub use moves::Move;
pub use notation::{MoveError, MoveText};
pub use perft::{divide, perft};
pub use position::Position;
pub use setup::{Setup, SetupError};
pub use square::Square;
