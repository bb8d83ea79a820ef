//! The client, its journal, the sessions, and what must hold when all is quiet.

use crate::client;
use crate::dice::Dice;
use crate::hearing::{Heard, Thoughts};
use crate::server::Server;
use farboard::shim::journal::uci::Journal;
use farboard::shim::journal::{Passed, SessionJournal};
use std::time::{Duration, Instant};

/// A server says that another one has more room.
const ROOM: &[u8] = b"info string farboard: another server has more room\n";

pub struct World {
    seed: u64,
    now: Instant,
    /// Hears the client and is never disturbed.
    alone: Server,
    journal: Journal,
    /// Stands behind the journal, and is killed.
    server: Server,
    servers: usize,
    /// On its way to the server.
    up: Vec<u8>,
    /// What the client got through the journal.
    down: Vec<u8>,
    thoughts: Thoughts,
    /// All lines of the client.
    heard: Vec<String>,
    loud: bool,
}

impl World {
    pub fn new(seed: u64, loud: bool) -> World {
        World {
            seed,
            now: Instant::now() + Duration::from_secs(3600),
            alone: Server::new(seed),
            journal: Journal::new(),
            server: Server::new(seed),
            servers: 1,
            up: Vec::new(),
            down: Vec::new(),
            thoughts: Thoughts::default(),
            heard: Vec::new(),
            loud,
        }
    }

    /// The client says something; sometimes all comes to rest.
    pub fn step(&mut self, dice: &mut Dice) {
        self.now += Duration::from_millis(*dice.pick(&[0, 0, 1, 7, 90, 300]));
        let text = client::lines(dice, &self.alone);
        self.say(&text);
        if dice.once_in(6) {
            self.server.said.extend_from_slice(ROOM);
        }
        self.move_over(dice);
        if dice.once_in(3) {
            self.move_bytes(dice);
        }
        if dice.once_in(3) {
            self.settle(dice);
        }
    }

    pub fn say(&mut self, text: &str) {
        self.show("> ", text.as_bytes());
        let bytes = format!("{text}\n").into_bytes();
        self.alone.hear(&bytes, self.now);
        let up = self.journal.client(&bytes, self.now);
        self.up.extend(up);
        self.tick();
    }

    /// The relay does this after each event.
    fn tick(&mut self) {
        let passed = self.journal.tick(self.now);
        self.take(passed);
    }

    fn take(&mut self, passed: Passed) {
        assert!(!passed.endless);
        self.show("< ", &passed.down);
        self.up.extend(passed.up);
        self.down.extend(passed.down);
    }

    /// Some bytes go either way; at any of them the server may die.
    fn move_bytes(&mut self, dice: &mut Dice) {
        for _ in 0..dice.roll(6) {
            let sent = dice.roll(self.up.len() + 1).min(1 + dice.roll(60));
            let bytes: Vec<u8> = self.up.drain(..sent).collect();
            self.show(">> ", &bytes);
            self.server.hear(&bytes, self.now);
            match dice.roll(8) {
                // A count of leaves that is stopped has an end, or not.
                0 if !self.server.is_counting() => drop(self.server.finish(self.now)),
                1..4 => self.server.think(self.now),
                _ => {}
            }
            let heard = dice.roll(self.server.said.len() + 1).min(1 + dice.roll(300));
            let bytes: Vec<u8> = self.server.said.drain(..heard).collect();
            self.pass(&bytes);
            if dice.once_in(12) {
                self.kill(dice);
            }
        }
    }

    fn pass(&mut self, bytes: &[u8]) {
        self.show("<< ", bytes);
        let passed = self.journal.server(bytes, self.now);
        self.take(passed);
        self.tick();
    }

    /// The session goes to another server, if one has asked for it and nothing is due.
    fn move_over(&mut self, dice: &mut Dice) {
        if self.journal.moves_from().is_some_and(|from| from <= self.now) {
            self.show("", b"* moves");
            self.journal.leave(self.now);
            self.begin_anew(dice);
        }
    }

    fn kill(&mut self, dice: &mut Dice) {
        self.show("", b"* killed");
        assert!(self.journal.can_be_resumed());
        self.journal.lose(self.now, 0);
        self.begin_anew(dice);
    }

    fn begin_anew(&mut self, dice: &mut Dice) {
        self.up.clear();
        self.tick();
        self.servers += 1;
        self.server = Server::new(self.seed ^ (self.servers as u64) << 32);
        self.now += Duration::from_millis(*dice.pick(&[0, 10, 400, 3000]));
        // A count of leaves that is stopped has come to its end before, or not.
        if dice.once_in(3) && !self.alone.is_counting() {
            let text = client::lines(dice, &self.alone);
            self.say(&text);
        }
        let passed = self.journal.resume(self.now);
        self.take(passed);
        self.tick();
    }

    /// Everything arrives, and every search that matters comes to its end, with some more deaths on the way.
    pub fn settle(&mut self, dice: &mut Dice) {
        let mut deaths = dice.roll(3);
        loop {
            if deaths > 0 && dice.once_in(4) {
                deaths -= 1;
                self.move_bytes(dice);
                self.kill(dice);
            }
            let idle = self.up.is_empty() && self.server.said.is_empty();
            if idle && !self.server.finish(self.now) {
                break;
            }
            if deaths > 0 {
                self.move_bytes(dice);
                continue;
            }
            let bytes = std::mem::take(&mut self.up);
            self.show(">> ", &bytes);
            self.server.hear(&bytes, self.now);
            let bytes = std::mem::take(&mut self.server.said);
            self.pass(&bytes);
        }
        while self.alone.finish(self.now) {}
        self.now += Duration::from_secs(1);
        self.tick();
        self.compare();
    }

    fn compare(&mut self) {
        let heard = String::from_utf8(std::mem::take(&mut self.down)).expect("ASCII");
        let meant = String::from_utf8(std::mem::take(&mut self.alone.said)).expect("ASCII");
        for line in heard.lines() {
            self.thoughts.hear(line);
            self.heard.push(line.to_owned());
        }
        assert_eq!(Heard::of(&heard), Heard::of(&meant), "what the client hears");
        self.show("= ", self.alone.board().as_bytes());
        assert_eq!(self.server.board(), self.alone.board());
        assert_eq!(self.server.task(), self.alone.task());
        let fresh = self.take_over();
        assert_eq!(fresh.board(), self.alone.board(), "what another server would know");
        assert_eq!(fresh.task(), self.alone.task(), "what another server would search");
        assert_eq!(self.journal.owes(), self.alone.owes());
    }

    /// A server that would take over now.
    fn take_over(&self) -> Server {
        let mut journal = self.journal.clone();
        let mut server = Server::new(self.seed);
        journal.lose(self.now, 0);
        let mut up = journal.resume(self.now).up;
        while !up.is_empty() {
            server.hear(&up, self.now);
            up = journal.server(&std::mem::take(&mut server.said), self.now).up;
        }
        server
    }

    pub fn outcome(self) -> (Vec<String>, usize) {
        (self.heard, self.servers)
    }

    fn show(&self, mark: &str, bytes: &[u8]) {
        if self.loud && !bytes.is_empty() {
            for line in String::from_utf8_lossy(bytes).split_inclusive('\n') {
                let line: String = line.escape_debug().take(200).collect();
                println!("{mark}{line}");
            }
        }
    }
}
