//! What comes in: bytes → lines → session, in turns, so that no client keeps the loop to itself.
//!
//! A turn is bounded in bytes and in time. Lines for which there was no time stay in the splitter and the
//! client in the list, as nothing announces them again; until they are handled nothing more is read from
//! that client. So its memory stays bounded, and the end of its input comes after all of its lines.

use super::client_stream::ReadOutcome;
use super::connections::Connections;
use super::cpu_time::cpu_time;
use crate::protocol::framing::Frame;
use crate::session::Input;
use std::io;
use std::time::{Duration, Instant};

/// Input read from one client in one turn, in bytes; the rest waits until the others had theirs.
pub(super) const MAX_READ_PER_TURN: usize = 16 << 10;

/// How long the lines of one client are handled in one turn. Bytes are no measure of work: most commands
/// take a microsecond or less, but to begin a search late in a long game costs a hundred times that. A
/// millisecond is room for hundreds of the former, and not felt by those that wait. After so much time with
/// several clients the loop also looks whether something else came up, which costs it some microseconds.
pub(super) const MAX_TURN: Duration = Duration::from_millis(1);

/// The same at least, where many clients have something to say: whoever comes next waits for a turn of each of those that
/// have had no more than it.
const MIN_TURN: Duration = Duration::from_micros(50);

/// How long a client may say more than can be handled and hear nothing, before it is told so. What it has sent may be
/// a minute's work, and a client that is gone shows that only by how its system answers.
pub(super) const OVERLOAD_NOTICE_AFTER: Duration = Duration::from_millis(500);

/// What is left of the turn of one client.
struct TurnBudget {
    /// The clock when it was last looked at.
    now: Instant,
    end: Instant,
    /// Bytes that may still be read.
    room: usize,
}

impl TurnBudget {
    fn new(lasting: Duration) -> TurnBudget {
        let now = Instant::now();
        TurnBudget { now, end: now + lasting, room: MAX_READ_PER_TURN }
    }

    /// Whether the time is over.
    fn is_over(&mut self) -> bool {
        self.now = Instant::now();
        self.now >= self.end
    }
}

impl Connections {
    /// Gives those that have input a turn each, first those that have had least of the loop's time. When that takes
    /// long the others wait until the loop has looked after everything else.
    pub(super) fn serve_input(&mut self) {
        self.ready.rest();
        let end = Instant::now() + self.max_turn;
        // Who has more to say after its turn comes again when the loop has looked around.
        for _ in 0..self.ready.len() {
            let Some((slot, source)) = self.ready.next() else { return };
            let began = cpu_time();
            let mut more = false;
            self.guard_slot(slot, |connections| more = connections.serve_turn(slot));
            self.ready.charge(source, cpu_time().saturating_sub(began));
            if more {
                self.ready.join(slot, source);
            }
            if Instant::now() >= end {
                return;
            }
        }
    }

    /// Gives a client its turn. True if there is, or may be, more.
    fn serve_turn(&mut self, slot: usize) -> bool {
        if !self.slots.contains(slot) {
            return false;
        }
        let others = u32::try_from(self.ready.len()).unwrap_or(u32::MAX);
        let lasting = (self.max_turn / others.saturating_add(1)).max(MIN_TURN.min(self.max_turn));
        let mut turn = TurnBudget::new(lasting);
        match self.read_input(slot, &mut turn) {
            Ok(more) => {
                self.note_overload(slot, more, turn.now);
                self.flush(slot, turn.now);
                more && self.slots.contains(slot)
            }
            Err(error) => {
                self.drop_broken(slot, &error);
                false
            }
        }
    }

    /// Tells a client that its input is more than can be handled, if it has heard nothing for long. If it is gone, its
    /// system answers with a reset, and its session ends at the next turn.
    fn note_overload(&mut self, slot: usize, more: bool, now: Instant) {
        let Some(connection) = self.slots.get_mut(slot) else { return };
        if !more || connection.unsent() > 0 {
            connection.overloaded_since = more.then_some(now);
            return;
        }
        let since = *connection.overloaded_since.get_or_insert(now);
        if now.saturating_duration_since(since) >= self.overload_notice_after && connection.session.is_some()
        {
            let text = "your input is handled, but it is more than can be handled at once";
            connection.say(connection.protocol().remark(text));
            connection.overloaded_since = Some(now);
        }
    }

    /// Lets the session handle what is left from the last turn, then what can be read. True if there is, or
    /// may be, more.
    fn read_input(&mut self, slot: usize, turn: &mut TurnBudget) -> io::Result<bool> {
        let Some(connection) = self.slots.get(slot) else { return Ok(false) };
        if connection.eof || connection.overloaded_since.is_some() || connection.lines.held() > 0 {
            // A reset may have been announced. There is nothing left to read that would tell it, or that
            // may come too late: the session of a client that is gone should not go on.
            connection.check()?;
        }
        loop {
            if !self.handle_lines(slot, turn) {
                return Ok(true);
            }
            let Some(connection) = self.slots.get_mut(slot) else { return Ok(false) };
            if connection.eof {
                return Ok(false);
            }
            if connection.rsh.as_ref().is_some_and(|rsh| rsh.waits()) {
                return Ok(false);
            }
            if turn.room == 0 {
                return Ok(true);
            }
            match connection.read(&mut self.buffer[..turn.room])? {
                ReadOutcome::Nothing => return Ok(false),
                ReadOutcome::Bytes(count) => {
                    turn.room -= count;
                    if connection.is_logging_in() {
                        self.take_handshake(slot, count, turn.now);
                    } else if !connection.is_closing() || connection.rsh.is_some() {
                        connection.take(&self.buffer[..count]);
                    }
                }
                ReadOutcome::Overhead(count) => {
                    turn.room = turn.room.saturating_sub(count);
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
                    connection.eof = true;
                    connection.check()?;
                    self.handle_end_of_input(slot, turn.now);
                    return Ok(false);
                }
            }
        }
    }

    /// Lets the session handle the lines that are here. False if the time was over before, or just then.
    fn handle_lines(&mut self, slot: usize, turn: &mut TurnBudget) -> bool {
        self.serve_login(slot, turn.now);
        while let Some(connection) = self.slots.get_mut(slot)
            && let Some(session) = &mut connection.session
            && let limit = connection.lines.limit()
            && let Some(frame) = connection.lines.next_line()
        {
            if let (Some(rsh), Frame::Line(line)) = (&mut connection.rsh, frame) {
                rsh.pacer.heard(line);
            }
            if connection.rsh.as_ref().is_some_and(|rsh| rsh.ended) {
                continue;
            }
            session.handle(input_of(frame, limit), turn.now, &mut self.effects);
            self.carry_out(slot, turn.now);
            if turn.is_over() {
                return false;
            }
        }
        self.take_pacer_answers(slot);
        true
    }

    /// The client has sent its last, and all of its lines are handled; one without an end counts, too.
    pub(super) fn handle_end_of_input(&mut self, slot: usize, now: Instant) {
        let Some(connection) = self.slots.get_mut(slot) else { return };
        if connection.login.is_some() {
            return self.refuse_end(slot, now);
        }
        if let Some(rsh) = &mut connection.rsh
            && std::mem::replace(&mut rsh.ended, true)
        {
            return;
        }
        let limit = connection.lines.limit();
        if let Some(session) = &mut connection.session
            && let Some(frame) = connection.lines.rest()
        {
            session.handle(input_of(frame, limit), now, &mut self.effects);
            self.carry_out(slot, now);
        }
        self.deliver(slot, Input::Eof, now);
    }
}

/// What a session is told of what the splitter found.
pub(super) fn input_of(frame: Frame<'_>, limit: usize) -> Input<'_> {
    match frame {
        Frame::Line(line) => Input::Line(line),
        Frame::TooLong => Input::LineTooLong(limit),
        Frame::Interrupt => Input::Interrupt,
    }
}

#[cfg(test)]
mod tests;
