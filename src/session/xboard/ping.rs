//! `ping`: everything before it is done.

use super::{Session, Step};
use crate::protocol::xboard::Reply;
use crate::session::player::Purpose;

/// Unanswered `ping`s that may wait; a client that sends more of them is not waiting for our move.
const MAX_PINGS: usize = 256;

impl Session {
    /// `ping`. One that comes while our move is due is answered after the move: that, too, is something we were told
    /// to do before (current text, section 8), as is a hint that is being looked for. Pondering does not count. A move
    /// that is kept back after an agreed draw goes out: the client goes on.
    pub(super) fn ping(&mut self, number: i64, step: &mut Step<'_>) {
        self.goes_on(step);
        self.pings.push(number);
        if self.pings.len() > MAX_PINGS {
            self.pong(step);
        }
        self.answer_pings(step);
    }

    /// Answers what waits for our move, if nothing waits for it any more.
    pub(super) fn answer_pings(&mut self, step: &mut Step<'_>) {
        let busy = matches!(self.player.purpose(), Some(Purpose::Move | Purpose::Hint));
        if !busy || self.player.is_paused() {
            self.pong(step);
        }
    }

    fn pong(&mut self, step: &mut Step<'_>) {
        for number in self.pings.drain(..) {
            step.reply(Reply::Pong(number));
        }
    }
}
