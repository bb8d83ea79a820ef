//! What sessions do, sans-io: lines in, lines out.

mod analyses;
mod arrival;
mod churn;
mod game;
mod games;
mod pings;
mod scroll;
mod strangers;
mod tokens;

pub use analyses::Analyses;
pub use arrival::{Arrival, Guest};
pub use churn::Churn;
pub use game::{Clock, Faults};
pub use games::Games;
pub use pings::Pings;
pub use scroll::Scroll;
pub use strangers::Strangers;
pub use tokens::Tokens;

use std::time::Duration;

/// How long an answer may take before it counts as lost.
pub const PATIENCE: Duration = Duration::from_secs(30);
