//! `farboard match`: two engines play pairs of games with the same opening and swapped colours, and
//! the score becomes a difference in Elo with its error.
//!
//! * [`plan`]: the command line. [`openings`]: start positions. [`EngineSpec`]: an engine.
//! * `engine`: engines in this process, and programs that speak xboard, UCI or the Checkers
//!   Protocol. `clock`: clocks.
//! * `match_game`: chess or draughts. `game`: one game and its referee. `pairing`: two games with
//!   one opening. `runner`: all games, some at the same time. `bughouse`: four sessions at two
//!   boards.
//! * [`pairs`], [`sprt`]: statistics. `report`: the report. `error`: why a match or an engine
//!   fails.

mod bughouse;
mod clock;
mod engine;
mod engine_spec;
mod error;
mod game;
mod match_game;
pub mod openings;
mod pairing;
pub mod pairs;
pub mod plan;
mod report;
mod runner;
pub mod sprt;

pub use engine_spec::EngineSpec;
pub use error::{EngineError, MatchError};
pub use plan::Plan;
pub use report::Report;
pub use runner::run;
