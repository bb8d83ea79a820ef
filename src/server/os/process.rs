//! The process: thread priorities, and its end with its parent.
//!
//! When cores are short, the loop must go before the searches. A busy loop no longer counts as
//! interactive: the scheduler would share a core between it and a search, for some milliseconds
//! each, and clients notice late `pong`s. So their niceness differs. Where the loop may raise its
//! priority, as root or with `RLIMIT_NICE`, searches stay near other programs; else they yield to
//! other programs, which weakens play on a busy machine. A program started with a niceness above 0
//! is to yield to others, so its loop is not raised.

use crate::niceness;
use std::io;

/// Steps by which the loop is raised, if permitted.
const LOOP_STEPS: i32 = -10;
/// Steps by which searches are lowered then: they yield to other programs in a tie.
const SEARCH_STEPS: i32 = 1;
/// Steps by which searches are lowered if the loop is not raised.
const FALLBACK_SEARCH_STEPS: i32 = 5;

/// Raises the priority of the calling thread, which is to run the loop, if permitted. Returns the
/// steps by which search threads are lowered. To be called before other threads exist.
pub fn raise_loop_priority() -> i32 {
    let niceness = niceness::at_start();
    if niceness > 0 {
        log::debug!("the loop keeps its niceness of {niceness}");
        return FALLBACK_SEARCH_STEPS;
    }
    match niceness::set_for_thread(LOOP_STEPS) {
        Ok(()) => SEARCH_STEPS,
        Err(error) => {
            log::debug!("the loop keeps its priority: {error}");
            FALLBACK_SEARCH_STEPS
        }
    }
}

/// Steps by which the server's helper threads are lowered.
const HELPER_STEPS: i32 = 5;

/// Lowers the priority of the calling thread, which has inherited the loop's.
pub(in crate::server) fn lower_thread_priority() {
    if let Err(error) = niceness::set_for_thread(HELPER_STEPS) {
        log::debug!("a thread keeps the priority of the loop: {error}");
    }
}

/// Has the system send SIGTERM to this process when its parent ends, however that happens.
///
/// # Errors
/// The system cannot do that: only Linux can.
#[cfg(target_os = "linux")]
pub fn end_with_parent() -> io::Result<()> {
    let parent = rustix::process::getppid();
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM))?;
    if rustix::process::getppid() != parent {
        return Err(io::Error::other("the parent process has already exited"));
    }
    Ok(())
}

/// Fails: only Linux can do that.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn end_with_parent() -> io::Result<()> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "this system does not report the exit of the parent process",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::getpriority_process;
    use rustix::thread::gettid;

    #[test]
    fn searches_yield_to_the_loop_whatever_the_system_permits() {
        let thread = std::thread::spawn(|| {
            let before = getpriority_process(Some(gettid())).expect("a priority");
            let steps = raise_loop_priority();
            (before, getpriority_process(Some(gettid())).expect("a priority"), niceness::above_start(steps))
        });
        let (before, after, searches) = thread.join().expect("no panic");
        assert!(after <= before);
        assert!(searches - after >= FALLBACK_SEARCH_STEPS || before > 0);
    }
}
