//! When the journal sends pings of its own, because answers would show too little.

use super::Journal;
use super::pending::Pending;
use crate::protocol::xboard::Command;
use std::time::Instant;

impl Journal {
    /// Whether a complaint about this line, or one during the move that it demands, could be mistaken for one
    /// about a pending line. Then an answer is wanted first.
    pub(super) fn is_mistakable(&self, pending: &Pending) -> bool {
        let is_ping = matches!(pending.command(), Some(Command::Ping(_)));
        if self.ahead.due || self.ahead.edit.is_some() || is_ping {
            return false;
        }
        let demands = || {
            let mut ahead = self.ahead.clone();
            pending.change(&mut ahead);
            ahead.due
        };
        self.pending.has_like(&pending.line) || (self.pending.may_be_refused() && demands())
    }

    /// Expects the server to obey this line. Returns whether a ping is wanted right after it: a move before
    /// the pong was made before the line was read, a later complaint about a position is about another
    /// line, and a result that a server has heard is not told to the next one as news.
    pub(super) fn expect(&mut self, pending: &Pending) -> bool {
        let (due, editing) = (self.ahead.due, self.ahead.edit.is_some());
        pending.change(&mut self.ahead);
        let command = pending.command();
        // Whether a move is due is uncertain as long as an earlier line may be refused.
        let stops = !editing && command.is_some_and(stops) && self.pending.is_unsettled();
        let crossed = due && !self.ahead.due;
        let edited = editing && self.ahead.edit.is_none();
        let is_final = !editing && matches!(command, Some(Command::Result(..)));
        crossed || stops || edited || is_final || matches!(command, Some(Command::Setboard(_)))
    }

    /// The expected state was wrong: computes it again from the pending lines.
    pub(super) fn look_ahead(&mut self) {
        self.ahead = self.state.clone();
        let waiting: Vec<Pending> = self.pending.iter().filter(|pending| !pending.own).cloned().collect();
        for pending in waiting {
            self.unsure |= self.expect(&pending);
        }
    }

    pub(super) fn ping(&mut self, now: Instant, up: &mut Vec<u8>) {
        let line = format!("ping {}", self.next_ping).into_bytes();
        self.next_ping += 1;
        self.own_pings += 1;
        up.extend_from_slice(&line);
        up.push(b'\n');
        self.pending.push(Pending { own: true, ..Pending::new(&line, now, Some(now)) });
    }
}

/// Whether a move that is due before this command is not due after it, or another one is.
pub(super) fn stops(command: &Command) -> bool {
    matches!(
        command,
        Command::New
            | Command::Variant(_)
            | Command::Edit
            | Command::Undo
            | Command::Remove
            | Command::Force
            | Command::Exit
            | Command::Playother
            | Command::White
            | Command::Black
            | Command::Analyze
            | Command::Ponder(_)
            | Command::Result(..)
    )
}
