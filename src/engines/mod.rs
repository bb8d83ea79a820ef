//! Other engines, as a program sees them that plays on them: what they say, and the time control of a game.
//!
//! `load` measures servers with it, `matches` plays engines against each other.

pub mod time_control;
pub mod xboard;
