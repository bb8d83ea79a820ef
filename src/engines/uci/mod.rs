//! What an engine says that speaks UCI.

mod engine_line;
mod engine_options;

pub use engine_line::{EngineLine, Info, UciScore};
pub use engine_options::{EngineOption, EngineOptions, OptionType};
