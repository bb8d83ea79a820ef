//! Weights of the evaluation: games that the engine plays against itself (`farboard generate`), and weights that
//! tell their results best (`farboard tune`).
//!
//! `positions` is the file between the two, `self_play` plays, `fit` fits.

mod fit;
mod positions;
mod self_play;

pub use fit::{Fit, FitArguments, fit};
pub use positions::{GameFile, GameRecord, PositionsError};
pub use self_play::{GenerateArguments, generate};
