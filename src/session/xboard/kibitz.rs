//! Messages besides moves: to the opponent and to observers.

use super::lines::format_variation;
use super::{GameContext, Offers, Step};
use crate::protocol::xboard::Reply;
use crate::session::player::{Kibitz, Options, Search, pawns};

/// The most moves of a variation in a comment.
const MAX_COMMENTED_MOVES: usize = 6;

impl GameContext {
    /// Sends the option `Greeting` with the engine's first move of a game. On chess servers only:
    /// elsewhere a GUI would open a window.
    pub(super) fn greet(&self, offers: &mut Offers, options: &Options, step: &mut Step<'_>) {
        let was_greeted = std::mem::replace(&mut offers.greeted, true);
        if !was_greeted && !options.greeting.is_empty() && self.is_on_server() {
            step.reply(Reply::Tellopponent(options.greeting.clone()));
        }
    }

    /// Comments on a move, as set by the option `Kibitz`. On chess servers only: elsewhere a GUI
    /// would open a window for each move.
    pub(super) fn kibitz(&self, search: &Search, options: &Options, step: &mut Step<'_>) {
        let Some(info) = search.findings.best.as_ref().filter(|_| self.is_on_server()) else { return };
        let moves: Vec<String> =
            format_variation(search, &info.pv, options).into_iter().take(MAX_COMMENTED_MOVES).collect();
        let text = format!("depth {} score {} line {}", info.depth, pawns(info), moves.join(" "));
        match options.kibitz {
            Kibitz::Nobody => {}
            Kibitz::Observers => step.reply(Reply::Tellothers(text)),
            Kibitz::Everybody => step.reply(Reply::Tellall(text)),
        }
    }
}
