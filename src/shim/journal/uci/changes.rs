//! What the client has set, as lines in an order in which another server can be told.

use std::collections::HashSet;

/// Memory of an entry besides its bytes, approximately.
const ENTRY_COST: usize = 64;

/// A line of the client, without its ending.
#[derive(Clone, Debug)]
enum Entry {
    /// Of several with one key the last counts.
    Setting { key: String, line: Vec<u8> },
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
    /// A line that takes the place of an earlier one with this key.
    pub(super) fn set(&mut self, key: String, line: Vec<u8>) {
        let before = |entry: &Entry| !matches!(entry, Entry::Position(_));
        let since = self.entries.iter().rev().take_while(|entry| before(entry)).count();
        let first = self.entries.len() - since;
        let same = |entry: &Entry| matches!(entry, Entry::Setting { key: other, .. } if *other == key);
        if let Some(place) = self.entries[first..].iter().position(same) {
            self.weight -= self.entries.remove(first + place).weight();
        }
        self.push(Entry::Setting { key, line });
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
        for entry in later.entries {
            match entry {
                Entry::Setting { key, line } => self.set(key, line),
                Entry::Position(line) => self.place(line),
                Entry::Remark(_) => self.push(entry),
            }
        }
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
                Entry::Setting { key, .. } => seen.insert(key.clone()),
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
    pub(super) fn tell(&self, bytes: &mut Vec<u8>) {
        for entry in &self.entries {
            bytes.extend_from_slice(entry.line());
            bytes.push(b'\n');
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
        changes.tell(&mut bytes);
        assert_eq!(changes.weight, changes.entries.iter().map(Entry::weight).sum::<usize>());
        String::from_utf8(bytes).expect("ASCII").replace('\n', " ")
    }

    fn of(lines: &[&str]) -> Changes {
        let mut changes = Changes::default();
        for line in lines {
            match line.split_once('=') {
                Some((key, _)) => changes.set(key.to_owned(), line.as_bytes().to_vec()),
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
