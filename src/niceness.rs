//! Priorities of threads, relative to the niceness with which the program was started: a program started with `nice` keeps
//! the niceness that was asked for.

use rustix::process::{getpriority_process, setpriority_process};
use rustix::thread::gettid;
use std::io;
use std::sync::OnceLock;

/// The greatest niceness.
const NICEST: i32 = 19;

/// The niceness of the process when this was first called, which must be before any thread changes its own.
pub(crate) fn at_start() -> i32 {
    static AT_START: OnceLock<i32> = OnceLock::new();
    *AT_START.get_or_init(|| getpriority_process(Some(gettid())).unwrap_or(0))
}

/// The niceness this many steps above the initial one, at most [`NICEST`].
pub(crate) fn above_start(steps: i32) -> i32 {
    at_start().saturating_add(steps).min(NICEST)
}

/// Sets the niceness of the calling thread, this many steps from the initial one.
///
/// # Errors
/// The system does not allow it.
pub(crate) fn set_for_thread(steps: i32) -> io::Result<()> {
    Ok(setpriority_process(Some(gettid()), above_start(steps))?)
}
