//! Memory of a search that the next one reuses, cleared: histories, corrections, lines.

use super::correction::Corrections;
use super::history::Histories;
use super::picker::MoveStack;
use super::score::MAX_PLY;
use crate::chess::Move;
use std::sync::{Mutex, PoisonError};

/// Maximum number of unused memories kept: more are needed only in bursts, and each takes a fifth
/// of a MiB, which an idle server should release.
const MAX_FREE: usize = 8;

/// The best line from each ply on: a triangle, as a line is shorter the deeper it begins.
pub(super) struct Lines(Box<[Option<Move>]>);

/// Index of the line of a ply. It has room for `MAX_PLY - ply` moves and its end.
#[inline]
const fn line(ply: usize) -> usize {
    ply * (2 * MAX_PLY + 3 - ply) / 2
}

impl Lines {
    /// Empties the line of a ply.
    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        self.0[line(ply)] = None;
    }

    /// Replaces the line of a ply.
    pub(super) fn set(&mut self, ply: usize, moves: impl IntoIterator<Item = Move>) {
        let moves = moves.into_iter().map(Some).chain([None]);
        self.0[line(ply)..line(ply + 1)].iter_mut().zip(moves).for_each(|(place, mv)| *place = mv);
    }

    /// Replaces the line of a ply by a move and the line of the ply below.
    pub(super) fn extend(&mut self, ply: usize, mv: Move) {
        let below = line(ply + 1)..line(ply + 2);
        let at = line(ply);
        self.0[at] = Some(mv);
        self.0.copy_within(below, at + 1);
    }

    /// Returns the line of a ply.
    pub(super) fn of(&self, ply: usize) -> impl Iterator<Item = Move> {
        self.0[line(ply)..line(ply + 1)].iter().map_while(|mv| *mv)
    }
}

/// Histories and lines of a search.
pub(super) struct Scratch {
    pub moves: MoveStack,
    pub histories: Histories,
    pub corrections: Corrections,
    pub lines: Lines,
}

impl Scratch {
    fn new() -> Scratch {
        let mut scratch = Scratch {
            moves: MoveStack::default(),
            histories: Histories::new(),
            corrections: Corrections::new(),
            lines: Lines(vec![None; line(MAX_PLY + 1)].into_boxed_slice()),
        };
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
            scratch.lines.0.fill(None);
            scratch.moves.clear();
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
