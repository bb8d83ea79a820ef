//! Books as text, one line of play for each opening:
//!
//! ```text
//! 3 e4 e5 Nf3 Nc6 Bb5 a6 # Ruy Lopez
//! ```
//!
//! A line has its weight, its moves from the start position in standard algebraic notation, and
//! optionally a comment. The weight of a move is the sum of the weights of all lines that play it
//! in that position, including transpositions. A move with a question mark (`f4?`) is answered but
//! not played.

use super::polyglot::{encode, keys};
use super::{Book, BookEntry};
use crate::chess::{MoveError, Position, START_FEN, Standard};

/// An error in a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {mistake}")]
pub struct LineError {
    /// Line number, from 1.
    pub line: usize,
    /// The mistake.
    pub mistake: LineMistake,
}

/// A mistake in a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineMistake {
    /// The first word is not a weight.
    #[error("a line begins with its weight, from 1 to {max}, not {0:?}", max = u16::MAX)]
    Weight(String),
    /// No move follows the weight.
    #[error("there is no move")]
    NoMove,
    /// The move cannot be played.
    #[error("{0:?}: {1}")]
    Move(String, MoveError),
}

impl Book {
    /// Reads a book from lines of play. Blank lines and comments after `#` are ignored.
    ///
    /// # Errors
    /// The first [`LineError`].
    pub fn parse_lines(text: &str) -> Result<Book, LineError> {
        let mut entries = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            parse_line(text, &mut entries).map_err(|mistake| LineError { line, mistake })?;
        }
        entries.sort_by_key(|entry| (entry.key, entry.bits));
        entries.dedup_by(|next, kept| {
            let same = (next.key, next.bits) == (kept.key, kept.bits);
            if same {
                kept.weight = kept.weight.saturating_add(next.weight);
            }
            same
        });
        Ok(Book { entries })
    }
}

fn parse_line(text: &str, entries: &mut Vec<BookEntry>) -> Result<(), LineMistake> {
    let mut words = text.split('#').next().unwrap_or_default().split_ascii_whitespace();
    let Some(first) = words.next() else { return Ok(()) };
    let weight = first.parse().ok().filter(|&weight: &u16| weight > 0);
    let weight = weight.ok_or_else(|| LineMistake::Weight(first.to_owned()))?;
    let mut position = Position::from_fen(Standard::NORMAL, START_FEN).expect("the start position is legal");
    let before = entries.len();
    for word in words {
        let mv = position.parse_move(word).map_err(|error| LineMistake::Move(word.to_owned(), error))?;
        if !word.contains('?') {
            entries.push(BookEntry { key: keys(&position)[0], bits: encode(mv), weight: weight.into() });
        }
        position.play(mv);
    }
    if entries.len() == before { Err(LineMistake::NoMove) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{AnyPosition, Variant};

    #[test]
    fn transpositions_are_merged() {
        let text = "2 d4 Nf6 c4 e6 Nf3 d5 # Queen's Gambit\n\n# by another way\n5 Nf3 d5 d4 Nf6 c4 e6 Nc3\n";
        let book = Book::parse_lines(text).unwrap();
        let mut position = AnyPosition::start(Variant::NORMAL);
        for word in "c4 e6 Nf3 d5 d4 Nf6".split(' ') {
            position.play(position.parse_move(word).unwrap());
        }
        let moves = book.moves(&position);
        assert_eq!((position.san(moves[0].mv).as_str(), moves[0].weight), ("Nc3", 5));
        let start = AnyPosition::start(Variant::NORMAL);
        assert_eq!(book.moves(&start).iter().map(|known| known.weight).collect::<Vec<_>>(), [5, 2]);
        let twice = Book::parse_lines("2 e4 e5\n3 e4 c5").unwrap();
        assert_eq!(twice.moves(&start)[0].weight, 5);
    }

    #[test]
    fn doubtful_moves_are_answered_and_not_played() {
        let book = Book::parse_lines("1 e4 e5 f4?! exf4\n1 e4? c5").unwrap();
        let mut position = AnyPosition::start(Variant::NORMAL);
        let known: Vec<usize> = "e4 e5 f4 exf4"
            .split(' ')
            .map(|word| {
                let count = book.moves(&position).len();
                position.play(position.parse_move(word).unwrap());
                count
            })
            .collect();
        assert_eq!(known, [1, 2, 0, 1]);
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        for (text, message) in [
            ("1 e4\n1 e4 e4", "line 2: \"e4\": illegal move"),
            ("e4 e5", "line 1: a line begins with its weight, from 1 to 65535, not \"e4\""),
            ("0 e4", "line 1: a line begins with its weight, from 1 to 65535, not \"0\""),
            ("65536 e4", "line 1: a line begins with its weight, from 1 to 65535, not \"65536\""),
            ("# fine\n3 # e4", "line 2: there is no move"),
            ("1 1.e4", "line 1: \"1.e4\": not a move"),
        ] {
            assert_eq!(Book::parse_lines(text).unwrap_err().to_string(), message);
        }
    }
}
