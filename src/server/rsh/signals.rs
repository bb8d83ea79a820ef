//! Handling the signals of a remote shell client.

use super::{SignalChannel, signal_channel};
use crate::protocol::framing::Frame;
use crate::server::connections::Connections;
use crate::session::Input;
use std::time::{Duration, Instant};

/// Time for which input may still arrive after SIGTERM: the two connections are not in step.
/// WinBoard sends `quit` on one and SIGTERM on the other, and closes both at once.
const INPUT_GRACE: Duration = Duration::from_secs(2);
/// Extension of that time while input waits for its turn.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

impl Connections {
    pub(super) fn take_signals(&mut self, slot: usize, now: Instant) {
        let Some(connection) = self.slots.get_mut(slot) else { return };
        let Some(rsh) = &mut connection.rsh else { return };
        let SignalChannel::Open(stream) = &mut rsh.signal_channel else { return };
        let signals = signal_channel::read(&mut *stream);
        if signals.terminate {
            rsh.ends.get_or_insert(now + INPUT_GRACE);
        }
        if signals.closed
            && let SignalChannel::Open(mut stream) =
                std::mem::replace(&mut rsh.signal_channel, SignalChannel::None)
        {
            self.slots.deregister(&mut stream);
        }
        for _ in 0..signals.interrupts {
            self.deliver(slot, Input::Interrupt, now);
        }
        self.flush(slot, now);
    }

    /// Handles the answers to probes of a client without a session: its last lines are paced, too.
    pub(in crate::server) fn take_pacer_responses(&mut self, slot: usize) {
        if let Some(connection) = self.slots.get_mut(slot)
            && connection.session.is_none()
            && let Some(rsh) = connection.rsh.as_mut().filter(|rsh| !rsh.is_logging_in())
        {
            while let Some(frame) = connection.input.lines.next_line() {
                if let Frame::Line(line) = frame {
                    rsh.pacer.heard(line);
                }
            }
        }
    }

    pub(in crate::server) fn serve_rsh_timer(&mut self, slot: usize, now: Instant) {
        let listed = self.input.ready.contains(slot);
        let Some(connection) = self.slots.get_mut(slot) else { return };
        if let Some(ends) = connection.rsh.as_mut().and_then(|rsh| rsh.ends.as_mut())
            && *ends <= now
        {
            if listed {
                *ends = now + RETRY_INTERVAL;
            } else {
                self.end_rsh_session(slot, now);
            }
        }
        self.flush(slot, now);
    }

    /// Ends the input of a client that wants the session to end, after all of its lines.
    fn end_rsh_session(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.slots[slot];
        if let Some(rsh) = &mut connection.rsh {
            rsh.ends = None;
        }
        self.handle_end_of_input(slot, now);
    }
}
