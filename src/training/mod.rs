//! Weights of the evaluation and nets from games of the engine against itself (`farboard generate`,
//! `farboard tune`, `farboard train`).
//!
//! `self_play` plays games, `positions` is their file, `fit` fits weights of variants by
//! `regression`; `games` is the file of games from which `net` trains nets.

mod fit;
pub mod games;
pub mod net;
mod positions;
mod regression;
mod self_play;
mod self_played;

pub use fit::{Fit, FitArguments, fit};
pub use positions::{GameFile, GameRecord, PositionsError};
pub use self_play::{GenerateArguments, generate};
