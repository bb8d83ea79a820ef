//! The world: clients with their shims, servers, the network between them, a disk, and one clock.

mod archive;
mod client;
mod defects;
mod events;
mod gui;
mod network;
mod network_side;
mod pool;
mod server;
mod server_side;
mod session;
mod tests;
mod weather;

use crate::support::dice::Dice;
use archive::Archive;
use client::Client;
use defects::{Defect, Defects};
use events::Events;
use farboard::random::mix;
use farboard::session::Protocol;
use farboard::shim::client_protocol::ClientProtocol;
use farboard::shim::relay::{Action, Event as ShimEvent, Relay, RelayPlan};
use gui::{Checkers, Gui, Poison, Uci, Xboard};
use network::{Connection, Direction, Piece};
use server::{ConnectionId, Process, Server};
use session::Session;
use std::collections::BTreeMap;
use std::time::Duration;
use weather::{Strike, Weather};

const SERVERS: usize = 3;
/// Time after which a silent connection is closed.
const KEEPALIVE: Duration = Duration::from_secs(30);
/// Simulated time in which everything must finish once nothing goes wrong any more.
const LAST_HOUR: Duration = Duration::from_secs(3600);

/// Maximum number of connection attempts of one client.
const ATTEMPTS: u64 = 1 << 32;

#[derive(Debug)]
enum Event {
    /// A piece arrives.
    Arrives(ConnectionId, Direction),
    /// Keepalive closes a silent connection.
    GivesUp(ConnectionId),
    /// The result of a connection attempt.
    Dialled {
        client: usize,
        attempt: u64,
        server: usize,
    },
    Shim(usize, ShimEvent),
    ShimWakes(usize),
    GuiWakes(usize),
    ServerWakes(usize, u64),
    Restart(usize),
    Weather,
    Aimed(Strike),
}

/// Counts of events in a world.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// Server processes that ended with sessions.
    pub deaths: usize,
    /// Other lost connections.
    pub losses: usize,
    /// Moves and other answers of engines.
    pub answers: usize,
    pub repeats: usize,
    pub games: usize,
    pub simulated: Duration,
    /// A hash of everything that the GUIs received, and when.
    pub hash: u64,
    pub defects: usize,
}

pub struct World {
    seed: u64,
    events: Events<Event>,
    dice: Dice,
    weather: Weather,
    is_calm: bool,
    clients: Vec<Client>,
    protocols: Vec<Protocol>,
    servers: Vec<Server>,
    connections: BTreeMap<ConnectionId, Connection>,
    archive: Archive,
    defects: Defects,
    poison: Poison,
    /// Whether all servers share one address.
    has_balancer: bool,
    owners: u64,
    tally: Tally,
    loud: bool,
}

fn connection_id(client: usize, attempt: u64) -> ConnectionId {
    client as u64 * ATTEMPTS + attempt
}

impl World {
    pub fn new(seed: u64, defect: Option<Defect>, loud: bool) -> World {
        let mut dice = Dice::new(seed, 1);
        let has_balancer = dice.once_in(3);
        let mut world = World {
            seed,
            events: Events::new(),
            weather: Weather::new(Dice::new(seed, 2)),
            is_calm: false,
            clients: Vec::new(),
            protocols: Vec::new(),
            servers: (0..SERVERS)
                .map(|server| Server { process: Some(Process::new(seed)), started: server as u64 })
                .collect(),
            connections: BTreeMap::new(),
            archive: Archive::default(),
            defects: Defects::new(defect, Dice::new(seed, 3)),
            poison: Poison(seed.is_multiple_of(6).then_some(b"666666".as_slice())),
            has_balancer,
            owners: 0,
            tally: Tally::default(),
            loud,
            dice,
        };
        // A line that crashes servers makes other clients' lines suspicious: its client is alone.
        let clients = if world.poison.0.is_some() { 1 } else { 2 };
        for client in 0..clients {
            world.add_client(client);
        }
        let pause = world.weather.pause();
        world.events.after(pause, Event::Weather);
        world
    }

    fn add_client(&mut self, client: usize) {
        let (now, seed) = (self.events.now(), self.seed);
        let dice = Dice::new(seed, 10 + client as u64);
        let (protocol, spoken, gui): (_, _, Box<dyn Gui>) = match (seed as usize + client) % 3 {
            0 => (
                Protocol::Auto,
                ClientProtocol::Xboard,
                Box::new(Xboard::new(seed, self.poison.0.is_some(), dice, now)),
            ),
            1 => (Protocol::Auto, ClientProtocol::Uci, Box::new(Uci::new(seed, dice, now))),
            _ => (
                Protocol::Checkers(Default::default()),
                ClientProtocol::Checkers,
                Box::new(Checkers::new(seed, dice, now)),
            ),
        };
        let addresses = if self.has_balancer { 1 } else { SERVERS };
        let plan = RelayPlan {
            servers: (0..addresses).map(|server| format!("server-{server}")).collect(),
            give_up: Duration::from_secs(600),
            protocol: Some(spoken),
            options: Default::default(),
            is_terminal: false,
        };
        let (relay, actions) = Relay::new(plan, now);
        self.clients.push(Client::new(relay, gui, now));
        self.protocols.push(protocol);
        self.execute(client, actions);
        self.events.at(now, Event::GuiWakes(client));
    }

    /// Runs until this many servers have died, then until all sessions have ended as their GUIs
    /// want.
    pub fn run(mut self, deaths: usize) -> Tally {
        let mut settled_at = None;
        while self.clients.iter().any(|client| client.ending.is_none()) {
            if settled_at.is_none() && self.tally.deaths >= deaths {
                settled_at = Some(self.events.elapsed());
                self.is_calm = true;
                self.clients.iter_mut().for_each(|client| client.gui.settle());
            }
            let late = settled_at.is_some_and(|at| self.events.elapsed() > at + LAST_HOUR);
            assert!(!late, "a session does not end");
            let event = self.events.next().expect("an event");
            self.happen(event);
        }
        self.judge_archive();
        self.tally.simulated = self.events.elapsed();
        self.tally.answers = self.clients.iter().map(|client| client.gui.answers()).sum();
        self.tally.repeats = self.archive.repeats;
        self.tally.defects = self.defects.times;
        self.tally
    }

    fn judge_archive(&mut self) {
        for (number, client) in self.clients.iter().enumerate() {
            let games = self.archive.games_of(number);
            let (finished, begun) = (client.gui.finished_games(), client.gui.begun_games());
            // A shim leaves within a second after `quit`, even if no server received the last
            // input.
            let unheard = usize::from(client.relay.unaccounted() > 0);
            assert!(games + unheard >= finished, "{finished} games have ended, and {games} are archived");
            assert!(games <= begun + 1, "{begun} games have begun, and {games} are archived");
            self.tally.games += games;
        }
    }

    fn note(&self, text: impl FnOnce() -> String) {
        if self.loud {
            println!("{:10.3} {}", self.events.elapsed().as_secs_f64(), text());
        }
    }

    fn happen(&mut self, event: Event) {
        let now = self.events.now();
        match event {
            Event::Arrives(id, Direction::Up) => self.arrive_at_server(id),
            Event::Arrives(id, Direction::Down) => self.arrive_at_shim(id),
            Event::GivesUp(id) => self.give_up(id),
            Event::Dialled { client, attempt, server } => self.dialled(client, attempt, server),
            Event::Shim(client, event) => self.notify_shim(client, event),
            Event::ShimWakes(client) => {
                self.clients[client].wakes_at = None;
                self.notify_shim(client, ShimEvent::Time);
            }
            Event::GuiWakes(client) => self.wake_gui(client),
            Event::ServerWakes(server, started) => {
                if self.servers[server].started == started {
                    if let Some(process) = &mut self.servers[server].process {
                        process.wakes_at = None;
                    }
                    self.run_server(server);
                }
            }
            Event::Restart(server) => {
                self.note(|| format!("server {server} starts"));
                let seed = self.seed;
                self.servers[server].process.get_or_insert_with(|| Process::new(seed));
            }
            Event::Weather if !self.is_calm => {
                let strike = self.weather.strike(SERVERS, self.clients.len());
                self.strike(strike);
                let pause = self.weather.pause();
                self.events.at(now + pause, Event::Weather);
            }
            Event::Aimed(strike) if !self.is_calm => self.strike(strike),
            Event::Weather | Event::Aimed(_) => {}
        }
    }

    // The client's side.

    fn wake_gui(&mut self, client: usize) {
        let now = self.events.now();
        let clock = self.clock_of(client);
        let of = &mut self.clients[client];
        if of.ending.is_some() {
            return;
        }
        if of.gui.wake() <= now && !of.gui.has_quit() {
            let seen = of.seen(now, clock);
            let bytes = of.gui.act(&seen);
            if !bytes.is_empty() {
                self.note(|| format!("{client} > {}", String::from_utf8_lossy(&bytes).escape_debug()));
                self.write(client, bytes);
            }
        }
        let of = &self.clients[client];
        if !of.gui.has_quit() {
            self.events.at(of.gui.wake().max(now + Duration::from_millis(1)), Event::GuiWakes(client));
        }
    }

    /// The GUI writes bytes, which the shim may read in pieces. A death may follow closely.
    fn write(&mut self, client: usize, bytes: Vec<u8>) {
        let mut rest = bytes.as_slice();
        let mut at = self.events.now().max(self.clients[client].written_until);
        while !rest.is_empty() {
            let size = if self.dice.once_in(6) { 1 + self.dice.roll(rest.len()) } else { rest.len() };
            let (first, others) = rest.split_at(size);
            self.clients[client].written_until = at;
            self.events.at(at, Event::Shim(client, ShimEvent::Client(first.to_vec())));
            at += self.dice.delay(3);
            rest = others;
        }
        if !self.is_calm && self.dice.once_in(self.weather.aims) {
            let id = connection_id(client, self.clients[client].attempt);
            if let Some(connection) = self.connections.get(&id) {
                let (server, delay) = (connection.server, self.dice.delay(120));
                let strike = if self.dice.once_in(5) { Strike::Break(client) } else { Strike::Kill(server) };
                self.events.after(delay, Event::Aimed(strike));
            }
        }
    }

    fn clock_of(&self, client: usize) -> Option<i64> {
        let id = connection_id(client, self.clients[client].attempt);
        let server = &self.servers[self.connections.get(&id)?.server];
        let session = server.process.as_ref()?.sessions.get(&id)?;
        session.clock(self.events.now())
    }

    fn notify_shim(&mut self, client: usize, event: ShimEvent) {
        if self.clients[client].ending.is_none() {
            let actions = self.clients[client].relay.handle(event, self.events.now());
            self.execute(client, actions);
        }
    }

    fn execute(&mut self, client: usize, actions: Vec<Action>) {
        for action in actions {
            self.obey_action(client, action);
        }
        let Some(wake) = self.clients[client].relay.deadline() else { return };
        let of = &mut self.clients[client];
        if of.wakes_at.is_none_or(|at| wake < at) {
            of.wakes_at = Some(wake);
            self.events.at(wake, Event::ShimWakes(client));
        }
    }

    fn obey_action(&mut self, client: usize, action: Action) {
        let now = self.events.now();
        match action {
            Action::Dial { server, attempt } => {
                let delay = self.dice.delay(20);
                let server = if self.has_balancer { self.backend() } else { server };
                self.events.after(delay, Event::Dialled { client, attempt, server });
            }
            Action::Send(attempt, bytes) => {
                self.send(connection_id(client, attempt), Direction::Up, Piece::Bytes(bytes));
            }
            Action::Finish(attempt) => self.send(connection_id(client, attempt), Direction::Up, Piece::End),
            Action::Drop { attempt, .. } => {
                let id = connection_id(client, attempt);
                self.send(id, Direction::Up, Piece::Reset);
                if attempt == self.clients[client].attempt && self.clients[client].lost_since.is_none() {
                    self.clients[client].lose(now);
                }
            }
            Action::Show(bytes) => self.show(client, &bytes),
            Action::FinishOutput => self.events.at(now, Event::Shim(client, ShimEvent::AllWritten)),
            Action::RecordClient(_) | Action::RecordForClient(_) => {}
            Action::Note(text) => self.note(|| format!("{client} * {text}")),
            Action::Exit(ending) => {
                self.note(|| format!("{client} ends: {ending:?}"));
                assert!(self.clients[client].gui.has_quit(), "the shim exits: {ending:?}");
                self.clients[client].ending = Some(ending);
            }
        }
    }

    fn show(&mut self, client: usize, bytes: &[u8]) {
        let now = self.events.now();
        let seen = self.clients[client].seen(now, self.clock_of(client));
        let (loud, elapsed) = (self.loud, self.events.elapsed());
        let mut hash = self.tally.hash;
        self.clients[client].show(bytes, &seen, |line| {
            let line_hash =
                line.bytes().fold(elapsed.as_nanos() as u64, |hash, byte| mix(hash ^ u64::from(byte)));
            hash = mix(hash ^ line_hash);
            if loud {
                println!("{:10.3} {client} < {line}", elapsed.as_secs_f64());
            }
        });
        self.tally.hash = hash;
        self.events.at(self.clients[client].gui.wake(), Event::GuiWakes(client));
    }

    /// A running server behind the balancer, if any.
    fn backend(&mut self) -> usize {
        let start = self.dice.roll(SERVERS);
        let mut order = (0..SERVERS).map(|offset| (start + offset) % SERVERS);
        order.find(|&server| self.is_open(server)).unwrap_or(start)
    }

    fn is_open(&self, server: usize) -> bool {
        self.servers[server].process.as_ref().is_some_and(|process| !process.drains)
    }

    fn dialled(&mut self, client: usize, attempt: u64, server: usize) {
        if !self.is_open(server) {
            let reason = "connection refused".to_owned();
            return self.notify_shim(client, ShimEvent::Unreachable { attempt, reason, refused: true });
        }
        let id = connection_id(client, attempt);
        self.connections.insert(id, Connection::new(client, server, &mut self.dice));
        self.owners += 1;
        let protocol = self.protocols[client];
        let session = Session::new(client, self.owners, protocol, self.seed, self.poison, self.events.now());
        if let Some(process) = &mut self.servers[server].process {
            process.sessions.insert(id, session);
        }
        self.clients[client].attempt = attempt;
        self.note(|| format!("{client} has server {server}"));
        self.notify_shim(client, ShimEvent::Connected(attempt));
    }
}

impl Tally {
    pub fn add(&mut self, other: &Tally) {
        let Tally { deaths, losses, answers, repeats, games, simulated, hash, defects } = other;
        self.deaths += deaths;
        self.losses += losses;
        self.answers += answers;
        self.repeats += repeats;
        self.games += games;
        self.simulated += *simulated;
        self.hash ^= hash;
        self.defects += defects;
    }
}
