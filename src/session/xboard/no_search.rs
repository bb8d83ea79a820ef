//! Searches that the server refuses for lack of resources, and searches that fail.

use super::{Session, Step};
use crate::protocol::xboard::Reply;
use crate::session::player::{BEST_KNOWN_MOVE, Fallback, Purpose, QUICK_MOVE, Unavailable};

impl Session {
    /// Handles a search that was refused or has failed. A move is made nevertheless, since the
    /// engine's clock runs. The user gets one message, and none about pondering.
    pub(super) fn do_without_search(&mut self, why: Unavailable, step: &mut Step<'_>) {
        let Some(purpose) = self.player.purpose() else { return };
        match consequence(why, purpose) {
            // In analysis, users browse positions, and each message opens a window.
            Some(consequence) if !std::mem::replace(&mut self.gui.told_busy, true) => {
                step.reply(Reply::Tellusererror(why.message(consequence)));
            }
            Some(_) => {}
            None => self.pondering.allowed = false,
        }
        if self.player.without_search(why, step) == Fallback::Move {
            self.make_move(step);
        }
    }
}

/// The substitute for the search, as part of a message; `None` for searches that the user has not
/// requested.
fn consequence(why: Unavailable, purpose: Purpose) -> Option<&'static str> {
    match (purpose, why) {
        (Purpose::Move, Unavailable::NoRoom(_)) => Some(QUICK_MOVE),
        (Purpose::Move, Unavailable::Defect) => Some(BEST_KNOWN_MOVE),
        (Purpose::Analysis, Unavailable::NoRoom(_)) => Some("the analysis will start as soon as possible"),
        (Purpose::Analysis, Unavailable::Defect) => Some("this position is not analysed further"),
        (Purpose::Hint, Unavailable::NoRoom(_)) => Some("please ask again later"),
        (Purpose::Hint, Unavailable::Defect) => Some("there is no answer"),
        (Purpose::Ponder(_) | Purpose::PonderOnBoard | Purpose::Expectation | Purpose::Perft(_), _) => None,
    }
}
