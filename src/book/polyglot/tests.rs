use super::*;
use crate::chess::{AnyPosition, Variant};

fn entry(key: u64, bits: u16, weight: u16) -> Vec<u8> {
    let mut bytes = key.to_be_bytes().to_vec();
    bytes.extend(bits.to_be_bytes());
    bytes.extend(weight.to_be_bytes());
    bytes.extend(0xdead_beef_u32.to_be_bytes());
    bytes
}

const START: u64 = 0x463b_9618_1691_fc9c;
const E2E4: u16 = 0x031c;
const D2D4: u16 = 0x02db;

fn moves_at_start(book: &Book) -> Vec<(String, u32)> {
    let start = AnyPosition::start(Variant::NORMAL);
    book.moves(&start).iter().map(|known| (start.coordinates(known.mv), known.weight)).collect()
}

#[test]
fn entries_are_read() {
    let bytes = [*b"@PG@\n1.0\n1\nnorma", *b"l\n\0\0\0\0\0\0\0\0\0\0\0\0\0\0"]
        .map(|text| [&[0; 8], &text[..8], &[0; 8], &text[8..]].concat())
        .concat();
    let bytes = [bytes, entry(5, E2E4, 1), entry(START, D2D4, 300), entry(START, E2E4, 65535)].concat();
    let book = Book::from_polyglot(&bytes[..]).unwrap();
    assert_eq!(moves_at_start(&book), [("e2e4".to_owned(), 65535), ("d2d4".to_owned(), 300)]);
}

/// A book of nine short games made by Polyglot 2.0.4.
#[test]
fn a_book_made_by_polyglot_is_read() {
    let book = Book::open(Path::new("tests/data/small-book.bin")).unwrap();
    for (line, expected) in [
        ("", "e4 18, d4 6, c4 3"),
        ("e4 e5 Nf3 Nc6 Bb5 Nf6", "O-O 3"),
        ("d4 d5 Nc3 Nf6 Bf4 Nc6 Qd2 Bf5", "O-O-O 3"),
        ("d4 d5 Nc3 Nf6 Bf4 Nc6 Qd2 Bf5 O-O-O Qd7 f3", "O-O-O 1"),
        ("e4 Nf6 e5 d5", "exd6 3"),
        ("e4 d5 exd5 c6 dxc6 Nf6 cxb7 Nbd7", "bxa8=N 3, bxa8=Q 3"),
        ("c4 e6 d4 Nf6", "Nf3 3, Nc3 3"),
    ] {
        let mut position = AnyPosition::start(Variant::NORMAL);
        for word in line.split_whitespace() {
            position.play(position.parse_move(word).unwrap());
        }
        let moves = book.moves(&position).into_iter();
        let moves: Vec<String> =
            moves.map(|known| format!("{} {}", position.san(known.mv), known.weight)).collect();
        assert_eq!(moves.join(", "), expected, "{line}");
    }
}

#[test]
fn unplayable_moves_are_left_out() {
    let never = entry(START, E2E4, 0);
    let illegal = entry(START, 0x0fff, 9);
    let twice = [entry(START, D2D4, 2), entry(START, D2D4, 3)].concat();
    let book = Book::from_polyglot(&[never, illegal, twice].concat()[..]).unwrap();
    assert_eq!(moves_at_start(&book), [("d2d4".to_owned(), 5)]);
}

#[test]
fn files_that_are_not_books_are_refused() {
    let good = entry(START, E2E4, 1);
    let message = |bytes: &[u8]| Book::from_polyglot(bytes).unwrap_err().to_string();
    assert!(message(&good[..15]).contains("no multiple of 16"));
    assert!(message(&[&good[..], &good[..1]].concat()).contains("no multiple of 16"));
    assert!(message(&[good.clone(), entry(START - 1, E2E4, 1)].concat()).contains("entry 1 is out of order"));
    assert!(message(b"").contains("no move"));
    assert!(message(&entry(START, E2E4, 0)).contains("no move"));
    assert!(matches!(Book::open(Path::new("no-such-book.bin")), Err(BookError::Read(_))));
    assert!(matches!(Book::open(Path::new(".")), Err(BookError::Read(_))));
}

#[test]
fn books_survive_a_round_trip() {
    let own = crate::book::own::book();
    let mut bytes = Vec::new();
    own.write_polyglot(&mut bytes).unwrap();
    assert!(bytes.len() > 16_000);
    assert_eq!(Book::from_polyglot(&bytes[..]).unwrap().entries, own.entries);
}

#[test]
fn large_weights_are_scaled_down() {
    let book = Book::parse_lines(&["60000 e4"; 4].join("\n")).unwrap();
    let rare = Book::parse_lines("6000 d4\n6 c4").unwrap();
    let mut entries = [book.entries, rare.entries].concat();
    entries.sort_by_key(|entry| entry.key);
    let mut bytes = Vec::new();
    Book { entries }.write_polyglot(&mut bytes).unwrap();
    let weights: Vec<u32> =
        moves_at_start(&Book::from_polyglot(&bytes[..]).unwrap()).iter().map(|(_, weight)| *weight).collect();
    assert_eq!(weights, [60_000, 1_500, 1]);
}
