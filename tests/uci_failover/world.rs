//! The client, its journal, the sessions, and what must hold when all is quiet.

use crate::client;
use crate::dice::Dice;
use crate::hearing::{Heard, Thoughts};
use crate::relay::{Relay, Served};
use crate::server::Server;
use farboard::shim::journal::SessionJournal;
use std::time::Duration;

pub struct World {
    /// Hears the client and is never disturbed.
    alone: Server,
    relay: Relay<Server>,
    thoughts: Thoughts,
    /// All lines of the client.
    heard: Vec<String>,
}

impl World {
    pub fn new(seed: u64, loud: bool) -> World {
        World {
            alone: Server::new(seed),
            relay: Relay::new(seed, loud),
            thoughts: Thoughts::default(),
            heard: Vec::new(),
        }
    }

    /// The client says something; sometimes all comes to rest.
    pub fn step(&mut self, dice: &mut Dice) {
        self.relay.now += Duration::from_millis(*dice.pick(&[0, 0, 1, 7, 90, 300]));
        let text = client::lines(dice, &self.alone);
        self.say(&text);
        if dice.once_in(6) {
            self.relay.server.said.extend_from_slice(Server::ROOM);
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
        self.relay.show("> ", text.as_bytes());
        let bytes = format!("{text}\n").into_bytes();
        self.alone.hear(&bytes, self.relay.now);
        self.relay.say(&bytes);
        self.relay.tick();
    }

    /// Some bytes go either way; at any of them the server may die.
    fn move_bytes(&mut self, dice: &mut Dice) {
        for _ in 0..dice.roll(6) {
            let relay = &mut self.relay;
            relay.send(dice.roll(relay.up.len() + 1).min(1 + dice.roll(60)));
            match dice.roll(8) {
                // A count of leaves that is stopped has an end, or not.
                0 if !relay.server.is_counting() => drop(relay.server.finish(relay.now)),
                1..4 => relay.server.think(relay.now),
                _ => {}
            }
            relay.fetch(dice.roll(relay.server.said.len() + 1).min(1 + dice.roll(300)));
            relay.tick();
            if dice.once_in(12) {
                self.kill(dice);
            }
        }
    }

    /// The session goes to another server, if one has asked for it and nothing is due.
    fn move_over(&mut self, dice: &mut Dice) {
        let relay = &mut self.relay;
        if relay.journal.moves_from().is_some_and(|from| from <= relay.now) {
            relay.show("", b"* moves");
            relay.journal.leave(relay.now);
            self.begin_anew(dice);
        }
    }

    fn kill(&mut self, dice: &mut Dice) {
        self.relay.show("", b"* killed");
        assert!(self.relay.journal.can_be_resumed());
        self.relay.journal.lose(self.relay.now, 0);
        self.begin_anew(dice);
    }

    fn begin_anew(&mut self, dice: &mut Dice) {
        self.relay.replace();
        self.relay.tick();
        self.relay.now += Duration::from_millis(*dice.pick(&[0, 10, 400, 3000]));
        // A count of leaves that is stopped has come to its end before, or not.
        if dice.once_in(3) && !self.alone.is_counting() {
            let text = client::lines(dice, &self.alone);
            self.say(&text);
        }
        self.relay.resume();
        self.relay.tick();
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
            if self.relay.is_idle() && !self.relay.server.finish(self.relay.now) {
                break;
            }
            if deaths > 0 {
                self.move_bytes(dice);
            } else {
                self.relay.deliver();
                self.relay.tick();
            }
        }
        while self.alone.finish(self.relay.now) {}
        self.relay.now += Duration::from_secs(1);
        self.relay.tick();
        self.compare();
    }

    fn compare(&mut self) {
        let heard = String::from_utf8(std::mem::take(&mut self.relay.down)).expect("ASCII");
        let meant = String::from_utf8(std::mem::take(&mut self.alone.said)).expect("ASCII");
        for line in heard.lines() {
            self.thoughts.hear(line);
            self.heard.push(line.to_owned());
        }
        assert_eq!(Heard::of(&heard), Heard::of(&meant), "what the client hears");
        self.relay.show("= ", self.alone.board().as_bytes());
        assert_eq!(self.relay.server.board(), self.alone.board());
        assert_eq!(self.relay.server.task(), self.alone.task());
        let fresh = self.relay.take_over();
        assert_eq!(fresh.board(), self.alone.board(), "what another server would know");
        assert_eq!(fresh.task(), self.alone.task(), "what another server would search");
        assert_eq!(self.relay.journal.owes(), self.alone.owes());
    }

    pub fn outcome(self) -> (Vec<String>, usize) {
        (self.heard, self.relay.servers)
    }
}
