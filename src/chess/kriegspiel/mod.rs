//! Kriegspiel by the rules of ICC's wild 16: orthodox chess in which each side sees only its own
//! men and hears an umpire.
//!
//! The umpire holds the true position ([`super::Game`]). A side proposes an [`Attempt`]; the umpire
//! finds the corresponding legal move or refuses it. After each move both sides hear an
//! [`Announcement`]. Everything that a side may know of a game is a [`View`], which is computed
//! from the game and can hold nothing else.

mod announcement;
mod attempt;
mod men;
mod refusals;
mod view;

pub use announcement::{Announcement, Captured, Direction, Directions};
pub use attempt::Attempt;
pub use men::Men;
pub use refusals::Refusals;
pub use view::{Ply, Start, View};

#[cfg(test)]
mod tests;
