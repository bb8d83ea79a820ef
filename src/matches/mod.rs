//! `farboard match`: two engines play each other, in pairs of games with the same opening and colours swapped, and the score
//! becomes a difference in Elo with its error.
//!
//! * [`plan`]: what to play. [`openings`]: from where. [`EngineSpec`]: who plays.
//! * `engine`: engines in process, and programs that speak xboard, UCI or the Checkers Protocol. `clock`: their time.
//! * `match_game`: what is played, chess or draughts. `game`: one game, with our rules as the referee. `pairing`: two games with
//!   one opening. `runner`: all games, some at the same time.
//! * `bughouse`: four sessions at two boards.
//! * [`pairs`], [`sprt`]: what results tell. `report`: how that is shown.

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
