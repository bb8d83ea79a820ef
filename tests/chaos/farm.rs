//! The servers a shim knows: one that is restarted at its address, or two of which one always runs.

use crate::servers::Server;
use crate::support::dice::Dice;
use crate::support::reserved_port::{self, Reserved};
use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

/// Starts a server. The servers of a farm share the key needed to resume games with hidden state.
fn start(address: SocketAddr) -> Server {
    let key = std::env::temp_dir().join(format!("farboard-chaos-key-{}", std::process::id()));
    Server::start(address, &["--state-key", key.to_str().expect("a path")])
}

/// Servers in the order in which the shim tries them.
pub struct Farm {
    /// Reserved so that nothing else can get a dead server's port, not even the shim's own end of a
    /// connection attempt.
    ports: Vec<Reserved>,
    running: Vec<Option<Server>>,
}

impl Farm {
    /// Starts a server, and with `spare` a second one on standby.
    pub fn start(spare: bool) -> Farm {
        let ports: Vec<_> = (0..1 + usize::from(spare)).map(|_| reserved_port::reserve()).collect();
        let running = ports.iter().map(|port| Some(start(port.address))).collect();
        Farm { ports, running }
    }

    /// The first server's address.
    pub fn address(&self) -> SocketAddr {
        self.ports[0].address
    }

    /// The shim's arguments.
    pub fn arguments(&self) -> Vec<String> {
        let addresses: Vec<String> = self.ports.iter().map(|port| port.address.to_string()).collect();
        let mut arguments = vec![addresses[0].clone()];
        for other in &addresses[1..] {
            arguments.extend(["--or".to_owned(), other.clone()]);
        }
        arguments
    }

    /// Returns true if a client is connected to any server.
    pub fn is_used(&self) -> bool {
        self.running.iter().flatten().any(Server::has_a_client)
    }

    /// Kills the server in use, or all of them if none is.
    pub fn kill(&mut self) -> Instant {
        let used = |server: &Option<Server>| server.as_ref().is_some_and(Server::has_a_client);
        let index = self.running.iter().position(used);
        let mut killed = None;
        for server in self.running.iter_mut().skip(index.unwrap_or(0)).take(index.map_or(2, |_| 1)) {
            killed = server.take().map(Server::kill).or(killed);
        }
        killed.unwrap_or_else(Instant::now)
    }

    /// Restarts what is missing after a random delay; returns when a server was available.
    pub fn recover(&mut self, dice: &mut Dice) -> Instant {
        self.resume();
        let spared = self.running.iter().any(Option::is_some);
        let at = Instant::now();
        if !spared {
            thread::sleep(dice.delay(150));
        }
        for (server, port) in self.running.iter_mut().zip(&self.ports) {
            if server.is_none() && (!spared || dice.once_in(2)) {
                *server = Some(start(port.address));
            }
        }
        if spared { at } else { Instant::now() }
    }

    /// Starts the missing server and stops it with SIGSTOP as soon as a client is connected to any
    /// of them.
    pub fn recover_held(&mut self, dice: &mut Dice) {
        if self.running.iter().all(Option::is_none) {
            thread::sleep(dice.delay(50));
            // Stopped before a client can find it.
            let server = start(self.ports[0].address);
            server.hold();
            self.running[0] = Some(server);
        }
        self.until_used();
        self.hold();
    }

    /// Stops all servers (SIGSTOP).
    pub fn hold(&self) {
        self.running.iter().flatten().for_each(Server::hold);
    }

    /// Lets all servers continue (SIGCONT).
    pub fn resume(&self) {
        self.running.iter().flatten().for_each(Server::resume);
    }

    /// Waits until a client has connected; returns false after a long time without one.
    pub fn until_used(&self) -> bool {
        let deadline = Instant::now() + Duration::from_secs(10);
        while !self.is_used() {
            if Instant::now() > deadline {
                return false;
            }
            thread::sleep(Duration::from_micros(200));
        }
        true
    }
}
