//! Weights of the evaluation from games of the engine against itself (`farboard generate`,
//! `farboard tune`).
//!
//! `self_play` plays games, `games` are their files, `fit` fits weights of variants, `network` the
//! network of draughts, both by `regression`.

mod fit;
pub mod games;
mod network;
mod regression;
mod self_play;

pub use fit::{Fit, FitArguments, fit};
pub use games::GamesError;
pub use network::{NetworkFit, fit_network};
pub use self_play::{GenerateArguments, generate};
