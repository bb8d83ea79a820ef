//! The built-in book: a repertoire of the main lines of opening theory.

use super::Book;
use std::sync::{Arc, LazyLock};

const TEXT: &str = include_str!("openings.txt");

static BOOK: LazyLock<Arc<Book>> =
    LazyLock::new(|| Arc::new(Book::parse_lines(TEXT).expect("a test plays through every line")));

/// Returns the book, built at the first call.
pub(super) fn book() -> Arc<Book> {
    Arc::clone(&BOOK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{AnyPosition, Variant};
    use crate::random::mix;
    use std::collections::{HashMap, HashSet};

    /// Returns the moves and the name of each line.
    fn lines() -> impl Iterator<Item = (Vec<&'static str>, &'static str)> {
        TEXT.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
            let (moves, name) = line.split_once(" # ").unwrap_or_else(|| panic!("no name: {line}"));
            (moves.split(' ').skip(1).collect(), name)
        })
    }

    #[test]
    fn every_line_is_legal_and_in_standard_notation() {
        assert!(!book().entries.is_empty());
        for (moves, name) in lines() {
            let mut position = AnyPosition::start(Variant::NORMAL);
            for word in moves {
                let mv = position.parse_move(word).unwrap();
                assert_eq!(word.trim_end_matches(['?', '!']), position.san(mv), "{name}");
                position.play(mv);
            }
        }
    }

    /// Contained lines, even by transposition, would hide changes of the other line.
    #[test]
    fn no_line_is_contained_in_another() {
        let (mut names, mut passed) = (HashSet::new(), HashMap::<u64, &str>::new());
        let mut ends = Vec::new();
        for (moves, name) in lines() {
            assert!(names.insert(name), "duplicate: {name}");
            let mut position = AnyPosition::start(Variant::NORMAL);
            for word in &moves {
                position.play(position.parse_move(word).unwrap());
                passed.entry(position.key()).and_modify(|by| *by = "").or_insert(name);
            }
            ends.push((position.key(), name));
        }
        for (key, name) in ends {
            assert_eq!(passed[&key], name, "{name} is contained in another line");
        }
    }

    #[test]
    fn games_stay_in_the_book_for_some_moves() {
        let book = book();
        for seed in 0..200 {
            let mut position = AnyPosition::start(Variant::NORMAL);
            let mut plies = 0;
            while let Some(mv) = book.choose(&position, mix(seed * 64 + plies)) {
                position.play(mv);
                plies += 1;
            }
            assert!((8..=40).contains(&plies), "{plies} plies from seed {seed}");
        }
    }
}
