//! A journal and the session behind it, which can be thrown away at any byte and replaced, whatever the protocol.

use farboard::shim::journal::{Passed, SessionJournal};
use std::time::{Duration, Instant};

/// A session of a protocol that has a journal, with a search that always finds the same in the same position.
pub trait Served {
    type Journal: SessionJournal + Clone;
    /// It says that another server has more room.
    const ROOM: &'static [u8];

    fn new(seed: u64) -> Self;
    fn journal() -> Self::Journal;
    fn hear(&mut self, bytes: &[u8], now: Instant);

    /// The search ends by itself. False if there is none that matters.
    fn finish(&mut self, now: Instant) -> bool;

    /// What it has said and nobody has taken.
    fn said(&mut self) -> &mut Vec<u8>;
}

pub struct Relay<S: Served> {
    seed: u64,
    pub now: Instant,
    pub journal: S::Journal,
    /// Stands behind the journal, and is killed.
    pub server: S,
    pub servers: usize,
    /// On its way to the server.
    pub up: Vec<u8>,
    /// What the client got through the journal.
    pub down: Vec<u8>,
    loud: bool,
}

impl<S: Served> Relay<S> {
    pub fn new(seed: u64, loud: bool) -> Relay<S> {
        Relay {
            seed,
            now: Instant::now() + Duration::from_secs(3600),
            journal: S::journal(),
            server: S::new(seed),
            servers: 1,
            up: Vec::new(),
            down: Vec::new(),
            loud,
        }
    }

    /// The client sends bytes to the journal.
    pub fn say(&mut self, bytes: &[u8]) {
        let up = self.journal.client(bytes, self.now);
        self.up.extend(up);
    }

    /// Bytes on their way arrive at the server.
    pub fn send(&mut self, count: usize) {
        let bytes: Vec<u8> = self.up.drain(..count).collect();
        self.show(">> ", &bytes);
        self.server.hear(&bytes, self.now);
    }

    /// Bytes that the server has said arrive at the journal.
    pub fn fetch(&mut self, count: usize) {
        let bytes: Vec<u8> = self.server.said().drain(..count).collect();
        self.show("<< ", &bytes);
        let passed = self.journal.server(&bytes, self.now);
        self.take(passed);
    }

    /// All that is on its way arrives, and all that is answered to it.
    pub fn deliver(&mut self) {
        self.send(self.up.len());
        let count = self.server.said().len();
        self.fetch(count);
    }

    /// Whether nothing is on its way.
    pub fn is_idle(&mut self) -> bool {
        self.up.is_empty() && self.server.said().is_empty()
    }

    pub fn tick(&mut self) {
        let passed = self.journal.tick(self.now);
        self.take(passed);
    }

    fn take(&mut self, passed: Passed) {
        assert!(!passed.endless);
        self.show("< ", &passed.down);
        self.up.extend(passed.up);
        self.down.extend(passed.down);
    }

    /// Another server takes the place of the one that the journal has lost or left. It knows nothing yet.
    pub fn replace(&mut self) {
        self.up.clear();
        self.servers += 1;
        self.server = S::new(self.seed ^ (self.servers as u64) << 32);
    }

    /// The journal tells the server the session so far.
    pub fn resume(&mut self) {
        let passed = self.journal.resume(self.now);
        self.take(passed);
    }

    /// A server that would take over now, and all that it would be told.
    pub fn take_over(&self) -> S {
        let mut journal = self.journal.clone();
        let mut server = S::new(self.seed);
        journal.lose(self.now, 0);
        let mut up = journal.resume(self.now).up;
        while !up.is_empty() {
            server.hear(&up, self.now);
            up = journal.server(&std::mem::take(server.said()), self.now).up;
        }
        server
    }

    /// Prints what happens, if that is wanted.
    pub fn show(&self, mark: &str, bytes: &[u8]) {
        if self.loud && !bytes.is_empty() {
            for line in String::from_utf8_lossy(bytes).split_inclusive('\n') {
                let line: String = line.escape_debug().take(200).collect();
                println!("{mark}{line}");
            }
        }
    }
}
