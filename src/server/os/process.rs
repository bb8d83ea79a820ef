//! The process: the priority of its threads, and its end with its parent.
//!
//! When cores are short the loop must go before the searches. A busy loop no longer counts as interactive:
//! the scheduler shares a core between it and a search, for some milliseconds each, and clients notice late
//! `pong`s. So there is a distance in niceness. Where the loop may raise its priority, as root or with
//! `RLIMIT_NICE`, the searches stay near other programs; else they yield to them somewhat, which weakens the
//! play beside programs that use the cores. A program that was started with a niceness above 0 is to yield to others, so
//! its loop is not raised.

use crate::niceness;
use std::io;

/// Steps by which the loop is raised, if it may be.
const LOOP_STEPS: i32 = -10;
/// Steps by which the searches are lowered then: they yield to other programs only if all else is equal.
const SEARCH_STEPS: i32 = 1;
/// Steps by which the searches are lowered if the loop is not raised.
const FALLBACK_SEARCH_STEPS: i32 = 5;

/// Raises the priority of the calling thread, which is to run the loop, if the system allows it. Returns the steps by
/// which the search threads are lowered. Call before other threads exist.
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

/// Has the system end this process, as by SIGTERM, when its parent ends, however that happens.
///
/// # Errors
/// The system cannot do that: only Linux can.
#[cfg(target_os = "linux")]
pub fn end_with_parent() -> io::Result<()> {
    let parent = rustix::process::getppid();
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM))?;
    if rustix::process::getppid() != parent {
        return Err(io::Error::other("the process that has started the server has ended already"));
    }
    Ok(())
}

/// Fails: only Linux can do that.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn end_with_parent() -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system cannot tell when the parent process ends"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::getpriority_process;
    use rustix::thread::gettid;

    #[test]
    fn there_is_a_distance_whatever_the_system_allows() {
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
