//! A defect of ours costs one session, not all of them.
//!
//! Whatever is done for one connection is done in a turn of its own. If that panics, the session is given up: its searches
//! are stopped, the client is told, and the connection closes as any other. What the session wanted to be done and was not
//! done yet is forgotten.

use super::access_log::CloseReason;
use super::connections::Connections;
use crate::protocol::INTERNAL_ERROR;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Instant;

#[cfg(not(panic = "unwind"))]
compile_error!("a panic must cost one session, not the server: leave the profile's `panic` at \"unwind\"");

/// Asks something of a session that may panic over it; `None` if it did.
pub(super) fn guarded<T>(question: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(question)).ok()
}

impl Connections {
    /// Does something for one connection, which ends if that panics.
    pub(super) fn guard_slot(&mut self, slot: usize, turn: impl FnOnce(&mut Connections)) {
        if catch_unwind(AssertUnwindSafe(|| turn(self))).is_err() {
            self.end_after_panic(slot);
        }
    }

    fn end_after_panic(&mut self, slot: usize) {
        let now = Instant::now();
        // Half of what the session wanted; the next one must not get it.
        self.effects.clear();
        let Some(connection) = self.slots.get_mut(slot) else { return };
        let (peer, owner) = (connection.peer, connection.owner >> 32);
        log::error!("{peer}: session {owner} is closed because of a panic");
        connection.close_reason = CloseReason::Fault;
        let farewell = connection.protocol().refusal(INTERNAL_ERROR);
        let _ = guarded(|| connection.log_end());
        connection.session = None;
        connection.login = None;
        let ended = catch_unwind(AssertUnwindSafe(|| {
            self.slots[slot].say(farewell);
            self.close(slot, now);
            // What the client still sends is read, or the connection would be reset and it would not hear that.
            self.mark_ready(slot);
            self.flush(slot, now);
        }));
        if ended.is_err() {
            // So it is not the session, but the connection.
            self.remove(slot);
        }
    }
}

/// From now on panics are logged, each with its place in the source, and with a backtrace if the environment asks for it
/// (`RUST_BACKTRACE=1`). For the program only: the hook belongs to the process.
pub fn log_panics() {
    panic::set_hook(Box::new(|panic| {
        let thread = thread::current();
        let name = thread.name().unwrap_or("without a name").to_owned();
        let place = panic.location().map_or_else(String::new, |location| format!(" at {location}"));
        let what = panic.payload_as_str().unwrap_or("something that is no text");
        log::error!("panic in thread {name}{place}: {what}");
        let backtrace = Backtrace::capture();
        if backtrace.status() == BacktraceStatus::Captured {
            // A line of the log is one line, and not a long one.
            backtrace.to_string().lines().for_each(|line| log::error!("thread {name}: {line}"));
        }
    }));
}

#[cfg(test)]
mod tests;
