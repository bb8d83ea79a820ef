//! What the client has set, as lines in an order in which another server can be told.

use std::collections::{HashSet, VecDeque};

/// Memory of an entry besides its bytes, approximately.
const ENTRY_COST: usize = 64;

/// A line of the client, without its ending.
#[derive(Clone, Debug)]
enum Entry {
    /// Of several with one key the last counts that servers take. `number`: of all lines; `is_sure`: the server has taken it.
    Setting { key: String, line: Vec<u8>, number: u64, is_sure: bool },
    /// A `position`.
    Position(Vec<u8>),
    /// It changes nothing, and was not told to any server yet.
    Remark(Vec<u8>),
}

impl Entry {
    fn line(&self) -> &[u8] {
        match self {
            Entry::Setting { line, .. } | Entry::Position(line) | Entry::Remark(line) => line,
        }
    }

    fn weight(&self) -> usize {
        let key = if let Entry::Setting { key, .. } = self { key.len() } else { 0 };
        self.line().len() + key + ENTRY_COST
    }
}

/// Settings, the last position, and settings that came after it: what a variant or castling means for a position
/// depends on the options set before it.
#[derive(Clone, Default, Debug)]
pub(super) struct Changes {
    entries: Vec<Entry>,
    weight: usize,
}

impl Changes {
    /// A line that takes the place of an earlier one with this key, unless servers refuse it.
    pub(super) fn set(&mut self, key: String, line: Vec<u8>, number: u64) {
        self.push(Entry::Setting { key, line, number, is_sure: false });
    }

    /// A line that takes the place of an earlier one with this key, and that no server refuses.
    pub(super) fn set_surely(&mut self, key: String, line: Vec<u8>) {
        self.push(Entry::Setting { key, line, number: 0, is_sure: true });
        self.compact();
    }

    /// The server has obeyed the lines before this number: it has refused those of which it has said so, and no others.
    pub(super) fn confirm(&mut self, before: u64) {
        let mut is_news = false;
        for entry in &mut self.entries {
            if let Entry::Setting { number, is_sure, .. } = entry {
                is_news |= !*is_sure && *number < before;
                *is_sure |= *number < before;
            }
        }
        if is_news {
            self.compact();
        }
    }

    /// The server has refused a setting with this key: the first that it has not taken. False if there is none.
    pub(super) fn refuse(&mut self, refused: &str) -> bool {
        let is_it =
            |entry: &Entry| matches!(entry, Entry::Setting { key, is_sure: false, .. } if key == refused);
        let place = self.entries.iter().position(is_it);
        if let Some(place) = place {
            self.weight -= self.entries.remove(place).weight();
        }
        place.is_some()
    }

    /// A position, which takes the place of the one before.
    pub(super) fn place(&mut self, line: Vec<u8>) {
        self.push(Entry::Position(line));
        self.compact();
    }

    /// A line that changes nothing.
    pub(super) fn remark(&mut self, line: Vec<u8>) {
        self.push(Entry::Remark(line));
    }

    /// Others that came later.
    pub(super) fn append(&mut self, later: Changes) {
        later.entries.into_iter().for_each(|entry| self.push(entry));
        self.compact();
    }

    fn push(&mut self, entry: Entry) {
        self.weight += entry.weight();
        self.entries.push(entry);
    }

    /// Removes what has no effect because of a later line.
    fn compact(&mut self) {
        let mut seen = HashSet::new();
        let mut is_placed = false;
        let mut kept: Vec<Entry> = Vec::with_capacity(self.entries.len());
        for entry in self.entries.drain(..).rev() {
            let has_effect = match &entry {
                Entry::Setting { key, .. } if seen.contains(key) => false,
                Entry::Setting { key, is_sure, .. } => {
                    if *is_sure {
                        seen.insert(key.clone());
                    }
                    true
                }
                Entry::Position(_) if is_placed => false,
                Entry::Position(_) => {
                    seen.clear();
                    is_placed = true;
                    true
                }
                Entry::Remark(_) => {
                    // What it is answered depends on the position before it.
                    is_placed = false;
                    true
                }
            };
            if has_effect {
                kept.push(entry);
            }
        }
        kept.reverse();
        self.weight = kept.iter().map(Entry::weight).sum();
        self.entries = kept;
    }

    /// A server has been told everything: nothing that changes nothing is told again.
    pub(super) fn forget_remarks(&mut self) {
        if self.entries.iter().any(|entry| matches!(entry, Entry::Remark(_))) {
            self.entries.retain(|entry| !matches!(entry, Entry::Remark(_)));
            self.compact();
        }
    }

    /// Forgets the position. Returns whether there was one.
    pub(super) fn forget_position(&mut self) -> bool {
        let before = self.entries.len();
        self.entries.retain(|entry| !matches!(entry, Entry::Position(_)));
        self.compact();
        self.entries.len() < before
    }

    /// The last position.
    pub(super) fn position(&self) -> Option<&[u8]> {
        let positions = self.entries.iter().rev().filter(|entry| matches!(entry, Entry::Position(_)));
        positions.map(Entry::line).next()
    }

    /// Appends all lines.
    ///
    /// After a setting that the server may refuse comes a question, so that a remark shows which it was: the answer
    /// confirms the lines before the number that is appended to `asked`.
    pub(super) fn tell(&self, bytes: &mut Vec<u8>, asked: &mut VecDeque<u64>) {
        for entry in &self.entries {
            bytes.extend_from_slice(entry.line());
            bytes.push(b'\n');
            if let Entry::Setting { number, is_sure: false, .. } = entry {
                bytes.extend_from_slice(b"isready\n");
                asked.push_back(number + 1);
            }
        }
    }

    /// Whether there is nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of lines.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Memory in bytes, approximately.
    pub(super) fn weight(&self) -> usize {
        self.weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(changes: &Changes) -> String {
        let mut bytes = Vec::new();
        changes.tell(&mut bytes, &mut VecDeque::new());
        assert_eq!(changes.weight, changes.entries.iter().map(Entry::weight).sum::<usize>());
        String::from_utf8(bytes).expect("ASCII").replace("isready\n", "").replace('\n', " ")
    }

    fn of(lines: &[&str]) -> Changes {
        let mut changes = Changes::default();
        for line in lines {
            match line.split_once('=') {
                Some((key, _)) => changes.set_surely(key.to_owned(), line.as_bytes().to_vec()),
                None if line.starts_with('?') => changes.remark(line.as_bytes().to_vec()),
                None => changes.place(line.as_bytes().to_vec()),
            }
        }
        changes
    }

    #[test]
    fn the_last_value_and_the_last_position_are_kept() {
        assert_eq!(told(&of(&["a=1", "b=1", "a=2"])), "b=1 a=2 ");
        assert_eq!(told(&of(&["P", "Q", "R"])), "R ");
        assert_eq!(told(&of(&["a=1", "P", "a=2"])), "a=1 P a=2 ", "what a position means depends on it");
        assert_eq!(told(&of(&["a=1", "P", "a=2", "b=1", "Q"])), "a=2 b=1 Q ");
        assert_eq!(of(&["a=1", "P", "b=2"]).position(), Some(&b"P"[..]));
    }

    #[test]
    fn a_value_counts_when_the_server_has_taken_it() {
        let mut changes = Changes::default();
        for (number, line) in [(1, "a=1"), (2, "a=x"), (3, "b=1"), (4, "a=2")] {
            changes.set(line[..1].to_owned(), line.as_bytes().to_vec(), number);
        }
        assert_eq!(told(&changes), "a=1 a=x b=1 a=2 ");
        changes.confirm(2);
        assert!(changes.refuse("a") && !changes.refuse("c"));
        assert_eq!(told(&changes), "a=1 b=1 a=2 ", "the first of them is known to be taken");
        changes.confirm(4);
        assert_eq!(told(&changes), "a=1 b=1 a=2 ");
        changes.confirm(5);
        assert_eq!(told(&changes), "b=1 a=2 ");
        assert!(!changes.refuse("a"));
    }

    #[test]
    fn what_changes_nothing_keeps_its_place_until_it_was_told() {
        let mut changes = of(&["P", "?1", "Q", "?2"]);
        assert_eq!(told(&changes), "P ?1 Q ?2 ");
        changes.forget_remarks();
        assert_eq!(told(&changes), "Q ");
    }

    #[test]
    fn later_changes_are_folded_in() {
        let mut changes = of(&["a=1", "b=1", "P", "c=1"]);
        changes.append(of(&["a=2", "Q", "b=2"]));
        assert_eq!(told(&changes), "b=1 c=1 a=2 Q b=2 ");
        assert!(changes.forget_position() && !changes.forget_position());
        assert_eq!(told(&changes), "c=1 a=2 b=2 ");
    }
}
