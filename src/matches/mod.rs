//! `farboard match`: engines play pairs of games with the same opening and swapped colours, and
//! the score becomes a difference in Elo with its error.
//!
//! * [`plan`]: the command line. [`openings`]: start positions. [`EngineSpec`]: an engine.
//!   `player`: an engine with its options, and two that meet.
//! * `engine`: engines in this process, and programs that speak xboard, UCI or the Checkers
//!   Protocol. `clock`: clocks.
//! * `match_game`: chess or draughts. `game`: one game and its referee. `note`: what is known about
//!   a move. `adjudication`, `known_ending`: when a game ends early. `pairing`: two games with one
//!   opening. `runner`: all games, some at the same time. `cpu_equal`: nodes for equal CPU time.
//!   `bughouse`: four sessions at two boards.
//! * [`pairs`], `likelihood`, [`sprt`]: statistics. `standing`: the results of two engines.
//!   `report`: the report. `game_text`: games as PGN. `error`: why a match or an engine fails.

mod adjudication;
mod bughouse;
mod clock;
mod cpu_equal;
mod engine;
mod engine_spec;
mod error;
mod game;
mod game_text;
mod known_ending;
mod likelihood;
mod match_game;
mod note;
pub mod openings;
mod pairing;
pub mod pairs;
pub mod plan;
mod player;
mod report;
mod runner;
pub mod sprt;
mod standing;

pub use engine_spec::EngineSpec;
pub use error::{EngineError, MatchError};
pub use plan::Plan;
pub use report::Report;
pub use runner::run;
