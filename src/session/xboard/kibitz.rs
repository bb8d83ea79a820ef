//! What we say besides moves: to the user, the opponent and observers, and in the GUI's log.

use super::{Session, Step};
use crate::protocol::xboard::Reply;
use crate::session::player::{Kibitz, Search, pawns};
use std::time::Duration;

/// The number of moves of a variation in a comment.
const MOVES_SAID: usize = 6;

impl Session {
    /// The profile's banner, at the first `new`: before that a GUI is busy with features and shows no dialog.
    pub(super) fn show_banner(&mut self, step: &mut Step<'_>) {
        if !std::mem::replace(&mut self.client.banner_shown, true)
            && let Some(banner) = &self.player.engine.profile().banner
        {
            step.reply(Reply::Telluser(banner.clone()));
        }
    }

    /// The option `Greeting`, with our first move of a game. On a chess server only: elsewhere a GUI would open a window.
    pub(super) fn greet(&mut self, step: &mut Step<'_>) {
        if !self.offers.greeted && !self.player.engine.options.greeting.is_empty() && self.is_on_server() {
            step.reply(Reply::Tellopponent(self.player.engine.options.greeting.clone()));
        }
        self.offers.greeted = true;
    }

    /// The option `Kibitz`. On a chess server only: elsewhere a GUI would open a window for each move.
    pub(super) fn kibitz(&self, search: &Search, step: &mut Step<'_>) {
        let Some(info) = search.best.as_ref().filter(|_| self.is_on_server()) else { return };
        let moves: Vec<String> =
            self.format_variation(search, &info.pv).into_iter().take(MOVES_SAID).collect();
        let text = format!("depth {} score {} line {}", info.depth, pawns(info), moves.join(" "));
        match self.player.engine.options.kibitz {
            Kibitz::Nobody => {}
            Kibitz::Observers => step.reply(Reply::Tellothers(text)),
            Kibitz::Everybody => step.reply(Reply::Tellall(text)),
        }
    }

    /// How we found the move, as a `#` line for GUIs that have accepted these.
    pub(super) fn comment(&self, search: &Search, used: Duration, step: &mut Step<'_>) {
        if !self.client.debug {
            return;
        }
        step.reply(Reply::Comment(self.player.account(search, used)));
    }
}
