//! What an engine says that speaks xboard.

mod engine_line;
mod features;

pub use engine_line::EngineLine;
pub use features::Features;
