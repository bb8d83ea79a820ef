//! Bounded memory of a journal between servers and clients that send without end.

use super::{Journal, SessionJournal};
use std::time::{Duration, Instant};

/// Maximum memory in bytes, whatever the server sends. The real bounds are lower.
const BOUND: usize = 4 << 20;

/// A journal after the server's features.
fn begun(now: Instant) -> Journal {
    let mut journal = Journal::new();
    journal.client(b"xboard\nprotover 2\n", now);
    journal.server(b"feature ping=1 usermove=1 done=1\n", now);
    journal
}

#[test]
fn line_without_an_end_is_the_end_of_a_server_that_could_be_replaced() {
    let now = Instant::now();
    for before in [&b"feature ping=1 done=1\n"[..], b"feature ping=1\n", b""] {
        let mut journal = Journal::new();
        journal.client(b"xboard\nprotover 2\n", now);
        journal.server(before, now);
        let endless = (0..1000).any(|_| {
            let passed = journal.server(&[b'x'; 4096], now);
            assert_eq!(passed.down, b"");
            assert!(journal.bytes() < BOUND, "{} bytes", journal.bytes());
            passed.endless
        });
        assert!(endless && journal.can_be_resumed());
        journal.lose(now, 0);
        journal.resume(now);
        let endless = (0..1000).any(|_| journal.server(&[b'x'; 4096], now).endless);
        assert!(endless, "also while it is told the session");
    }
}

#[test]
fn line_without_an_end_is_relayed_and_forgotten_where_no_server_could_take_over() {
    let now = Instant::now();
    let mut journal = Journal::new();
    journal.client(b"new\n", now);
    for _ in 0..4096 {
        let passed = journal.server(&[b'x'; 4096], now);
        assert_eq!((passed.down.len(), passed.endless), (4096, false));
        assert!(journal.bytes() < BOUND, "{} bytes", journal.bytes());
    }
    assert_eq!(journal.server(b"x\nmove e2e4\n", now).down, b"x\nmove e2e4\n");
}

#[test]
fn features_without_an_end_are_passed_on_and_not_kept() {
    let now = Instant::now();
    let mut journal = Journal::new();
    journal.client(b"xboard\nprotover 2\n", now);
    journal.server(b"feature ping=1\n", now);
    for number in 0..100_000 {
        let line = format!("feature option=\"Some option or other {number} -spin 1 1 2\"\n");
        assert_eq!(journal.server(line.as_bytes(), now).down, line.as_bytes());
        journal.client(format!("accepted option{number}\n").as_bytes(), now);
        assert!(journal.bytes() < 2 * BOUND, "{} bytes", journal.bytes());
    }
}

#[test]
fn moves_without_an_end_are_passed_on_and_not_kept() {
    let now = Instant::now();
    for waiting in ["", "ping 7\n"] {
        let mut journal = begun(now);
        journal.client(waiting.as_bytes(), now);
        let line = b"move e2e4\n".repeat(1000);
        for _ in 0..100 {
            assert_eq!(journal.server(&line, now).down, line);
            assert!(journal.bytes() < BOUND, "{} bytes", journal.bytes());
        }
        assert!(!journal.can_be_resumed(), "no real game has this many moves");
    }
}

#[test]
fn complaints_without_an_end_are_passed_on_before_they_are_too_many() {
    let now = Instant::now();
    let mut journal = begun(now);
    let mut passed = 0;
    for _ in 0..100_000 {
        passed += journal.server(b"tellusererror Something is wrong.\n", now).down.len();
        assert!(journal.bytes() < BOUND, "{} bytes", journal.bytes());
    }
    passed += journal.tick(now + Duration::from_secs(1)).down.len();
    assert_eq!(passed, 100_000 * "tellusererror Something is wrong.\n".len());
}

#[test]
fn settings_without_an_end_are_passed_on_and_not_kept() {
    let now = Instant::now();
    let mut journal = begun(now);
    for number in 0..50_000 {
        let line = format!("option Some option or other {number}=1\n");
        let up = String::from_utf8(journal.client(line.as_bytes(), now)).expect("ASCII");
        assert!(up.contains(&line), "with a question before or behind");
        assert!(journal.bytes() < 2 * BOUND, "{} bytes", journal.bytes());
    }
    assert!(!journal.can_be_resumed());
    journal.client(b"ping 1\n", now);
    assert_eq!(
        journal.server(b"pong 1900000000\npong 1\n", now).down,
        b"pong 1\n",
        "the first was not its own"
    );
}
