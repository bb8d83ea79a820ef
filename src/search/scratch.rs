//! Memory of a search that the next one reuses, cleared: histories, corrections, lines.

use super::correction::Corrections;
use super::history::Histories;
use super::score::MAX_PLY;
use crate::chess::Move;
use std::sync::{Mutex, PoisonError};

/// Maximum number of unused memories kept: more are needed only in bursts, and each takes nearly
/// half a MiB, which an idle server should release.
const MAX_FREE: usize = 8;

/// The best line from each ply on.
pub(super) struct Lines(Box<[[Option<Move>; MAX_PLY + 1]]>);

impl Lines {
    /// Empties the line of a ply.
    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply][0] = None;
    }

    /// Replaces the line of a ply.
    pub(super) fn set(&mut self, ply: usize, moves: impl IntoIterator<Item = Move>) {
        let moves = moves.into_iter().map(Some).chain([None]);
        self.0[ply].iter_mut().zip(moves).for_each(|(place, mv)| *place = mv);
    }

    /// Replaces the line of a ply by a move and the line of the ply below.
    pub(super) fn extend(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line[0] = Some(mv);
        let rest = lower.first().map_or(&[][..], |below| &below[..MAX_PLY]);
        line[1..=rest.len()].copy_from_slice(rest);
    }

    /// Returns the line of a ply.
    pub(super) fn of(&self, ply: usize) -> impl Iterator<Item = Move> {
        self.0[ply].iter().map_while(|mv| *mv)
    }
}

/// Histories and lines of a search.
pub(super) struct Scratch {
    pub histories: Histories,
    pub corrections: Corrections,
    pub lines: Lines,
}

impl Scratch {
    fn new() -> Scratch {
        let lines = Lines(vec![[None; MAX_PLY + 1]; MAX_PLY + 1].into_boxed_slice());
        let mut scratch = Scratch { histories: Histories::new(), corrections: Corrections::new(), lines };
        // Fresh memory is written at once: a page that is read first must be fetched a second time
        // when written, and all processors notified. Most lines are never reached.
        scratch.forget();
        scratch
    }

    fn forget(&mut self) {
        self.histories.clear();
        self.corrections.clear();
    }
}

/// Scratch memory that no search uses.
#[derive(Default)]
pub(super) struct ScratchPool {
    free: Mutex<Vec<Scratch>>,
}

impl ScratchPool {
    /// Takes cleared memory, so that a search does not depend on earlier ones.
    pub(super) fn take(&self) -> Scratch {
        let used = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        used.map_or_else(Scratch::new, |mut scratch| {
            scratch.forget();
            scratch.lines.0.fill([None; MAX_PLY + 1]);
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
