//! Weights of the evaluation: games that the engine plays against itself (`farboard generate`), and weights that
//! tell their results best (`farboard tune`).
//!
//! `positions` is the file between the two, `self_play` plays, `fit` fits weights of variants, `network` fits the network of draughts.

mod fit;
mod network;
mod positions;
mod self_play;
mod self_played;

pub use fit::{Fit, FitArguments, fit};
pub use network::{NetworkFit, fit_network};
pub use positions::{GameFile, GameRecord, PositionsError};
pub use self_play::{GenerateArguments, generate};
