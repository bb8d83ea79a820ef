//! On which core a thread wakes that is to search: that of the one which has given its token back, and is about to sleep.
//!
//! The system would often put it on a core where another one searches, see two there and none here, and move one over
//! milliseconds later: of 1,000 analyses on two cores, in slices of 20 ms, it left a core idle for 3 to 5 % of the time, and
//! of 200 games in shorter ones for 14 %.

#[cfg(target_os = "linux")]
pub(super) use linux::Seat;
#[cfg(not(target_os = "linux"))]
pub(super) use nowhere::Seat;

#[cfg(target_os = "linux")]
mod linux {
    use rustix::process::Pid;
    use rustix::thread::{CpuSet, gettid, sched_getaffinity, sched_getcpu, sched_setaffinity};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    /// Where a thread wakes.
    pub(in crate::pool) struct Seat {
        thread: Pid,
        /// While it is bound to one core: those that it may use otherwise.
        allowed: Mutex<Option<CpuSet>>,
    }

    impl Seat {
        /// That of the calling thread.
        pub(in crate::pool) fn here() -> Seat {
            Seat { thread: gettid(), allowed: Mutex::default() }
        }

        fn allowed(&self) -> MutexGuard<'_, Option<CpuSet>> {
            self.allowed.lock().unwrap_or_else(PoisonError::into_inner)
        }

        /// The thread is about to be woken by the calling one, which then sleeps: it wakes on the same core, and is bound
        /// to that until it [leaves](Seat::leave).
        pub(in crate::pool) fn offer_here(&self) {
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

        /// The calling thread, whose seat it is, has woken: from here it may go to any core again.
        pub(in crate::pool) fn leave(&self) {
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
            let patience = Duration::from_secs(20);
            let cores = || sched_getaffinity(None).expect("a set of cores").count();
            let (ready, is_ready) = channel();
            let (offered, is_offered) = channel();
            let thread = std::thread::spawn(move || {
                let before = cores();
                let seat = std::sync::Arc::new(Seat::here());
                ready.send(std::sync::Arc::clone(&seat)).expect("somebody listens");
                is_offered.recv_timeout(patience).expect("offers");
                let bound = cores();
                seat.leave();
                (before, bound, cores())
            });
            let seat = is_ready.recv_timeout(patience).expect("the thread");
            // Twice: it may not have left yet.
            seat.offer_here();
            seat.offer_here();
            offered.send(()).expect("the thread listens");
            let (before, bound, after) = thread.join().expect("no panic");
            assert_eq!((bound, after), (1, before));
        }
    }
}

#[cfg(any(test, not(target_os = "linux")))]
pub(super) mod nowhere {
    /// Threads wake wherever the system has them wake.
    pub(in crate::pool) struct Seat;

    impl Seat {
        pub(in crate::pool) fn here() -> Seat {
            Seat
        }

        pub(in crate::pool) fn offer_here(&self) {}

        pub(in crate::pool) fn leave(&self) {}
    }
}
