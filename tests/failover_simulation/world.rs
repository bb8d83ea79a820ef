//! The client, its journal, the sessions, and what must hold when all is quiet.

use crate::server::Server;
use crate::{Dice, client};
use farboard::shim::journal::SessionJournal;
use farboard::shim::journal::xboard::Journal;
use std::time::{Duration, Instant};

/// A server says that another one has more room.
const ROOM: &[u8] = b"# farboard: another server has more room\n";

pub struct World {
    seed: u64,
    now: Instant,
    /// Hears the client and is never disturbed.
    alone: Server,
    journal: Journal,
    /// Stands behind the journal, and is killed.
    server: Server,
    servers: usize,
    /// How often the session has moved by choice.
    moves: usize,
    /// On its way to the server.
    up: Vec<u8>,
    /// What the client got through the journal.
    down: Vec<u8>,
    /// The lines that mattered.
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
            moves: 0,
            up: Vec::new(),
            down: Vec::new(),
            heard: Vec::new(),
            loud,
        }
    }

    /// The handshake, without which nobody knows that pings are answered.
    pub fn begin(&mut self, dice: &mut Dice) {
        self.say("xboard\nprotover 2");
        self.settle(dice);
    }

    /// The client says something; sometimes all comes to rest.
    pub fn step(&mut self, dice: &mut Dice) {
        self.now += Duration::from_millis(*dice.pick(&[0, 0, 1, 7, 90, 300]));
        let text = client::lines(dice, self.alone.session.game(), self.alone.owes_move(self.now));
        self.say(&text);
        if dice.once_in(6) {
            self.server.said.extend_from_slice(ROOM);
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
        self.show("> ", text.as_bytes());
        let bytes = format!("{text}\n").into_bytes();
        self.alone.hear(&bytes, self.now);
        if text == "hint" {
            // A `ping` waits for the hint, or for the move that interrupts it: which of both depends on who is faster.
            self.alone.finish(self.now);
        }
        let up = self.journal.client(&bytes, self.now);
        self.up.extend(up);
    }

    /// Some bytes go either way; at any of them the server may die.
    fn move_bytes(&mut self, dice: &mut Dice) {
        for _ in 0..dice.roll(6) {
            let sent = dice.roll(self.up.len() + 1).min(1 + dice.roll(60));
            let bytes: Vec<u8> = self.up.drain(..sent).collect();
            self.show(">> ", &bytes);
            self.server.hear(&bytes, self.now);
            let heard = dice.roll(self.server.said.len() + 1).min(1 + dice.roll(200));
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
        self.show("< ", &passed.down);
        self.up.extend(passed.up);
        self.down.extend(passed.down);
    }

    /// The session goes to another server, if one has asked for it and nothing is due.
    fn move_over(&mut self, dice: &mut Dice) {
        if self.journal.moves_from().is_some_and(|from| from <= self.now) {
            self.show("", b"* moves");
            assert!(!self.journal.owes());
            self.journal.leave(self.now);
            self.moves += 1;
            self.begin_anew(dice);
        }
    }

    fn kill(&mut self, dice: &mut Dice) {
        self.show("", b"* killed");
        self.journal.lose(self.now, 0);
        self.begin_anew(dice);
    }

    fn begin_anew(&mut self, dice: &mut Dice) {
        self.up.clear();
        self.servers += 1;
        self.server = Server::new(self.seed ^ (self.servers as u64) << 32);
        self.now += Duration::from_millis(*dice.pick(&[0, 10, 400, 3000]));
        let passed = self.journal.resume(self.now);
        self.up.extend(passed.up);
        self.down.extend(passed.down);
    }

    /// Everything arrives, and every search that matters comes to its end, with some more deaths on the way.
    pub fn settle(&mut self, dice: &mut Dice) {
        while self.alone.finish(self.now) {}
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
        self.now += Duration::from_secs(1);
        let late = self.journal.tick(self.now);
        self.up.extend(late.up);
        self.down.extend(late.down);
        self.compare();
    }

    fn compare(&mut self) {
        assert!(!String::from_utf8_lossy(&self.down).contains("farboard:"), "the client need not know");
        let heard = relevant(&std::mem::take(&mut self.down));
        let meant = relevant(&std::mem::take(&mut self.alone.said));
        assert_eq!(heard, meant, "what the client hears");
        self.heard.extend(heard);
        let (ours, theirs) = (&self.server.session, &self.alone.session);
        self.show("= ", ours.game().position().fen().as_bytes());
        assert_eq!(ours.game().position().fen(), theirs.game().position().fen());
        assert_eq!(ours.game().moves(), theirs.game().moves());
        let fresh = self.take_over();
        assert_eq!(fresh.session.game().moves(), theirs.game().moves(), "what another server would know");
        assert_eq!(fresh.session.game().position().fen(), theirs.game().position().fen());
        let told = |server: &Server| {
            let client = server.session.client().clone();
            let told = (client.protocol, client.debug, client.opponent, client.computer, client.ics);
            let partner = client.partner.map(|partner| (partner.name, partner.wishes)).unwrap_or_default();
            (told, client.rating, client.random, client.result, partner)
        };
        assert_eq!(told(&self.server), told(&self.alone));
        let asked = |server: &Server| {
            server.wanted().map(|search| {
                let request = &search.request;
                let manner = (request.contempt, request.noise, request.strength, request.limits.depth);
                (request.lines, request.excluded.clone(), format!("{:?}", request.known), manner)
            })
        };
        assert_eq!(asked(&self.server), asked(&self.alone));
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

    pub fn outcome(self) -> (Vec<String>, usize, usize) {
        (self.heard, self.servers, self.moves)
    }

    fn show(&self, mark: &str, bytes: &[u8]) {
        if self.loud && !bytes.is_empty() {
            for line in String::from_utf8_lossy(bytes).split_inclusive('\n') {
                println!("{mark}{}", line.escape_debug());
            }
        }
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
