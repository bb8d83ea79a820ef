//! The context of one input.

use super::{Effect, FileRequest, FinishedGame};
use std::time::Instant;

/// The instant of an input, and the list for its effects.
pub(super) struct Step<'a, M> {
    pub(super) now: Instant,
    pub(super) effects: &'a mut Vec<Effect<M>>,
}

impl<M> Step<'_, M> {
    /// Sends a message to the client.
    pub(super) fn reply(&mut self, message: M) {
        self.effects.push(Effect::Send(message));
    }

    pub(super) fn effect(&mut self, effect: Effect<M>) {
        self.effects.push(effect);
    }

    /// Puts a finished game into the archive, if there is one.
    pub(super) fn archive(&mut self, game: Option<Box<FinishedGame>>) {
        self.effects.extend(game.map(|game| Effect::FileRequest(FileRequest::Archive(game))));
    }
}
