//! Games that have ended, on their way from a session to the archive.

use super::Connections;
use crate::archive::GameContext;
use crate::server::os::panic_guard::guarded;
use crate::session::FinishedGame;
use std::time::Instant;

impl Connections {
    /// Ends the session of a connection, if there is one. Whatever the reason is, a game that has ended is kept.
    pub(super) fn end_session(&mut self, slot: usize) {
        self.archive_last_game(slot);
        self.slots[slot].end_session(&self.access_log, &self.metrics, &mut self.user_metrics);
    }

    /// Archives the game that the session leaves behind. The session may have panicked before, and may do so again.
    pub(super) fn archive_last_game(&mut self, slot: usize) {
        let connection = &mut self.slots[slot];
        let Some(session) = &mut connection.session else { return };
        // A game behind a shim that is not over may go on at another server, whose end of it would be taken for a repeat.
        let may_go_on = connection.link.is_some();
        let game = guarded(|| session.take_game(Instant::now())).flatten();
        if let Some(game) = game.filter(|game| game.outcome.is_some() || !may_go_on) {
            self.archive_game(slot, game);
        }
    }

    /// Archives a game that the session has played.
    pub(super) fn archive_game(&self, slot: usize, game: Box<FinishedGame>) {
        let connection = &self.slots[slot];
        if connection.link.is_some() && connection.eof && game.outcome.is_none() {
            // The shim may have left for another server, where the game goes on.
            return;
        }
        match &self.archive {
            Some(archive) => {
                let user = connection.user_name().map(str::to_owned);
                let source = connection.source.id;
                archive.add(game, GameContext { session: connection.owner >> 32, user, source });
            }
            None => log::error!("{}: a game has ended, and there is no archive", connection.peer),
        }
    }
}

#[cfg(test)]
mod tests;
