//! Messages besides moves: to the user, the opponent, observers, and the GUI's log.

use super::{Session, Step};
use crate::protocol::xboard::Reply;
use crate::session::player::{Kibitz, Search, pawns};
use std::time::Duration;

/// Moves of a variation in a comment.
const MOVES_SAID: usize = 6;

impl Session {
    /// Shows the profile's banner, with the first `new`: before that a GUI is busy with features
    /// and shows no dialog.
    pub(super) fn show_banner(&mut self, step: &mut Step<'_>) {
        if !std::mem::replace(&mut self.gui.banner_shown, true)
            && let Some(banner) = &self.player.engine.profile().banner
        {
            step.reply(Reply::Telluser(banner.clone()));
        }
    }

    /// Sends the option `Greeting` with the engine's first move of a game. On chess servers only:
    /// elsewhere a GUI would open a window.
    pub(super) fn greet(&mut self, step: &mut Step<'_>) {
        if !std::mem::replace(&mut self.offers.greeted, true)
            && !self.player.engine.options.greeting.is_empty()
            && self.gui.is_on_server()
        {
            step.reply(Reply::Tellopponent(self.player.engine.options.greeting.clone()));
        }
    }

    /// Comments on a move, as set by the option `Kibitz`. On chess servers only: elsewhere a GUI
    /// would open a window for each move.
    pub(super) fn kibitz(&self, search: &Search, step: &mut Step<'_>) {
        let Some(info) = search.findings.best.as_ref().filter(|_| self.gui.is_on_server()) else { return };
        let moves: Vec<String> =
            self.format_variation(search, &info.pv).into_iter().take(MOVES_SAID).collect();
        let text = format!("depth {} score {} line {}", info.depth, pawns(info), moves.join(" "));
        match self.player.engine.options.kibitz {
            Kibitz::Nobody => {}
            Kibitz::Observers => step.reply(Reply::Tellothers(text)),
            Kibitz::Everybody => step.reply(Reply::Tellall(text)),
        }
    }

    /// Reports how the move was found, as a `#` line for GUIs that have accepted these.
    pub(super) fn comment(&self, search: &Search, used: Duration, step: &mut Step<'_>) {
        if !self.gui.logs_comments() {
            return;
        }
        step.reply(Reply::Comment(self.player.account(search, used)));
    }
}
