//! What is done when the server does not begin a search, as it has as many as it can have, or when one fails.

use super::thinking::Purpose;
use super::{Session, Step};
use crate::pool::Shortage;
use crate::protocol::xboard::Reply;
use std::time::Duration;

/// After so much time an analysis that was refused is asked for again.
const AGAIN: Duration = Duration::from_secs(2);

/// Why there is no search where one was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Want {
    /// It was not begun.
    Room(Shortage),
    /// A defect of the engine has ended it. It would do so again.
    Defect,
}

impl Session {
    /// The current search was not begun, or has failed. A move is still made, since its clock runs; an analysis that was
    /// refused is asked for again and again. Pondering waits for the next move, and nobody need know.
    pub(super) fn do_without_search(&mut self, want: Want, step: &mut Step<'_>) {
        let Some(search) = &mut self.search else { return };
        search.gone = true;
        let purpose = search.purpose;
        let Some(complaint) = complaint(want, purpose) else {
            self.halt(step);
            self.may_ponder = false;
            return;
        };
        // Who analyses goes from position to position, and would have to close a window for each.
        if !std::mem::replace(&mut self.busy, true) {
            step.reply(Reply::Tellusererror(complaint));
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
            None if purpose == Purpose::Analysis && want != Want::Defect => {
                self.halt(step);
                self.analyze_in(AGAIN, step);
            }
            None => drop(self.halt(step)),
        }
    }
}

/// What the user is told; `None` of searches that nobody has asked for.
fn complaint(want: Want, purpose: Purpose) -> Option<String> {
    let complaint = match (want, purpose) {
        (_, Purpose::Ponder(_) | Purpose::Ordered | Purpose::Expectation) => return None,
        (Want::Room(Shortage::Searches(count)), Purpose::Move) => {
            format!("it thinks about {count} moves already, so this one is made at a glance")
        }
        (Want::Room(Shortage::Searches(count)), Purpose::Hint) => {
            format!("it looks for {count} answers already, please ask again later")
        }
        (Want::Room(Shortage::Searches(count)), Purpose::Analysis) => {
            format!("{count} analyses are going on, so this one begins when one of them ends")
        }
        (Want::Room(Shortage::Threads), Purpose::Move) => {
            "its system gives no thread for one more search, so this move is made at a glance".to_owned()
        }
        (Want::Room(Shortage::Threads), Purpose::Hint) => {
            "its system gives no thread for one more search, please ask again later".to_owned()
        }
        (Want::Room(Shortage::Threads), Purpose::Analysis) => {
            "its system gives no thread for one more search, so this analysis begins when there is one"
                .to_owned()
        }
        (Want::Defect, _) => {
            let instead = match purpose {
                Purpose::Move => "the best move known is made instead",
                Purpose::Analysis => "this position is not analysed further",
                _ => "there is no answer",
            };
            return Some(format!("a defect of the engine has ended its search, so {instead}"));
        }
    };
    Some(format!("this server is busy: {complaint}"))
}
