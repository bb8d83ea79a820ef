//! When the journal asks: pings of its own, where an answer would show too little.

use super::Journal;
use super::pending::Pending;
use crate::protocol::xboard::Command;
use std::time::Instant;

impl Journal {
    /// Whether a complaint about this line, or one while the move is due that it asks for, could be taken for one about a
    /// line that waits. Then an answer is wanted before it is said.
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

    /// The server will obey this. True if an answer is wanted right after it: a move that comes before that was made before
    /// the line was heard, and a complaint about a position that comes later is about another.
    pub(super) fn expect(&mut self, pending: &Pending) -> bool {
        let (due, editing) = (self.ahead.due, self.ahead.edit.is_some());
        pending.change(&mut self.ahead);
        let command = pending.command();
        // Whether a move is due is not certain as long as any line before may be refused.
        let stops = !editing && command.is_some_and(stops) && self.pending.is_unsettled();
        let crossed = due && !self.ahead.due;
        let edited = editing && self.ahead.edit.is_none();
        crossed || stops || edited || matches!(command, Some(Command::Setboard(_)))
    }

    /// What is to come is not what it seemed: what was thought of lines that wait has to be thought again.
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

/// Whether a move that is due before this is due no more, or another is.
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
