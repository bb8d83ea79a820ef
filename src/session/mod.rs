//! One client's world, sans-io: [`Session::handle`] takes an input and `now`, and appends effects.

mod effect;

pub use effect::{Effect, Input};

use std::time::Instant;

/// The state of one connection.
pub struct Session;

/// What a session is created with.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Makes the salts of this session's table keys; different for every session of a process.
    pub seed: u64,
    /// The engine's name, as `feature myname` shows it.
    pub name: String,
}

impl Session {
    /// A session that has heard nothing yet.
    pub fn new(setup: Setup) -> Session {
        let _ = setup;
        todo!()
    }

    /// Takes one input at the instant `now` and appends what is to be done, in order.
    pub fn handle(&mut self, input: Input<'_>, now: Instant, effects: &mut Vec<Effect>) {
        let _ = (input, now, effects);
        todo!()
    }
}
