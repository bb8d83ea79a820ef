//! The journal of a client whose first line tells what it speaks: UCI, or else xboard's protocol.
//!
//! Until then nothing is held back: what comes of the line is passed on as in xboard's protocol, and said to the journal of UCI
//! as well if it turns out to be UCI.

use super::{Passed, SessionJournal, Spoken, uci, xboard};
use std::time::{Duration, Instant};

/// The first word that is longer in bytes is none of UCI.
const MAX_WORD: usize = 64;

enum Choice {
    Open {
        xboard: Box<xboard::Journal>,
        /// What the client has said.
        said: Vec<u8>,
    },
    Made(Box<dyn SessionJournal>),
}

/// The journal of a session whose protocol is not known at its beginning.
pub(super) struct Journal {
    choice: Choice,
}

impl Journal {
    pub(super) fn new() -> Journal {
        Journal { choice: Choice::Open { xboard: Box::default(), said: Vec::new() } }
    }

    fn known(&self) -> &dyn SessionJournal {
        match &self.choice {
            Choice::Open { xboard, .. } => xboard.as_ref(),
            Choice::Made(journal) => journal.as_ref(),
        }
    }

    fn known_mut(&mut self) -> &mut dyn SessionJournal {
        match &mut self.choice {
            Choice::Open { xboard, .. } => xboard.as_mut(),
            Choice::Made(journal) => journal.as_mut(),
        }
    }
}

impl SessionJournal for Journal {
    fn spoken(&self) -> Option<Spoken> {
        match &self.choice {
            Choice::Open { .. } => None,
            Choice::Made(journal) => journal.spoken(),
        }
    }

    fn client(&mut self, bytes: &[u8], now: Instant) -> Vec<u8> {
        let Choice::Open { xboard, said } = &mut self.choice else {
            return self.known_mut().client(bytes, now);
        };
        let passed = if xboard.is_passed_up() { said.len() } else { 0 };
        said.extend_from_slice(bytes);
        match spoken(said) {
            None => xboard.client(bytes, now),
            Some(Spoken::Uci) => {
                let mut journal = uci::Journal::new();
                if xboard.is_passed_up() {
                    journal.began(&xboard.rest(), now);
                } else {
                    journal.lose(now, 0);
                }
                let mut up = journal.client(said, now);
                up.drain(..passed.min(up.len()));
                self.choice = Choice::Made(Box::new(journal));
                up
            }
            Some(_) => {
                let up = xboard.client(bytes, now);
                let journal: Box<xboard::Journal> = std::mem::take(xboard);
                self.choice = Choice::Made(journal);
                up
            }
        }
    }

    fn server(&mut self, bytes: &[u8], now: Instant) -> Passed {
        self.known_mut().server(bytes, now)
    }

    fn deadline(&self) -> Option<Instant> {
        // A complaint waits until it is known in which words the client understands it.
        self.spoken().and_then(|_| self.known().deadline())
    }

    fn tick(&mut self, now: Instant) -> Passed {
        self.spoken().map_or_else(Passed::default, |_| self.known_mut().tick(now))
    }

    fn lose(&mut self, now: Instant, server: usize) -> Option<String> {
        self.known_mut().lose(now, server)
    }

    fn confirm_death(&mut self) {
        self.known_mut().confirm_death();
    }

    fn resume(&mut self, now: Instant) -> Passed {
        self.known_mut().resume(now)
    }

    fn moves_from(&self) -> Option<Instant> {
        self.known().moves_from()
    }

    fn leave(&mut self, now: Instant) {
        self.known_mut().leave(now);
    }

    fn stay(&mut self) {
        self.known_mut().stay();
    }

    fn rest(&mut self) -> Vec<u8> {
        self.known_mut().rest()
    }

    fn is_passed_up(&self) -> bool {
        self.known().is_passed_up()
    }

    fn waiting(&self) -> usize {
        self.known().waiting()
    }

    fn can_be_resumed(&self) -> bool {
        self.known().can_be_resumed()
    }

    fn is_catching_up(&self) -> bool {
        self.known().is_catching_up()
    }

    fn has_progressed(&self) -> bool {
        self.known().has_progressed()
    }

    fn knows_what_is_due(&self) -> bool {
        self.known().knows_what_is_due()
    }

    fn owes(&self) -> bool {
        self.known().owes()
    }

    fn is_hopeless(&self) -> bool {
        self.known().is_hopeless()
    }

    fn is_awaited(&self) -> bool {
        self.known().is_awaited()
    }

    fn unanswered_since(&self) -> Option<Instant> {
        self.known().unanswered_since()
    }

    fn start_timeout(&self) -> Option<Duration> {
        self.known().start_timeout()
    }

    fn is_refused(&self) -> bool {
        self.known().is_refused()
    }

    fn said_quit(&self) -> bool {
        self.known().said_quit()
    }

    fn farewell(&self) -> &'static str {
        self.known().farewell()
    }

    fn complaint(&self, reason: &str) -> String {
        self.known().complaint(reason)
    }
}

/// What a client speaks that began like this, as soon as that can be told.
pub(in crate::shim) fn spoken(said: &[u8]) -> Option<Spoken> {
    let line = said.split(|&byte| byte == b'\n').next().unwrap_or_default();
    // What follows `go` tells, too.
    let decisive = line.trim_ascii_start();
    let decisive = decisive.strip_prefix(b"go").map_or(decisive, <[u8]>::trim_ascii_start);
    let is_complete = line.len() < said.len() || decisive.iter().any(u8::is_ascii_whitespace);
    if !is_complete && line.len() <= MAX_WORD {
        return None;
    }
    Some(if is_complete && crate::protocol::uci::is_spoken(line) { Spoken::Uci } else { Spoken::Xboard })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_decides_as_soon_as_it_can() {
        for (said, expected) in [
            ("", None),
            ("uci", None),
            (" \t", None),
            ("uci\n", Some(Spoken::Uci)),
            ("uci\r\n", Some(Spoken::Uci)),
            ("position startpos mo", Some(Spoken::Uci)),
            ("xboard\n", Some(Spoken::Xboard)),
            ("\nuci\n", Some(Spoken::Xboard)),
            ("ucix\n", Some(Spoken::Xboard)),
            ("d\n", Some(Spoken::Uci)),
            ("go ", None),
            ("go dep", None),
            ("go depth 8", Some(Spoken::Uci)),
            ("go perft\n", Some(Spoken::Uci)),
            ("go \n", Some(Spoken::Xboard)),
            ("goto x", Some(Spoken::Xboard)),
        ] {
            assert_eq!(spoken(said.as_bytes()), expected, "{said:?}");
        }
        assert_eq!(spoken(&[b'u'; 99]), Some(Spoken::Xboard));
    }

    #[test]
    fn every_byte_of_the_first_line_is_passed_on_once() {
        let now = Instant::now();
        for text in ["uci\r\nisready\n", "xboard\nprotover 2\n", "quit"] {
            for piece in 1..text.len() {
                let mut journal = Journal::new();
                let up: Vec<u8> =
                    text.as_bytes().chunks(piece).flat_map(|bytes| journal.client(bytes, now)).collect();
                assert_eq!(String::from_utf8(up).expect("ASCII"), text);
            }
        }
    }

    #[test]
    fn the_server_may_be_lost_within_the_first_line() {
        let now = Instant::now();
        for at in 0..="uci\n".len() {
            let mut journal = Journal::new();
            journal.client(&b"uci\n"[..at], now);
            journal.lose(now, 0);
            assert!(journal.client(&b"uci\nsetop"[at..], now).is_empty());
            assert_eq!(journal.spoken(), Some(Spoken::Uci));
            assert_eq!(journal.resume(now).up, b"uci\nisready\n", "{at}");
            let passed = journal.server(b"id name x\nuciok\nreadyok\n", now);
            assert_eq!(
                passed,
                Passed { down: b"id name x\nuciok\n".to_vec(), up: b"setop".to_vec(), endless: false }
            );
        }
    }

    /// Where a listener does not know the client yet, it refuses in xboard's words.
    #[test]
    fn a_refusal_that_came_first_is_said_in_the_words_of_the_client() {
        let now = Instant::now();
        let mut journal = Journal::new();
        assert!(journal.server(b"tellusererror The server is full.\n", now).down.is_empty());
        assert!(journal.is_refused() && journal.deadline().is_none());
        journal.client(b"uci\n", now);
        assert!(journal.is_refused() && !journal.can_be_resumed());
        assert_eq!(journal.lose(now, 0).as_deref(), Some("The server is full."));
        assert_eq!(journal.complaint("full"), "info string ERROR: full\n");
    }

    #[test]
    fn a_banner_around_the_first_line_is_passed_on() {
        let now = Instant::now();
        let mut journal = Journal::new();
        assert!(journal.server(b"Engine 1 by some", now).down.is_empty(), "no whole line");
        journal.client(b"uci\n", now);
        assert_eq!(journal.server(b"body\nuciok\n", now).down, b"Engine 1 by somebody\nuciok\n");
    }
}
