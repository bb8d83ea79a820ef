//! Reusable memory of searches.

use super::correction::Corrections;
use super::history::Histories;
use super::score::MAX_PLY;
use crate::chess::Move;
use std::sync::{Mutex, PoisonError};

/// Maximum number of unused contexts kept: more are needed only in bursts, and each takes nearly
/// half a MiB, which an idle server should release.
const MAX_FREE: usize = 8;

/// The best line from each ply on.
pub(super) type Lines = Box<[[Option<Move>; MAX_PLY + 1]]>;

/// Histories and lines of a search.
pub(super) struct Scratch {
    pub histories: Histories,
    pub corrections: Corrections,
    pub lines: Lines,
}

impl Scratch {
    fn new() -> Scratch {
        let lines = vec![[None; MAX_PLY + 1]; MAX_PLY + 1].into_boxed_slice();
        let mut histories = Histories::new();
        // Fresh memory is written at once: a page that is read first must be fetched a second time
        // when written, and all processors notified. Most lines are never reached.
        histories.clear();
        let mut corrections = Corrections::new();
        corrections.clear();
        Scratch { histories, corrections, lines }
    }

    /// Clears everything, so that a search does not depend on earlier ones.
    fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
        self.lines.fill([None; MAX_PLY + 1]);
    }
}

/// A pool of search memory.
#[derive(Default)]
pub struct Contexts {
    free: Mutex<Vec<Scratch>>,
}

impl Contexts {
    /// Takes cleared memory.
    pub(super) fn take(&self) -> Scratch {
        let used = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        used.map_or_else(Scratch::new, |mut scratch| {
            scratch.clear();
            scratch
        })
    }

    /// Returns memory that is no longer used.
    pub(super) fn give_back(&self, scratch: Scratch) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        if free.len() < MAX_FREE {
            free.push(scratch);
        }
    }
}
