//! External engines, as the programs see them that play on them: the client's side of their
//! protocols, and their processes.
//!
//! `hosting` lends engines to sessions, `matches` plays engines against each other, `load` measures
//! servers. Each has its own policy, and a value of [`ChessEngine`] or [`CheckersEngine`] for what
//! is on the wire.

mod account;
mod checkers;
mod chess_engine;
mod escaped;
mod event;
mod home;
mod inherited;
mod lines;
mod program;
mod protocol;
pub mod time_control;
pub mod uci;
pub mod xboard;

pub use account::Account;
pub use checkers::{CheckersEngine, CheckersEvent, CheckersManners, CheckersThinking};
pub use chess_engine::ChessEngine;
pub use event::{EngineEvent, Thinking};
pub use home::remove_abandoned_homes;
pub use lines::{Backlog, read_lines};
pub use program::{Confinement, Pipes, Program, kill_all, run_launched};
pub use protocol::EngineProtocol;
