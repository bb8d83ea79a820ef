//! Weights of the evaluation from games of the engine against itself (`farboard generate`,
//! `farboard tune`).
//!
//! `self_play` plays games, `positions` is their file, `fit` fits weights of variants, `network`
//! the network of draughts, both by `regression`.

mod fit;
pub mod games;
mod network;
mod positions;
mod regression;
mod self_play;
mod self_played;

pub use fit::{Fit, FitArguments, fit};
pub use network::{NetworkFit, fit_network};
pub use positions::{GameFile, GameRecord, PositionsError};
pub use self_play::{GenerateArguments, generate};
