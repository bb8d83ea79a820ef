//! The steps that led to the current position.
//!
//! The state is copied for each line, to see the effect of pending lines. So the steps are a persistent list:
//! copying, appending and counting take constant time.

use super::{GameStep, LINE_COST};
use std::sync::Arc;

/// The steps in order.
#[derive(Clone, Debug, Default)]
pub(in crate::shim::journal::xboard) struct Record {
    last: Option<Arc<RecordNode>>,
}

#[derive(Debug)]
struct RecordNode {
    entry: GameStep,
    before: Option<Arc<RecordNode>>,
    /// Counts of this step and all before.
    len: usize,
    plies: usize,
    undoable: usize,
    bytes: usize,
}

impl Record {
    pub(super) fn push(&mut self, entry: GameStep) {
        let undoable = match &entry {
            GameStep::Move(_) => self.undoable() + 1,
            GameStep::Undo => self.undoable().saturating_sub(1),
            GameStep::Setting(_) => self.undoable(),
            GameStep::Setboard(_) | GameStep::Edit(..) | GameStep::Turn(_) => 0,
        };
        let plies = self.plies() + usize::from(matches!(entry, GameStep::Move(_)));
        let bytes = self.bytes() + entry.bytes();
        self.last = Some(Arc::new(RecordNode {
            entry,
            len: self.len() + 1,
            before: self.last.take(),
            plies,
            undoable,
            bytes,
        }));
    }

    /// Removes the last step.
    pub(super) fn pop(&mut self) {
        self.last = self.last.take().and_then(|step| step.before.clone());
    }

    pub(super) fn clear(&mut self) {
        *self = Record::default();
    }

    pub(super) fn last(&self) -> Option<&GameStep> {
        self.last.as_deref().map(|step| &step.entry)
    }

    pub(in crate::shim::journal::xboard) fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// Replaces a step and returns it. Takes time for each step after it.
    pub(super) fn replace(&mut self, place: usize, entry: GameStep) -> Option<GameStep> {
        let mut behind = Vec::new();
        while self.len() > place + 1 {
            behind.extend(self.last().cloned());
            self.pop();
        }
        let replaced = self.last().cloned().filter(|_| self.len() == place + 1)?;
        self.pop();
        self.push(entry);
        behind.into_iter().rev().for_each(|entry| self.push(entry));
        Some(replaced)
    }

    /// The number of steps.
    pub(super) fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |step| step.len)
    }

    /// All steps. Takes time for each of them.
    pub(in crate::shim::journal::xboard) fn entries(&self) -> Vec<&GameStep> {
        let newest_first = std::iter::successors(self.last.as_deref(), |step| step.before.as_deref());
        let mut entries: Vec<&GameStep> = newest_first.map(|step| &step.entry).collect();
        entries.reverse();
        entries
    }

    /// Removes unwanted steps. Takes time for each step, if there is one.
    pub(super) fn retain(&mut self, wanted: impl Fn(&GameStep) -> bool) {
        let entries = self.entries();
        if entries.iter().all(|entry| wanted(entry)) {
            return;
        }
        let mut kept = Record::default();
        entries.into_iter().filter(|entry| wanted(entry)).for_each(|entry| kept.push(entry.clone()));
        *self = kept;
    }

    /// Recorded moves.
    pub(super) fn plies(&self) -> usize {
        self.last.as_ref().map_or(0, |step| step.plies)
    }

    /// Moves that can be taken back: those since the board was set up or turned.
    pub(super) fn undoable(&self) -> usize {
        self.last.as_ref().map_or(0, |step| step.undoable)
    }

    /// Approximate memory of the steps in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.last.as_ref().map_or(0, |step| step.bytes)
    }
}

impl Drop for Record {
    /// One step after another: the default would drop the list recursively, as deep as it is long.
    fn drop(&mut self) {
        let mut last = self.last.take();
        while let Some(mut step) = last.and_then(Arc::into_inner) {
            last = step.before.take();
        }
    }
}

impl GameStep {
    fn bytes(&self) -> usize {
        match self {
            GameStep::Setboard(line) | GameStep::Move(line) | GameStep::Setting(line) => {
                line.len() + LINE_COST
            }
            GameStep::Edit(_, lines) => lines.iter().map(|line| line.len() + LINE_COST).sum(),
            GameStep::Turn(_) | GameStep::Undo => LINE_COST,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Color;

    fn a_move(text: &str) -> GameStep {
        GameStep::Move(text.as_bytes().into())
    }

    #[test]
    fn copies_are_independent_and_counted() {
        let mut record = Record::default();
        record.push(GameStep::Turn(Color::Black));
        record.push(a_move("e7e5"));
        let mut copy = record.clone();
        copy.push(a_move("e2e4"));
        copy.push(GameStep::Undo);
        assert_eq!((copy.plies(), copy.undoable()), (2, 1));
        assert_eq!((record.plies(), record.undoable()), (1, 1));
        assert_eq!(record.entries(), [&GameStep::Turn(Color::Black), &a_move("e7e5")]);
        copy.retain(|entry| *entry != GameStep::Undo);
        assert_eq!((copy.plies(), copy.undoable(), copy.entries().len()), (2, 2, 3));
        assert_eq!(copy.replace(3, a_move("d2d4")), None);
        assert_eq!(copy.replace(1, a_move("c7c5")), Some(a_move("e7e5")));
        assert_eq!(copy.entries(), [&GameStep::Turn(Color::Black), &a_move("c7c5"), &a_move("e2e4")]);
        copy.replace(1, a_move("e7e5"));
        copy.pop();
        assert_eq!(copy.entries(), record.entries());
        copy.clear();
        assert!(copy.is_empty() && copy.bytes() == 0 && !record.is_empty());
    }

    #[test]
    fn list_of_any_length_is_dropped() {
        let mut record = Record::default();
        (0..1_000_000).for_each(|_| record.push(GameStep::Undo));
        let copy = record.clone();
        drop(record);
        assert_eq!(copy.bytes(), 1_000_000 * LINE_COST);
    }
}
