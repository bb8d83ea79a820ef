//! The client, its journal, the sessions, and what must hold when all is quiet.

use crate::client;
use crate::dice::Dice;
use crate::relay::{Relay, Served};
use crate::server::Server;
use farboard::shim::journal::SessionJournal;
use std::time::Duration;

pub struct World {
    /// Hears the client and is never disturbed.
    alone: Server,
    relay: Relay<Server>,
    /// How often the session has moved by choice.
    moves: usize,
    /// The lines that mattered.
    heard: Vec<String>,
    /// The journal has told the client that there is no server.
    is_away: bool,
}

impl World {
    pub fn new(seed: u64, loud: bool) -> World {
        let (alone, relay) = (Server::new(seed), Relay::new(seed, loud));
        World { alone, relay, moves: 0, heard: Vec::new(), is_away: false }
    }

    /// The handshake, without which nobody knows that pings are answered.
    pub fn begin(&mut self, dice: &mut Dice) {
        self.say("xboard\nprotover 2");
        self.settle(dice);
    }

    /// The client says something; sometimes all comes to rest.
    pub fn step(&mut self, dice: &mut Dice) {
        self.relay.now += Duration::from_millis(*dice.pick(&[0, 0, 1, 7, 90, 300]));
        let text = client::lines(dice, self.alone.session.game(), self.alone.owes_move(self.relay.now));
        self.say(&text);
        if dice.once_in(6) {
            self.relay.server.said.extend_from_slice(Server::ROOM);
        }
        if dice.once_in(3) {
            self.move_bytes(dice);
        }
        self.move_over(dice);
        if dice.once_in(2) {
            self.settle(dice);
        }
    }

    fn say(&mut self, text: &str) {
        self.relay.show("> ", text.as_bytes());
        let bytes = format!("{text}\n").into_bytes();
        self.alone.hear(&bytes, self.relay.now);
        if text == "hint" {
            // A `ping` waits for the hint, or for the move that interrupts it: which of both depends on who is faster.
            self.alone.finish(self.relay.now);
        }
        self.relay.say(&bytes);
    }

    /// Some bytes go either way; at any of them the server may die.
    fn move_bytes(&mut self, dice: &mut Dice) {
        for _ in 0..dice.roll(6) {
            let relay = &mut self.relay;
            relay.send(dice.roll(relay.up.len() + 1).min(1 + dice.roll(60)));
            relay.fetch(dice.roll(relay.server.said.len() + 1).min(1 + dice.roll(200)));
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
            assert!(!relay.journal.owes());
            relay.journal.leave(relay.now);
            self.moves += 1;
            self.begin_anew(dice);
        }
    }

    fn kill(&mut self, dice: &mut Dice) {
        self.relay.show("", b"* killed");
        self.relay.journal.lose(self.relay.now, 0);
        self.begin_anew(dice);
    }

    fn begin_anew(&mut self, dice: &mut Dice) {
        self.relay.replace();
        self.relay.now += Duration::from_millis(*dice.pick(&[0, 10, 400, 3000]));
        self.relay.resume();
    }

    /// Everything arrives, and every search that matters comes to its end, with some more deaths on the way.
    pub fn settle(&mut self, dice: &mut Dice) {
        while self.alone.finish(self.relay.now) {}
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
            }
        }
        self.relay.now += Duration::from_secs(1);
        self.relay.tick();
        self.compare();
    }

    fn compare(&mut self) {
        assert!(!String::from_utf8_lossy(&self.relay.down).contains("farboard:"), "the client need not know");
        self.check_notices();
        let heard = relevant(&std::mem::take(&mut self.relay.down));
        let meant = relevant(&std::mem::take(&mut self.alone.said));
        assert_eq!(heard, meant, "what the client hears");
        self.heard.extend(heard);
        let (ours, theirs) = (&self.relay.server.session, &self.alone.session);
        self.relay.show("= ", ours.game().position().fen().as_bytes());
        assert_eq!(ours.game().position().fen(), theirs.game().position().fen());
        assert_eq!(ours.game().moves(), theirs.game().moves());
        let fresh = self.relay.take_over();
        assert_eq!(fresh.session.game().moves(), theirs.game().moves(), "what another server would know");
        assert_eq!(fresh.session.game().position().fen(), theirs.game().position().fen());
        let told = |server: &Server| {
            let client = server.session.client().clone();
            let told = (client.protocol, client.debug, client.opponent, client.computer, client.ics);
            let partner = client.partner.map(|partner| (partner.name, partner.wishes)).unwrap_or_default();
            (told, client.rating, client.random, client.result, partner)
        };
        assert_eq!(told(&self.relay.server), told(&self.alone));
        let asked = |server: &Server| {
            server.wanted().map(|search| {
                let request = &search.request;
                let manner = (request.contempt, request.noise, request.strength, request.limits.depth);
                (request.lines, request.excluded.clone(), format!("{:?}", request.known), manner)
            })
        };
        assert_eq!(asked(&self.relay.server), asked(&self.alone));
    }

    /// What the journal itself says of outages comes by turns.
    fn check_notices(&mut self) {
        for line in String::from_utf8_lossy(&self.relay.down).lines() {
            let is_lost = line.starts_with("0 0 0 0 (The server is away");
            if is_lost || line.starts_with("0 0 0 0 (The session goes on") {
                assert_ne!(self.is_away, is_lost, "{line}: a notice out of turn");
                self.is_away = is_lost;
            }
        }
    }

    pub fn outcome(self) -> (Vec<String>, usize, usize) {
        (self.heard, self.relay.servers, self.moves)
    }
}

/// The lines that must be the same whatever happens: not what was found on the way to a move.
fn relevant(bytes: &[u8]) -> Vec<String> {
    let words = [
        "move",
        "pong",
        "Illegal",
        "Error",
        "1-0",
        "0-1",
        "1/2-1/2",
        "tellusererror",
        "offer",
        "resign",
        "feature",
        "telluser",
        "askuser",
    ];
    let text = String::from_utf8_lossy(bytes);
    let relevant = |line: &&str| words.contains(&line.split(' ').next().unwrap_or(""));
    let mut lines: Vec<String> = text.lines().filter(relevant).map(str::to_owned).collect();
    // A server may die between the offer and the move that it goes with; the next one makes it again.
    lines.dedup_by(|one, other| one == other && one == "offer draw");
    // A move of the client while the engine's is due may be refused before or after that, and so for another reason.
    let (mut refused, mut lines): (Vec<_>, Vec<_>) =
        lines.into_iter().partition(|line| line.starts_with("Illegal move"));
    for line in &mut refused {
        *line = line.rsplit(": ").next().map_or_else(String::new, |text| format!("Illegal move: {text}"));
    }
    refused.sort();
    lines.extend(refused);
    lines
}
