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
        self.pings.push(number);
        self.answer_pings(step);
    }

    /// Answers the waiting `ping`s, unless a move or a hint is still due.
    pub(super) fn answer_pings(&mut self, step: &mut Step<'_>) {
        if !self.owes_answer() || self.pings.len() > MAX_PINGS {
            self.pings.drain(..).for_each(|number| step.reply(Reply::Pong(number)));
        }
    }

    /// Returns true if a move or a hint is due. In a pause none is.
    pub(super) fn owes_answer(&self) -> bool {
        matches!(self.player.purpose(), Some(Purpose::Move | Purpose::Hint)) && !self.player.is_paused()
    }
}
