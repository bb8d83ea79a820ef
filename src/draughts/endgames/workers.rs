//! Work in chunks on several threads.

use super::BuildError;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Receives the numbers of positions done and in total, and may abort.
pub type Watch<'a> = &'a mut dyn FnMut(u64, u64) -> ControlFlow<()>;

/// Threads for one piece of work after another. The caller's thread is one of them and calls the
/// watch after each of its chunks.
pub(super) struct Workers<'a> {
    threads: usize,
    watch: Watch<'a>,
    done: u64,
    total: u64,
}

impl<'a> Workers<'a> {
    /// `threads` threads (at least one) for `total` positions.
    pub(super) fn new(threads: usize, total: u64, watch: Watch<'a>) -> Workers<'a> {
        Workers { threads: threads.max(1), watch, done: 0, total }
    }

    /// Counts positions as done.
    ///
    /// # Errors
    /// The watch has aborted the work.
    pub(super) fn advance(&mut self, positions: u64) -> Result<(), BuildError> {
        self.done += positions;
        match (self.watch)(self.done, self.total) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(BuildError::Aborted),
        }
    }

    /// Calls `work` with each number below `chunks`, in any order and on several threads, waits
    /// for all calls, then counts `positions` as done.
    ///
    /// # Errors
    /// The watch has aborted the work, or some of it has failed. Not all of it is done then.
    pub(super) fn run(
        &mut self,
        chunks: usize,
        positions: u64,
        work: impl Fn(usize) -> Result<(), BuildError> + Sync,
    ) -> Result<(), BuildError> {
        let (next, ended) = (AtomicUsize::new(0), AtomicBool::new(false));
        let take = || {
            let chunk = next.fetch_add(1, Relaxed);
            (chunk < chunks && !ended.load(Relaxed)).then_some(chunk)
        };
        let until_the_end = || {
            while let Some(chunk) = take() {
                work(chunk).inspect_err(|_| ended.store(true, Relaxed))?;
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..self.threads.min(chunks)).map(|_| scope.spawn(until_the_end)).collect();
            let before = self.done;
            let mut result = Ok(());
            while let Some(chunk) = take() {
                // Chunks are begun in order: nearly all before this one are done.
                self.done = before + positions * chunk as u64 / chunks as u64;
                result = work(chunk).and_then(|()| self.advance(0));
                if result.is_err() {
                    ended.store(true, Relaxed);
                    break;
                }
            }
            self.done = before + positions;
            for other in others {
                let found = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                result = result.and(found);
            }
            result
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn every_chunk_is_done_once() {
        for threads in [0, 1, 3] {
            let done = Mutex::new(Vec::new());
            let mut go_on = |_, _| ControlFlow::Continue(());
            let mut workers = Workers::new(threads, 0, &mut go_on);
            let note = |chunk| {
                done.lock().unwrap().push(chunk);
                Ok(())
            };
            workers.run(50, 7, note).unwrap();
            let mut done = done.into_inner().unwrap();
            done.sort_unstable();
            assert!(done.into_iter().eq(0..50));
            assert_eq!(workers.done, 7);
        }
    }

    #[test]
    fn the_watch_and_errors_end_the_work() {
        let mut calls = 0;
        let mut watch = |_, _| {
            calls += 1;
            if calls == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut workers = Workers::new(1, 0, &mut watch);
        let done = AtomicUsize::new(0);
        let outcome = workers.run(9, 0, |_| {
            done.fetch_add(1, Relaxed);
            Ok(())
        });
        assert!(matches!(outcome, Err(BuildError::Aborted)));
        assert_eq!(done.into_inner(), 3);

        let mut go_on = |_, _| ControlFlow::Continue(());
        let mut workers = Workers::new(2, 0, &mut go_on);
        let outcome = workers.run(9, 0, |chunk| if chunk == 5 { Err(BuildError::TooLong) } else { Ok(()) });
        assert!(matches!(outcome, Err(BuildError::TooLong)));
    }
}
