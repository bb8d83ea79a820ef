//! Books by name.

use super::{Book, BookError, own};
use std::path::Path;
use std::sync::Arc;

/// The name for no book.
pub(crate) const NO_BOOK: &str = "none";

/// Maximum length of a name. GUIs get all names in one word of limited length.
const LONGEST_NAME: usize = 32;

/// Books by name.
#[derive(Clone, Debug, Default)]
pub struct Books {
    books: Vec<(String, Arc<Book>)>,
}

impl Books {
    /// Only the built-in book, named `own`.
    pub fn own() -> Books {
        let mut books = Books::default();
        books.add_own();
        books
    }

    /// Adds the built-in book, named `own` if that name is free.
    pub fn add_own(&mut self) {
        self.add("own", own::book());
    }

    /// Reads a Polyglot book and adds it, named after the file without its extension.
    ///
    /// # Errors
    /// See [`BookError`].
    pub fn open(&mut self, path: &Path) -> Result<(), BookError> {
        let book = Book::open(path)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        self.add(&name, Arc::new(book));
        Ok(())
    }

    /// Adds a book after the others and returns its name: `name` as one short word of ASCII
    /// letters, digits and `_.-`, with a number appended if the name is taken or means no book.
    pub fn add(&mut self, name: &str, book: Arc<Book>) -> &str {
        let plain = |letter| if is_plain(letter) { letter } else { '_' };
        let word: String = name.chars().take(LONGEST_NAME).map(plain).collect();
        let word = if word.is_empty() { "book".to_owned() } else { word };
        let numbered = (2..).map(|number| format!("{word}-{number}"));
        let name = std::iter::once(word.clone())
            .chain(numbered)
            .find(|name| self.get(name).is_none() && !name.eq_ignore_ascii_case(NO_BOOK))
            .unwrap_or(word);
        self.books.push((name, book));
        self.books.last().map_or("", |(name, _)| name)
    }

    /// Returns the names, each a single word; the first is the default.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.books.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the book with this name, ignoring case.
    pub fn get(&self, name: &str) -> Option<&Arc<Book>> {
        self.books.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, book)| book)
    }
}

fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_and_differ_in_more_than_case() {
        let mut books = Books::own();
        for (name, expected) in [
            ("gm2001", "gm2001"),
            ("GM2001", "GM2001-2"),
            ("my best; book é", "my_best__book__"),
            ("Own", "Own-2"),
            ("own", "own-3"),
            ("none", "none-2"),
            ("", "book"),
            ("v1.2-a_b", "v1.2-a_b"),
        ] {
            assert_eq!(books.add(name, Arc::default()), expected);
        }
        assert_eq!(books.names().next(), Some("own"));
        assert_eq!(books.names().count(), 9);
    }

    #[test]
    fn books_are_found_ignoring_case() {
        let mut books = Books::default();
        assert!(books.get("own").is_none());
        let book = Arc::new(Book::default());
        books.add("Mine", Arc::clone(&book));
        assert!(books.get("mINE").is_some_and(|found| Arc::ptr_eq(found, &book)));
    }
}
