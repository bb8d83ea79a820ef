//! `ping`: answered once every earlier command is done.

use super::{Session, Step};
use crate::protocol::xboard::Reply;
use crate::session::player::Purpose;

/// The number of `ping`s that may wait; a client that sends more is not waiting for the engine's
/// move.
pub(super) const MAX_PINGS: usize = 256;

impl Session {
    /// `ping`. While the engine's move is due the answer follows the move, which was requested
    /// before (current text, section 8); likewise for a hint that is being searched. Pondering does
    /// not count. A move that is held back after an agreed draw goes out, since a `ping` shows that
    /// the game goes on.
    pub(super) fn ping(&mut self, number: i64, step: &mut Step<'_>) {
        self.play_held_move(step);
        self.keep_ping(number, step);
        self.answer_pings(step);
    }

    /// Queues a `ping` until nothing is due.
    pub(super) fn keep_ping(&mut self, number: i64, step: &mut Step<'_>) {
        self.pings.push(number);
        if self.pings.len() > MAX_PINGS {
            self.pong(step);
        }
    }

    /// Answers the waiting `ping`s, unless a move or a hint is still due.
    pub(super) fn answer_pings(&mut self, step: &mut Step<'_>) {
        let busy = matches!(self.player.purpose(), Some(Purpose::Move | Purpose::Hint));
        if !busy || self.player.is_paused() {
            self.pong(step);
        }
    }

    fn pong(&mut self, step: &mut Step<'_>) {
        for number in std::mem::take(&mut self.pings) {
            step.reply(Reply::Pong(number));
        }
    }
}
