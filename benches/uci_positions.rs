//! Cost of UCI games that are sent whole before each `go`: a game of 1,000 moves with a `position`
//! and a `go` for each ply, and a different game each time.
//!
//! ```sh
//! cargo bench --bench uci_positions
//! ```

use farboard::book::Books;
use farboard::session::uci::Session;
use farboard::session::{Input, Profile, Setup};
use std::sync::Arc;
use std::time::{Duration, Instant};

const MOVES: usize = 1000;
const LINES: u32 = 2000;

fn session() -> Session {
    Session::new(Setup {
        seed: 1,
        identity: 1,
        profile: Arc::new(Profile::new("Farboard", Books::default())),
    })
}

/// A game without an end: both sides move their knights, and a pawn now and then.
fn game(order: [&'static str; 4]) -> Vec<&'static str> {
    order.iter().copied().cycle().take(2 * MOVES).collect()
}

fn say(session: &mut Session, line: &str) {
    let mut effects = Vec::new();
    session.handle(Input::Line(line.as_bytes()), Instant::now(), &mut effects);
    assert!(session.position_error().is_none(), "{line}");
}

/// Microseconds for each line.
fn measured(lines: impl Iterator<Item = String>) -> f64 {
    let mut session = session();
    let (mut taken, mut count) = (Duration::ZERO, 0u32);
    for line in lines {
        let began = Instant::now();
        say(&mut session, &line);
        taken += began.elapsed();
        count += 1;
    }
    taken.as_secs_f64() * 1e6 / f64::from(count)
}

fn position(moves: &[&str]) -> String {
    format!("position startpos moves {}", moves.join(" "))
}

fn main() {
    let one = game(["g1f3", "g8f6", "f3g1", "f6g8"]);
    let other = game(["b1c3", "b8c6", "c3b1", "c6b8"]);
    let plies = one.len();
    println!("a game of {MOVES} moves, each line with all of its moves so far");
    let growing = measured((1..=plies).map(|ply| position(&one[..ply])));
    println!("{growing:10.1} us  a line, from the first ply to the last");
    let last = measured((0..LINES).map(|line| position(&one[..plies - line as usize % 2])));
    println!("{last:10.1} us  a line at the end, a ply more or less than before");
    let again = measured((0..LINES).map(|_| position(&one)));
    println!("{again:10.1} us  the same line again");
    let replaced = measured((0..40).map(|line| position(if line % 2 == 0 { &one } else { &other })));
    println!("{replaced:10.1} us  another game each time: {:.2} us a ply", replaced / plies as f64);
    let searched = measured((0..LINES).flat_map(|_| [position(&one), "go infinite".to_owned()]));
    println!("{:10.1} us  a line and a go, {:.2} ms a second at 100 of them", 2.0 * searched, searched / 5.0);
}
