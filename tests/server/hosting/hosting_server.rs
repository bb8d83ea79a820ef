//! A server with hosted engines, and a client that speaks xboard.

use crate::running_server::RunningServer;
use farboard::chess::{AnyPosition, Variant};
use farboard::config::{Listen, Settings, Transport};
use farboard::hosting::{Hosts, ProcessRow};
use farboard::pool::engine;
use farboard::search::Table;
use farboard::server::reload::ReloadedConfig;
use farboard::server::{ListenerPolicy, Server, Setup, bind};
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Generous: a busy machine must not fail a test.
pub const TEST_TIMEOUT: Duration = Duration::from_secs(120);

/// A server with engines.
pub struct HostingServer {
    pub running: RunningServer,
    pub hosts: Arc<Hosts>,
}

impl HostingServer {
    /// A server with this configuration.
    pub fn start(config: &str) -> HostingServer {
        HostingServer::listening(config, ListenerPolicy::open())
    }

    fn listening(config: &str, policy: ListenerPolicy) -> HostingServer {
        let settings = Settings::parse(config, Path::new("test.toml")).expect("a configuration");
        let config = settings.resolve().expect("a right configuration");
        let hosts = Arc::new(Hosts::new(Some(env!("CARGO_BIN_EXE_farboard").into())));
        let read = ReloadedConfig::new(&config, &hosts).expect("a configuration that can be used");
        let setup = Setup::new(&config, engine(Table::new(1).expect("a small table")), read.profile, 1);
        let listener = bind((Ipv4Addr::LOCALHOST, 0).into()).expect("a free port");
        let server = Server::new(vec![(listener, policy)], setup).expect("an event loop");
        let server = server.with_profiles(read.named).with_engines(Arc::clone(&hosts));
        HostingServer { running: RunningServer::new(server), hosts }
    }

    /// A server whose profile `fake` has the fake engine, with further settings of the engine.
    pub fn with_fake(way: &str, workers: usize, settings: &str) -> HostingServer {
        HostingServer::start(&configuration(way, workers, settings))
    }

    /// The same, where no process is replaced for being slow, however busy the machine is.
    pub fn with_patient_fake(way: &str, workers: usize) -> HostingServer {
        HostingServer::start(&configuration(way, workers, "").replace("patience = 2", "patience = 400"))
    }

    /// A server with the fake engine for clients of the remote shell.
    pub fn with_fake_behind_rsh(way: &str) -> HostingServer {
        let mut listen = Listen::new((Ipv4Addr::LOCALHOST, 0).into());
        listen.transport = Transport::Rsh;
        listen.allow = vec!["127.0.0.0/8".parse().expect("a network")];
        let policy = ListenerPolicy::new(&listen).expect("no keys");
        HostingServer::listening(&configuration(way, 2, ""), policy)
    }

    pub fn client(&self) -> Client {
        Client::connect(self.running.address)
    }

    pub fn processes(&self) -> Vec<ProcessRow> {
        self.hosts.processes()
    }

    /// Number of failures of the fake engine.
    pub fn failures(&self) -> u64 {
        self.hosts
            .failures()
            .into_iter()
            .find_map(|(name, failures)| (name == "fake").then_some(failures))
            .unwrap_or(0)
    }
}

/// A configuration whose profile `fake` has the fake engine.
pub fn configuration(way: &str, workers: usize, settings: &str) -> String {
    let command = super::fake::command(way);
    format!(
        "workers = {workers}\n[engine.fake]\ncommand = {command}\npatience = 2\n{settings}\n\
         [profile.fake]\nengine = \"fake\"\noptions = {{ Book = \"none\" }}\n"
    )
}

/// Waits until a condition holds.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + TEST_TIMEOUT;
    while !is_so() {
        assert!(Instant::now() < deadline, "not in time: {what}");
        std::thread::yield_now();
    }
}

/// Returns true if a process exists and is not a zombie.
pub fn exists(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    !status.is_empty() && !status.contains(") Z ")
}

/// A client that plays Black or analyses, and checks every move of the engine.
pub struct Client {
    reader: BufReader<TcpStream>,
    pub position: AnyPosition,
    /// Messages for the user.
    pub messages: Vec<String>,
}

impl Client {
    pub fn connect(address: SocketAddr) -> Client {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_read_timeout(Some(TEST_TIMEOUT)).expect("a timeout");
        let position = AnyPosition::start(Variant::NORMAL);
        let mut client = Client { reader: BufReader::new(stream), position, messages: Vec::new() };
        client.send("xboard\nprotover 2\n");
        client
    }

    /// A client of the fake engine.
    pub fn of_fake(server: &HostingServer) -> Client {
        let mut client = server.client();
        client.send("option Profile=fake\nnew\npost\neasy\n");
        client
    }

    pub fn send(&mut self, text: &str) {
        self.reader.get_mut().write_all(text.as_bytes()).expect("a server that reads");
    }

    /// The next line that matches.
    pub fn until(&mut self, fits: impl Fn(&str) -> bool) -> String {
        loop {
            let mut line = String::new();
            let count = self.reader.read_line(&mut line).expect("a line in time");
            assert!(count > 0, "the server has closed");
            let line = line.trim_end();
            if line.starts_with("tell") {
                self.messages.push(line.to_owned());
            }
            assert!(!line.starts_with("Illegal") && !line.starts_with("Error"), "{line}");
            if fits(line) {
                return line.to_owned();
            }
        }
    }

    /// The next thinking line: depth, score, nodes.
    pub fn thinking(&mut self) -> (u32, i32, u64) {
        let line = self.until(|line| line.starts_with(|first: char| first.is_ascii_digit()));
        let mut words = line.split_whitespace().map(|word| word.parse::<i64>().expect("a number"));
        let mut next = || words.next().expect("a column");
        let (depth, score, _, nodes) = (next(), next(), next(), next());
        (depth as u32, score as i32, nodes as u64)
    }

    /// Has the engine move, and answers with the first legal move.
    pub fn play(&mut self, first: &str) {
        self.send(first);
        let line = self.until(|line| line.starts_with("move "));
        let mv = self.position.parse_move(&line["move ".len()..]).expect("a legal move");
        self.position.play(mv);
        let Some(&answer) = self.position.legal_moves().first() else { return };
        let text = self.position.coordinates(answer);
        self.position.play(answer);
        self.send(&format!("force\nusermove {text}\n"));
    }

    /// Waits until all input is handled.
    pub fn ping(&mut self, number: u32) {
        self.send(&format!("ping {number}\n"));
        self.until(|line| line == format!("pong {number}"));
    }
}
