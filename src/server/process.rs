//! The loop goes before the searches when cores are short.
//!
//! A loop that has much to do is no light sleeper any more: the system shares a core between it and a search, for some
//! milliseconds each, and whoever waits for a `pong` feels that. So there is a distance between them. Where the loop may
//! raise itself, as root or with a limit (`RLIMIT_NICE`), the searches stay where other programs are; else they step back
//! somewhat, which weakens the play beside programs that want the cores, too.

use rustix::process::setpriority_process;
use rustix::thread::gettid;
use std::io;

/// Where the loop goes if it may.
const LOOP_NICENESS: i32 = -10;
/// Where the searches go then: behind other programs only if all else is equal.
const SEARCH_NICENESS: i32 = 1;
/// Where the searches go if the loop must stay where it is.
const FALLBACK_SEARCH_NICENESS: i32 = 5;

/// Puts the calling thread, which is to run the loop, before others if the system lets it. Returns the niceness for the
/// searching threads.
pub fn raise_loop_priority() -> i32 {
    match setpriority_process(Some(gettid()), LOOP_NICENESS) {
        Ok(()) => SEARCH_NICENESS,
        Err(error) => {
            log::debug!("the loop keeps its priority: {error}");
            FALLBACK_SEARCH_NICENESS
        }
    }
}

/// How far threads of the server's own go after the loop.
const HELPER_NICENESS: i32 = 5;

/// Puts the calling thread behind the loop, whose niceness it has inherited.
pub(super) fn lower_thread_priority() {
    if let Err(error) = setpriority_process(Some(gettid()), HELPER_NICENESS) {
        log::debug!("a thread keeps the priority of the loop: {error}");
    }
}

/// From now on this process is asked to end, as by SIGTERM, when the one that has started it ends, however that happens.
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

    #[test]
    fn there_is_a_distance_whatever_the_system_allows() {
        let thread = std::thread::spawn(|| {
            let before = getpriority_process(Some(gettid())).expect("a priority");
            let searches = raise_loop_priority();
            (before, getpriority_process(Some(gettid())).expect("a priority"), searches)
        });
        let (before, after, searches) = thread.join().expect("no panic");
        assert!(after <= before);
        assert!(
            searches - after >= FALLBACK_SEARCH_NICENESS.min(SEARCH_NICENESS - LOOP_NICENESS) || before > 0
        );
    }
}
