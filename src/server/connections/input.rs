//! Input: bytes → lines → session, in turns, so that no client monopolizes the loop.
//!
//! A turn is bounded in bytes and time. Lines left over stay in the splitter and their client in
//! the queue, as the system announces nothing again; until they are handled nothing more is read
//! from that client. So its memory stays bounded, and the end of its input comes after all of its
//! lines.

use super::Connections;
use crate::link::GREETING;
use crate::protocol::framing::Frame;
use crate::server::connection::{Connection, ReadOutcome};
use crate::server::event_loop::input_turns::{TurnBudget, input_of};
use crate::server::os::usage::cpu_time;
use crate::session::{Input, SendTime};
use std::io::{self, ErrorKind};
use std::time::{Duration, Instant};

impl Connections {
    /// Gives each client with input a turn, first those that have had least of the loop's time.
    /// When that takes long, the others wait until the loop has done everything else.
    pub(in crate::server) fn serve_input(&mut self) {
        self.input.ready.rest();
        let end = Instant::now() + self.input.max_turn;
        // A client with more input comes again in the next turn of the loop.
        for _ in 0..self.input.ready.len() {
            let Some((slot, source)) = self.input.ready.next() else { return };
            let began = cpu_time();
            let mut more = false;
            self.guard_slot(slot, |connections| more = connections.serve_turn(slot));
            self.input.ready.charge(source, cpu_time().saturating_sub(began));
            if more {
                // A proxy's header may have changed the source.
                self.mark_ready(slot);
            }
            if Instant::now() >= end {
                return;
            }
        }
    }

    /// Gives a client its turn. Returns true if there may be more input.
    fn serve_turn(&mut self, slot: usize) -> bool {
        if !self.slots.contains(slot) {
            return false;
        }
        let mut turn = self.input.begin();
        match self.read_input(slot, &mut turn) {
            Ok(more) => {
                if let Some(connection) = self.slots.get_mut(slot) {
                    connection.note_overload(more, self.input.overload_notice_after, turn.now);
                }
                self.flush(slot, turn.now);
                more && self.slots.contains(slot)
            }
            Err(error) => {
                self.drop_broken(slot, &error);
                false
            }
        }
    }

    /// Handles the lines left from the last turn, then new input. Returns true if there may be
    /// more.
    fn read_input(&mut self, slot: usize, turn: &mut TurnBudget) -> io::Result<bool> {
        let Some(connection) = self.slots.get(slot) else { return Ok(false) };
        if connection.input.eof || connection.input.overloaded_since.is_some() || connection.unhandled() > 0 {
            // A reset may have been announced, which reading would find late or never.
            connection.check()?;
        }
        loop {
            if !self.handle_lines(slot, turn) {
                return Ok(true);
            }
            let Some(connection) = self.slots.get_mut(slot) else { return Ok(false) };
            if connection.input.eof {
                return Ok(false);
            }
            if connection.rsh.as_ref().is_some_and(|rsh| rsh.waits()) {
                return Ok(false);
            }
            if turn.bytes == 0 {
                return Ok(true);
            }
            if connection.awaits_header() {
                if self.read_header(slot, turn)? {
                    continue;
                }
                return Ok(false);
            }
            match connection.read(&mut self.input.buffer[..turn.bytes])? {
                ReadOutcome::Nothing => return Ok(false),
                ReadOutcome::Bytes(count) => {
                    turn.bytes -= count;
                    if connection.is_rsh_login() {
                        self.take_handshake(slot, count, turn.now);
                    } else if connection.input.opening.shows_header(&self.input.buffer[..count])
                        && !connection.is_closing()
                    {
                        self.refuse_stray_header(slot, turn.now);
                    } else if !connection.is_closing() || connection.rsh.is_some() {
                        connection.push_input(&self.input.buffer[..count]);
                    }
                }
                ReadOutcome::Overhead(count) => {
                    turn.bytes = turn.bytes.saturating_sub(count);
                    if turn.is_over() {
                        return Ok(true);
                    }
                }
                ReadOutcome::Handshake => {
                    self.begin_step(slot, turn.now);
                    return Ok(false);
                }
                ReadOutcome::NotTls => self.refuse_plain_text(slot, turn.now),
                ReadOutcome::End => {
                    connection.input.eof = true;
                    connection.check()?;
                    self.handle_end_of_input(slot, turn.now);
                    return Ok(false);
                }
            }
        }
    }

    /// Handles complete lines and frames of a link. Returns false if the turn is over.
    fn handle_lines(&mut self, slot: usize, turn: &mut TurnBudget) -> bool {
        self.serve_login(slot, turn.now);
        loop {
            if !self.handle_complete_lines(slot, turn) {
                return false;
            }
            if !self.serve_link(slot, turn.now) {
                break;
            }
            if turn.is_over() {
                return false;
            }
        }
        self.take_pacer_responses(slot);
        true
    }

    fn handle_complete_lines(&mut self, slot: usize, turn: &mut TurnBudget) -> bool {
        while let Some(connection) = self.slots.get_mut(slot)
            && let Some(session) = &mut connection.session
            && let limit = connection.input.lines.limit()
            && let Some(frame) = connection.input.lines.next_line()
        {
            let is_first = !std::mem::replace(&mut connection.input.has_spoken, true);
            if is_first && frame == Frame::Line(GREETING.as_bytes()) && connection.rsh.is_none() {
                self.begin_link(slot, turn.now);
                return true;
            }
            if let (Some(rsh), Frame::Line(line)) = (&mut connection.rsh, frame) {
                rsh.pacer.heard(line);
            }
            if connection.rsh.as_ref().is_some_and(|rsh| rsh.ended) {
                continue;
            }
            let sent =
                connection.link.as_mut().map_or(SendTime::at(turn.now), |link| link.send_time(turn.now));
            session.handle_late(input_of(frame, limit), sent, turn.now, &mut self.effects);
            // The first line may have shown a protocol with longer lines.
            connection.input.lines.raise_limit(session.protocol().line_limit(self.limits.line));
            self.run_effects(slot, turn.now);
            if turn.is_over() {
                return false;
            }
        }
        true
    }

    /// Handles the end of input, after all lines. A last line without a line end counts as well.
    pub(in crate::server) fn handle_end_of_input(&mut self, slot: usize, now: Instant) {
        let Some(connection) = self.slots.get_mut(slot) else { return };
        if connection.login.is_some() {
            return self.refuse_end(slot, now);
        }
        if let Some(rsh) = &mut connection.rsh
            && std::mem::replace(&mut rsh.ended, true)
        {
            return;
        }
        if connection.link.as_ref().is_some_and(|link| link.held() > 0) {
            return self.drop_broken(slot, &ErrorKind::UnexpectedEof.into());
        }
        let limit = connection.input.lines.limit();
        if let Some(session) = &mut connection.session
            && let Some(frame) = connection.input.lines.rest()
        {
            session.handle(input_of(frame, limit), now, &mut self.effects);
            self.run_effects(slot, now);
        }
        self.deliver(slot, Input::Eof, now);
    }
}

impl Connection {
    /// Notifies a client that its input exceeds what can be handled, if nothing was sent to it for
    /// that long. If the client has disconnected, its system answers with a reset, and the session
    /// ends at the next turn.
    fn note_overload(&mut self, more: bool, notice_after: Duration, now: Instant) {
        if !more || self.unsent() > 0 {
            self.input.overloaded_since = more.then_some(now);
            return;
        }
        let since = *self.input.overloaded_since.get_or_insert(now);
        if now.saturating_duration_since(since) >= notice_after && self.session.is_some() {
            let text = "your input is being handled, but it is more than can be handled at once";
            self.send(self.protocol().remark(text));
            self.input.overloaded_since = Some(now);
        }
    }
}

#[cfg(test)]
mod tests;
