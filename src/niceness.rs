//! Thread priorities, relative to the niceness with which the program was started: `nice farboard`
//! keeps its distance from other programs.

use rustix::process::{getpriority_process, setpriority_process};
use rustix::thread::gettid;
use std::io;
use std::sync::OnceLock;

const NICEST: i32 = 19;

/// Returns the niceness of the process at the first call, which must come before any thread changes
/// its own.
pub(crate) fn at_start() -> i32 {
    static AT_START: OnceLock<i32> = OnceLock::new();
    *AT_START.get_or_init(|| getpriority_process(Some(gettid())).unwrap_or(0))
}

/// Returns the niceness `steps` above the initial one, at most [`NICEST`].
pub(crate) fn above_start(steps: i32) -> i32 {
    at_start().saturating_add(steps).min(NICEST)
}

/// Lowers the priority of the calling thread by `steps`, as far as the system permits.
pub(crate) fn lower_thread(steps: i32) {
    if steps > 0
        && let Err(error) = set_for_thread(steps)
    {
        let thread = std::thread::current();
        log::debug!("thread {} keeps its priority: {error}", thread.name().unwrap_or_default());
    }
}

/// Sets the niceness of the calling thread to `steps` from the initial one.
///
/// # Errors
/// The system does not permit it.
pub(crate) fn set_for_thread(steps: i32) -> io::Result<()> {
    Ok(setpriority_process(Some(gettid()), above_start(steps))?)
}
