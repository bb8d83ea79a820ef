//! Opening books.
//!
//! A [`Book`] is a sorted list in memory, shared by all its readers. It comes from a Polyglot file
//! or from lines of play; one book is built in ([`Books::own`]). Books are only for orthodox chess.

mod books;
mod lines;
mod own;
mod polyglot;

pub use books::Books;
pub(crate) use books::NO_BOOK;
pub use lines::{LineError, LineMistake};
pub use polyglot::BookError;

use crate::chess::{AnyPosition, Move, Variant};
use std::cmp::Reverse;

/// A book: moves by position.
#[derive(Debug, Default)]
pub struct Book {
    /// Sorted by key.
    entries: Vec<BookEntry>,
}

/// A move for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BookEntry {
    /// Polyglot key of the position.
    key: u64,
    /// The move in Polyglot's format. May be illegal, since a file may contain anything.
    bits: u16,
    /// At least 1.
    weight: u32,
}

/// A book move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// A legal move.
    pub mv: Move,
    /// Frequency of the move relative to the others of the position. At least 1.
    pub weight: u32,
}

impl Book {
    /// Returns the moves for a position, most frequent first.
    pub fn moves(&self, position: &AnyPosition) -> Vec<BookMove> {
        let AnyPosition::Standard(position) = position else { return Vec::new() };
        if position.variant() != Variant::NORMAL {
            return Vec::new();
        }
        let legal = position.legal_moves();
        let mut moves: Vec<BookMove> = Vec::new();
        for entry in polyglot::keys(position).into_iter().flat_map(|key| self.entries_of(key)) {
            let Some(mv) = polyglot::decode(entry.bits, &legal) else { continue };
            match moves.iter_mut().find(|known| known.mv == mv) {
                Some(known) => known.weight = known.weight.saturating_add(entry.weight),
                None => moves.push(BookMove { mv, weight: entry.weight }),
            }
        }
        moves.sort_by_key(|known| Reverse(known.weight));
        moves
    }

    /// Returns the moves for a position with their frequencies in percent, most frequent first.
    pub fn frequencies(&self, position: &AnyPosition) -> Vec<(Move, u8)> {
        let moves = self.moves(position);
        let total = moves.iter().map(|each| u64::from(each.weight)).sum::<u64>().max(1);
        let percent = |each: &BookMove| ((u64::from(each.weight) * 200 + total) / (2 * total)) as u8;
        moves.iter().map(|each| (each.mv, percent(each))).collect()
    }

    /// Chooses a move for a position with a probability proportional to its weight, for a uniformly
    /// distributed `random`; equal numbers choose the same move. `None` if the book has no move.
    pub fn choose(&self, position: &AnyPosition, random: u64) -> Option<Move> {
        let moves = self.moves(position);
        let total: u128 = moves.iter().map(|known| u128::from(known.weight)).sum();
        let mut left = (u128::from(random) * total) >> 64;
        for BookMove { mv, weight } in moves {
            match left.checked_sub(weight.into()) {
                None => return Some(mv),
                Some(rest) => left = rest,
            }
        }
        None
    }

    fn entries_of(&self, key: u64) -> &[BookEntry] {
        let from = self.entries.partition_point(|entry| entry.key < key);
        let count = self.entries[from..].partition_point(|entry| entry.key == key);
        &self.entries[from..from + count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::mix;

    fn book() -> Book {
        Book::parse_lines("6 e4 e5\n3 d4 d5\n1 c4").unwrap()
    }

    #[test]
    fn the_most_frequent_move_comes_first() {
        let start = AnyPosition::start(Variant::NORMAL);
        let moves: Vec<_> =
            book().moves(&start).iter().map(|known| (start.san(known.mv), known.weight)).collect();
        assert_eq!(moves, [("e4".to_owned(), 6), ("d4".to_owned(), 3), ("c4".to_owned(), 1)]);
    }

    #[test]
    fn moves_are_chosen_in_proportion_to_their_weights() {
        let (book, start) = (book(), AnyPosition::start(Variant::NORMAL));
        let mut counts = [0; 3];
        for seed in 0..10_000 {
            let mv = book.choose(&start, mix(seed)).unwrap();
            counts[["e4", "d4", "c4"].iter().position(|&san| san == start.san(mv)).unwrap()] += 1;
        }
        for (count, expected) in counts.into_iter().zip([6000i32, 3000, 1000]) {
            assert!((count - expected).abs() < 200, "{counts:?}");
        }
        assert_eq!(start.san(book.choose(&start, 0).unwrap()), "e4");
        assert_eq!(start.san(book.choose(&start, u64::MAX).unwrap()), "c4");
    }

    #[test]
    fn unknown_positions_and_other_variants_have_no_moves() {
        let book = book();
        assert!(book.moves(&AnyPosition::start(Variant::FISCHERANDOM)).is_empty());
        let mut position = AnyPosition::start(Variant::NORMAL);
        position.play(position.parse_move("a3").unwrap());
        assert!(book.moves(&position).is_empty());
        assert_eq!(book.choose(&position, 7), None);
    }
}
