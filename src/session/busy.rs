//! What is done when the server does not begin a search, as it has as many as it can have.

use super::thinking::Purpose;
use super::{Session, Step};
use crate::protocol::xboard::Reply;
use std::time::Duration;

/// After so much time an analysis that was refused is asked for again.
const AGAIN: Duration = Duration::from_secs(2);

impl Session {
    /// The current search was refused: there are `count` of its class. A move is still made, since its clock runs; an
    /// analysis is asked for again and again. Pondering waits for the next move, and nobody need know.
    pub(super) fn search_refused(&mut self, count: usize, step: &mut Step<'_>) {
        let Some(search) = &mut self.search else { return };
        search.refused = true;
        let purpose = search.purpose;
        let complaint = match purpose {
            Purpose::Move => {
                format!("it thinks about {count} moves already, so this one is made at a glance")
            }
            Purpose::Hint => format!("it looks for {count} answers already, please ask again later"),
            Purpose::Analysis => {
                format!("{count} analyses are going on, so this one begins when one of them ends")
            }
            Purpose::Ponder(_) | Purpose::Ordered | Purpose::Expectation => {
                self.halt(step);
                self.may_ponder = false;
                return;
            }
        };
        // Who analyses goes from position to position, and would have to close a window for each.
        if !std::mem::replace(&mut self.busy, true) {
            step.reply(Reply::Tellusererror(format!("this server is busy: {complaint}")));
        }
        match &mut self.paused {
            Some(paused) if purpose == Purpose::Move => {
                // At the end of the pause it may be admitted.
                let used =
                    self.search.as_ref().map(|search| paused.since.saturating_duration_since(search.since));
                (paused.until, paused.owed) = (None, used);
                self.halt(step);
            }
            Some(paused) => {
                paused.until = None;
                self.halt(step);
            }
            None if purpose == Purpose::Move => self.make_move(step),
            None if purpose == Purpose::Analysis => {
                self.halt(step);
                self.analyze_in(AGAIN, step);
            }
            None => drop(self.halt(step)),
        }
    }
}
