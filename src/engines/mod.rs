//! Other engines, as a program sees them that plays on them: their processes, what they say, and the time control of a
//! game.
//!
//! `load` measures servers with it, `matches` plays engines against each other, `hosting` lends engines to sessions.

mod account;
mod escaped;
mod home;
mod inherited;
mod lines;
mod program;
pub mod time_control;
pub mod uci;
pub mod xboard;

pub use account::Account;
pub use home::remove_abandoned_homes;
pub use lines::{Backlog, read_lines};
pub use program::{Confinement, Pipes, Program, run_launched};
