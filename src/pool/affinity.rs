//! Core affinity of a thread that is woken to search: it wakes on the core of the thread that has
//! yielded its token and is about to sleep.
//!
//! Left alone, Linux would often wake it on a core where another thread searches, and move one of
//! the two milliseconds later: with 1,000 analyses on two cores, in slices of 20 ms, a core was
//! idle for 3 to 5 % of the time, and with 200 games in shorter slices for 14 %.

#[cfg(target_os = "linux")]
pub(super) use linux::CoreAffinity;
#[cfg(not(target_os = "linux"))]
pub(super) use no_affinity::CoreAffinity;

#[cfg(target_os = "linux")]
mod linux {
    use rustix::process::Pid;
    use rustix::thread::{CpuSet, gettid, sched_getaffinity, sched_getcpu, sched_setaffinity};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    /// Affinity of one thread.
    pub(in crate::pool) struct CoreAffinity {
        thread: Pid,
        /// The cores that the thread may otherwise use, while it is pinned to one.
        allowed: Mutex<Option<CpuSet>>,
    }

    impl CoreAffinity {
        /// The affinity of the calling thread.
        pub(in crate::pool) fn of_this_thread() -> CoreAffinity {
            CoreAffinity { thread: gettid(), allowed: Mutex::default() }
        }

        fn allowed(&self) -> MutexGuard<'_, Option<CpuSet>> {
            self.allowed.lock().unwrap_or_else(PoisonError::into_inner)
        }

        /// Pins the thread to the core of the calling thread, which is about to wake it and to
        /// sleep. It stays pinned until [`unpin`](CoreAffinity::unpin).
        pub(in crate::pool) fn pin_to_this_core(&self) {
            let mut known = self.allowed();
            let Some(allowed) = known.or_else(|| sched_getaffinity(Some(self.thread)).ok()) else { return };
            let core = sched_getcpu();
            if !allowed.is_set(core) {
                return;
            }
            let mut here = CpuSet::new();
            here.set(core);
            if sched_setaffinity(Some(self.thread), &here).is_ok() {
                *known = Some(allowed);
            }
        }

        /// Lets the calling thread, which must be the one of this affinity, use all its cores
        /// again.
        pub(in crate::pool) fn unpin(&self) {
            if let Some(allowed) = self.allowed().take() {
                let _ = sched_setaffinity(None, &allowed);
            }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use std::sync::mpsc::channel;
        use std::time::Duration;

        #[test]
        fn a_thread_is_bound_until_it_leaves() {
            let timeout = Duration::from_secs(20);
            let cores = || sched_getaffinity(None).expect("a set of cores").count();
            let (ready, is_ready) = channel();
            let (offered, is_offered) = channel();
            let thread = std::thread::spawn(move || {
                let before = cores();
                let affinity = std::sync::Arc::new(CoreAffinity::of_this_thread());
                ready.send(std::sync::Arc::clone(&affinity)).expect("the test listens");
                is_offered.recv_timeout(timeout).expect("offers");
                let bound = cores();
                affinity.unpin();
                (before, bound, cores())
            });
            let affinity = is_ready.recv_timeout(timeout).expect("the thread");
            // Twice: the thread may not have unpinned yet.
            affinity.pin_to_this_core();
            affinity.pin_to_this_core();
            offered.send(()).expect("the thread listens");
            let (before, bound, after) = thread.join().expect("no panic");
            assert_eq!((bound, after), (1, before));
        }
    }
}

#[cfg(any(test, not(target_os = "linux")))]
pub(super) mod no_affinity {
    /// Affinity where the system decides alone.
    pub(in crate::pool) struct CoreAffinity;

    impl CoreAffinity {
        pub(in crate::pool) fn of_this_thread() -> CoreAffinity {
            CoreAffinity
        }

        pub(in crate::pool) fn pin_to_this_core(&self) {}

        pub(in crate::pool) fn unpin(&self) {}
    }
}
