//! Opening books, in Polyglot's format and as lines of play: whatever they contain, their moves are
//! legal.

use farboard::book::Book;
use farboard::chess::{AnyPosition, Variant};

/// Number of plies examined.
const PLIES: usize = 24;

/// `data` is a book file of either format.
pub fn run(data: &[u8]) {
    if let Ok(book) = Book::from_polyglot(data) {
        check(&book);
    }
    if let Ok(book) = Book::parse_lines(&String::from_utf8_lossy(data)) {
        check(&book);
    }
}

fn check(book: &Book) {
    let written = polyglot(book);
    if written.is_empty() {
        return;
    }
    let read = Book::from_polyglot(&written[..]).expect("a written book can be read");
    assert_eq!(polyglot(&read), written);

    let mut position = AnyPosition::start(Variant::NORMAL);
    for ply in 0..PLIES {
        let moves = book.moves(&position);
        let Some(first) = moves.first() else { break };
        assert!(moves.iter().all(|known| position.is_legal(known.mv) && known.weight > 0));
        assert!(moves.is_sorted_by_key(|known| std::cmp::Reverse(known.weight)));
        assert_eq!(moves.len(), read.moves(&position).len());
        assert_eq!(book.choose(&position, 0), Some(first.mv));
        assert_eq!(book.choose(&position, u64::MAX), moves.last().map(|known| known.mv));
        position.play(moves[ply % moves.len()].mv);
    }
}

fn polyglot(book: &Book) -> Vec<u8> {
    let mut bytes = Vec::new();
    book.write_polyglot(&mut bytes).expect("writing to memory");
    bytes
}
