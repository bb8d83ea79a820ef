//! Runs a test for many seeds, several at a time, and reports which of them failed.
//!
//! `FARBOARD_SEED=N` runs one seed and prints its conversation; `FARBOARD_SEEDS=N` runs N seeds.

use crate::support::seeds::variable;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// One run of a test.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub seed: u64,
    /// Whether the conversation is printed.
    pub loud: bool,
}

/// Runs the test for `usual` seeds, `at_once` at a time, and returns the results.
pub fn run<T: Send>(usual: u64, at_once: usize, test: impl Fn(Run) -> T + Sync) -> Vec<T> {
    if let Some(seed) = variable("FARBOARD_SEED") {
        return vec![test(Run { seed, loud: true })];
    }
    let (next, last) = (AtomicU64::new(0), variable("FARBOARD_SEEDS").unwrap_or(usual));
    let outcomes = Mutex::new((Vec::new(), Vec::new()));
    thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= last {
                        return;
                    }
                    let outcome = catch_unwind(AssertUnwindSafe(|| test(Run { seed, loud: false })));
                    let mut outcomes = outcomes.lock().expect("not poisoned");
                    match outcome {
                        Ok(value) => outcomes.0.push(value),
                        Err(_) => {
                            eprintln!("failed with FARBOARD_SEED={seed}");
                            outcomes.1.push(seed);
                        }
                    }
                }
            });
        }
    });
    let (values, failed) = outcomes.into_inner().expect("not poisoned");
    assert!(failed.is_empty(), "failed with FARBOARD_SEED={failed:?}");
    values
}

/// Returns true if all seeds of a normal run are used, so that their joint coverage is meaningful.
pub fn all_are_run() -> bool {
    variable("FARBOARD_SEED").is_none() && variable("FARBOARD_SEEDS").is_none()
}
