//! Panics: caught where one session is served, and logged.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::thread;

#[cfg(not(panic = "unwind"))]
compile_error!("a panic must cost one session, not the server: leave the profile's `panic` at \"unwind\"");

/// The answer of something that may panic; `None` if it did.
pub(in crate::server) fn guarded<T>(question: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(question)).ok()
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
