//! Lists of moves, as a GUI writes them.

use std::fmt;

/// Moves as words with one blank between. Kept as text: GUIs send whole games again and again, and
/// comparing bytes finds the known part.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MoveWords(String);

impl MoveWords {
    /// Reads the words of a text, separated by any white space.
    pub fn read(text: &str) -> MoveWords {
        let mut moves = MoveWords(String::with_capacity(text.len()));
        text.split_ascii_whitespace().for_each(|word| moves.push(word));
        moves.0.shrink_to_fit();
        moves
    }

    /// The words, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split_ascii_whitespace()
    }

    /// Returns true if there are no words.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The whole text: words with one blank between.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Bytes of memory besides the value itself.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.0.capacity()
    }

    /// Appends a word; a text with blanks counts as several words.
    pub fn push(&mut self, word: &str) {
        for word in word.split_ascii_whitespace() {
            if !self.0.is_empty() {
                self.0.push(' ');
            }
            self.0.push_str(word);
        }
    }
}

impl<'a> FromIterator<&'a str> for MoveWords {
    fn from_iter<I: IntoIterator<Item = &'a str>>(words: I) -> MoveWords {
        let mut moves = MoveWords::default();
        words.into_iter().for_each(|word| moves.push(word));
        moves
    }
}

impl fmt::Display for MoveWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
