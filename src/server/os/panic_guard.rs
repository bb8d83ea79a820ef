//! Panics: caught where a session is served, and logged.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::thread;

#[cfg(not(panic = "unwind"))]
compile_error!("a panic must cost one session, not the server: leave the profile's `panic` at \"unwind\"");

/// Runs something that may panic; returns `None` if it did.
pub(in crate::server) fn guarded<T>(body: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(body)).ok()
}

/// Logs panics from now on, with their location, and with a backtrace if `RUST_BACKTRACE=1`. For
/// programs only: the hook belongs to the process.
pub fn log_panics() {
    panic::set_hook(Box::new(|panic| {
        let thread = thread::current();
        let name = thread.name().unwrap_or("<unnamed>").to_owned();
        let place = panic.location().map_or_else(String::new, |location| format!(" at {location}"));
        let what = panic.payload_as_str().unwrap_or("<not text>");
        log::error!("panic in thread {name}{place}: {what}");
        let backtrace = Backtrace::capture();
        if backtrace.status() == BacktraceStatus::Captured {
            backtrace.to_string().lines().for_each(|line| log::error!("thread {name}: {line}"));
        }
    }));
}
