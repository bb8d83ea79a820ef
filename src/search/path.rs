//! The line from the game's start to the current node.

use super::history::{MovesBefore, PieceTo};
use super::score::MAX_PLY;
use super::searchable::Searchable;
use crate::chess::Move;
use std::ops::{Index, IndexMut};

/// A node's data needed by its descendants.
#[derive(Clone, Copy, Default)]
pub(super) struct StackEntry {
    /// The move played from here; `None` for a null move.
    pub piece_to: Option<PieceTo>,
    /// Static evaluation; `None` in check.
    pub evaluation: Option<i32>,
    /// The move excluded to test whether it is singular.
    pub excluded: Option<Move>,
    /// Number of double extensions on the way here.
    pub doubles: u8,
    /// Number of cutoffs at this ply since the node two plies above began.
    pub cutoffs: u8,
}

/// The line from the game's start to the current node; indexed by ply.
pub(super) struct Path {
    stack: [StackEntry; MAX_PLY + 3],
    /// Keys of the game before the root, then of the line.
    keys: Vec<u64>,
    /// Index of the first key that can be repeated: the one after the last null move.
    repeatable: usize,
}

impl Path {
    /// The path to the root after positions with these keys.
    pub(super) fn new(history: &[u64]) -> Path {
        let mut keys = Vec::with_capacity(history.len() + MAX_PLY);
        keys.extend_from_slice(history);
        Path { stack: [StackEntry::default(); MAX_PLY + 3], keys, repeatable: 0 }
    }

    /// Plays a move, until [`Path::take_back`]. Returns the position after it.
    #[inline(always)]
    pub(super) fn play<P: Searchable>(&mut self, position: &P, ply: usize, mv: Move) -> P {
        self.stack[ply].piece_to = Some(PieceTo::of(position, mv));
        self.keys.push(position.key());
        position.after(mv)
    }

    /// Takes a move back.
    #[inline]
    pub(super) fn take_back(&mut self) {
        self.keys.pop();
    }

    /// Returns the position after a null move, and a number for [`Path::take_back_pass`]. Until
    /// then no position before the null move can be repeated.
    pub(super) fn pass<P: Searchable>(&mut self, position: &P, ply: usize) -> (P, usize) {
        let mut child = *position;
        child.pass();
        self.stack[ply].piece_to = None;
        self.stack[ply + 1].doubles = self.stack[ply].doubles;
        self.keys.push(position.key());
        let before = std::mem::replace(&mut self.repeatable, self.keys.len());
        (child, before)
    }

    /// Takes a null move back.
    pub(super) fn take_back_pass(&mut self, before: usize) {
        self.keys.pop();
        self.repeatable = before;
    }

    /// Returns the moves of the line one, two and four plies before this one.
    #[inline]
    pub(super) fn moves_before(&self, ply: usize) -> MovesBefore {
        let piece_to = |back: usize| ply.checked_sub(back).and_then(|earlier| self.stack[earlier].piece_to);
        [piece_to(1), piece_to(2), piece_to(4)]
    }

    /// Returns true if the position is drawn by repetition (of a position of this line, or for the
    /// third time in the game) or by the fifty-move rule.
    pub(super) fn is_draw<P: Searchable>(&self, position: &P, ply: usize) -> bool {
        if !position.may_be_drawn() {
            return false;
        }
        let reversible = position.reversible_plies();
        if reversible >= P::DRAWN_PLIES && position.survives_the_count() {
            return true;
        }
        let len = self.keys.len();
        let mut seen = 0;
        for back in (4..=(reversible as usize).min(len - self.repeatable)).step_by(2) {
            if self.keys[len - back] == position.key() {
                seen += 1;
                if back <= ply || seen == 2 {
                    return true;
                }
            }
        }
        false
    }
}

impl Index<usize> for Path {
    type Output = StackEntry;

    #[inline]
    fn index(&self, ply: usize) -> &StackEntry {
        &self.stack[ply]
    }
}

impl IndexMut<usize> for Path {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.stack[ply]
    }
}
