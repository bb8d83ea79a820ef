//! Searches that the server refuses for want of room, and searches that fail.

use super::{Session, Step};
use crate::pool::Shortage;
use crate::protocol::xboard::Reply;
use crate::session::player::{Fallback, Purpose, Unavailable};

impl Session {
    /// The current search was refused, or has failed. A move is made nevertheless, since our clock runs. The user gets one
    /// message, and none about pondering.
    pub(super) fn do_without_search(&mut self, why: Unavailable, step: &mut Step<'_>) {
        let Some(purpose) = self.player.purpose() else { return };
        match complaint(why, purpose) {
            // In analysis users go from position to position, and would have to close a window for each.
            Some(complaint) if !std::mem::replace(&mut self.client.told_busy, true) => {
                step.reply(Reply::Tellusererror(complaint));
            }
            Some(_) => {}
            None => self.pondering.allowed = false,
        }
        if self.player.without_search(why, step) == Fallback::Move {
            self.make_move(step);
        }
    }
}

/// The message for the user; `None` for searches that the user has not asked for.
fn complaint(why: Unavailable, purpose: Purpose) -> Option<String> {
    let complaint = match (why, purpose) {
        (_, Purpose::Ponder(_) | Purpose::PonderOnBoard | Purpose::Expectation | Purpose::Perft(_)) => {
            return None;
        }
        (Unavailable::NoRoom(Shortage::Searches(count)), Purpose::Move) => {
            format!("it thinks about {count} moves already, so this one is made at a glance")
        }
        (Unavailable::NoRoom(Shortage::Searches(count)), Purpose::Hint) => {
            format!("it looks for {count} answers already, please ask again later")
        }
        (Unavailable::NoRoom(Shortage::Searches(count)), Purpose::Analysis) => {
            format!("{count} analyses are going on, so this one begins when one of them ends")
        }
        (Unavailable::NoRoom(Shortage::OfUser(most)), _) => {
            let instead = match purpose {
                Purpose::Move => "so this move is made at a glance",
                Purpose::Analysis => "so this analysis begins when one of them ends",
                _ => "please ask again later",
            };
            return Some(format!("you have {most} searches at one time here, and no more: {instead}"));
        }
        (Unavailable::NoRoom(Shortage::Threads), Purpose::Move) => {
            "its system gives no thread for one more search, so this move is made at a glance".to_owned()
        }
        (Unavailable::NoRoom(Shortage::Threads), Purpose::Hint) => {
            "its system gives no thread for one more search, please ask again later".to_owned()
        }
        (Unavailable::NoRoom(Shortage::Threads), Purpose::Analysis) => {
            "its system gives no thread for one more search, so this analysis begins when there is one"
                .to_owned()
        }
        (Unavailable::Defect, _) => {
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
