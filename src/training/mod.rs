//! Nets from games of the engine against itself (`farboard generate`, `farboard train`).
//!
//! `self_play` plays games, `games` are their files, and `net` trains nets.

pub mod games;
pub mod net;
mod self_play;

pub use games::GamesError;
pub use self_play::{GenerateArguments, generate};
