//! What we say besides moves: to the opponent, to those who watch, and to whoever reads the GUI's log.

use super::{Session, Step};
use crate::protocol::xboard::Reply;
use crate::search::Info;
use crate::session::player::{Kibitz, Search};
use std::time::Duration;

/// Moves of a variation that are said.
const MOVES_SAID: usize = 6;

impl Session {
    /// The profile's banner, with the first `new`: earlier a GUI is busy with features, and shows no dialog.
    pub(super) fn show_banner(&mut self, step: &mut Step<'_>) {
        if !std::mem::replace(&mut self.client.welcomed, true)
            && let Some(banner) = &self.player.engine.profile().banner
        {
            step.reply(Reply::Telluser(banner.clone()));
        }
    }

    /// The option `Greeting`, with our first move of a game on a chess server: elsewhere a GUI would show a window.
    pub(super) fn greet(&mut self, step: &mut Step<'_>) {
        if !self.offers.greeted
            && !self.player.engine.options.greeting.is_empty()
            && self.client.ics.is_some()
        {
            step.reply(Reply::Tellopponent(self.player.engine.options.greeting.clone()));
        }
        self.offers.greeted = true;
    }

    /// The option `Kibitz`: on a chess server only, since elsewhere a GUI would show a window for each move.
    pub(super) fn kibitz(&self, search: &Search, step: &mut Step<'_>) {
        let Some(info) = search.best.as_ref().filter(|_| self.client.ics.is_some()) else { return };
        let moves: Vec<String> = self.written(search.root, &info.pv).into_iter().take(MOVES_SAID).collect();
        let text = format!("depth {} score {} line {}", info.depth, pawns(info), moves.join(" "));
        match self.player.engine.options.kibitz {
            Kibitz::Nobody => {}
            Kibitz::Observers => step.reply(Reply::Tellothers(text)),
            Kibitz::Everybody => step.reply(Reply::Tellall(text)),
        }
    }

    /// How the move came about, as a `#` line: only for GUIs that have accepted these.
    pub(super) fn comment(&self, search: &Search, used: Duration, step: &mut Step<'_>) {
        if !self.client.debug {
            return;
        }
        let found = search.best.as_ref().map_or("nothing found yet".to_owned(), |info| {
            format!("depth {}, score {}, {} nodes", info.depth, pawns(info), info.nodes)
        });
        let allowed = search.budget.allotment.map_or("no limit".to_owned(), |allotment| {
            format!("{} to {} ms", allotment.optimum.as_millis(), allotment.maximum.as_millis())
        });
        let (used, lag) = (used.as_millis(), self.player.limits.clocks.lag().recent());
        let lag = format!("lag {} ms, at worst {} ms", lag.mean, lag.worst);
        step.reply(Reply::Comment(format!("{found}; {used} ms used of {allowed}; {lag}")));
    }
}

/// `+0.31`, or `mate in 5` counted in moves.
fn pawns(info: &Info) -> String {
    match info.score.mate_distance() {
        Some(moves) if moves > 0 => format!("mate in {moves}"),
        Some(moves) => format!("mated in {}", -moves),
        None => format!("{:+.2}", f64::from(info.score.0) / 100.0),
    }
}
