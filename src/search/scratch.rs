//! The memory a search works in. It is big enough to be worth keeping for the next search.

use super::correction::Corrections;
use super::history::Histories;
use super::score::MAX_PLY;
use crate::chess::Move;
use std::sync::{Mutex, PoisonError};

/// Contexts that are kept while no search uses them; more are needed only in bursts, and each takes nearly half a MiB, which a
/// server at rest has to give back.
const MAX_FREE: usize = 8;

/// The best line found from each ply on.
pub type Lines = Box<[[Option<Move>; MAX_PLY + 1]]>;

/// What a search has learnt, and its lines.
pub struct Scratch {
    pub histories: Histories,
    pub corrections: Corrections,
    pub lines: Lines,
}

impl Scratch {
    fn new() -> Scratch {
        let lines = vec![[None; MAX_PLY + 1]; MAX_PLY + 1].into_boxed_slice();
        let mut histories = Histories::new();
        // Memory fresh from the system is worth writing to: pages that are first read must be fetched a second time when they
        // are written, and all processors told. Most lines are never reached.
        histories.clear();
        let mut corrections = Corrections::new();
        corrections.clear();
        Scratch { histories, corrections, lines }
    }

    /// Forgets everything, so that a search does not depend on those before it.
    fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
        self.lines.fill([None; MAX_PLY + 1]);
    }
}

/// Memory of searches that have ended, for those that begin.
#[derive(Default)]
pub struct Contexts {
    free: Mutex<Vec<Scratch>>,
}

impl Contexts {
    /// Memory as good as new.
    pub(super) fn take(&self) -> Scratch {
        let used = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        used.map_or_else(Scratch::new, |mut scratch| {
            scratch.clear();
            scratch
        })
    }

    /// Nobody needs it any more.
    pub(super) fn give_back(&self, scratch: Scratch) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        if free.len() < MAX_FREE {
            free.push(scratch);
        }
    }
}
