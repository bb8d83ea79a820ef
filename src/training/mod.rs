//! Weights of the evaluation and nets from games of the engine against itself (`farboard generate`,
//! `farboard tune`, `farboard train`).
//!
//! `self_play` plays games, and `games` are their files. `fit` fits weights of variants by
//! `regression`, and `net` trains nets.

mod fit;
pub mod games;
pub mod net;
mod regression;
mod self_play;

pub use fit::{Fit, FitArguments, fit};
pub use games::GamesError;
pub use self_play::{GenerateArguments, generate};
