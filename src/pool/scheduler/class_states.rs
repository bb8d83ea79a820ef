//! Counts of searches by class and state, for metrics.

use super::{Class, Scheduler};

/// Counts of a class by state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassStates {
    /// They hold a token.
    pub running: usize,
    /// They wait for one.
    pub waiting: usize,
    /// Their session holds them, and they have given their token back.
    pub held: usize,
}

impl Scheduler {
    /// Counts of all classes.
    pub fn states(&self) -> [(Class, ClassStates); Class::ALL.len()] {
        Class::ALL.map(|class| {
            let of = |counts: &[usize; Class::ALL.len()]| counts[class as usize];
            let (running, waiting) = (of(&self.running_by_class), of(&self.waiting_by_class));
            (class, ClassStates { running, waiting, held: of(&self.counts) - running - waiting })
        })
    }
}
