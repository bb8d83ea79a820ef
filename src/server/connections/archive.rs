//! Finished games, on their way from a session to the archive.

use super::Connections;
use crate::archive::GameContext;
use crate::server::os::panic_guard::guarded;
use crate::session::FinishedGame;
use std::time::Instant;

impl Connections {
    /// Ends the session of a connection, if any. Whatever the reason, a finished game is archived,
    /// and watchers see it no longer.
    pub(super) fn end_session(&mut self, slot: usize) {
        let watched = self.watch_number(slot);
        self.archive_last_game(slot);
        self.slots[slot].end_session(&mut self.observer);
        if let Some(gallery) = &mut self.gallery {
            gallery.remove(slot, watched);
        }
    }

    /// Archives the last game of a session, which may have panicked before.
    pub(super) fn archive_last_game(&mut self, slot: usize) {
        let connection = &mut self.slots[slot];
        let Some(session) = &mut connection.session else { return };
        // An unfinished game behind a shim may go on at another server, whose end of it would be
        // taken for a duplicate.
        let may_go_on = connection.link.is_some();
        let game = guarded(|| session.take_game(Instant::now())).flatten();
        if let Some(game) = game.filter(|game| game.outcome.is_some() || !may_go_on) {
            self.archive_game(slot, game);
        }
    }

    pub(super) fn archive_game(&self, slot: usize, game: Box<FinishedGame>) {
        let connection = &self.slots[slot];
        if connection.link.is_some() && connection.input.eof && game.outcome.is_none() {
            // The shim may have moved to another server, where the game goes on.
            return;
        }
        match &self.archive {
            Some(archive) => {
                let user = connection.user_name().map(str::to_owned);
                let source = connection.source.id;
                archive.add(game, GameContext { session: connection.owner >> 32, user, source });
            }
            None => log::error!("{}: cannot archive a game: there is no archive", connection.peer),
        }
    }
}

#[cfg(test)]
mod tests;
