//! The real programs: servers that are killed and started again, and the shim.

use crate::wire::{TEST_TIMEOUT, Wire};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A running `farboard`; killed when dropped.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

impl Server {
    /// Starts a server with one search thread and a small table, and waits until it listens.
    pub fn start(address: SocketAddr, more: &[&str]) -> Server {
        let deadline = Instant::now() + TEST_TIMEOUT;
        loop {
            if let Some(server) = Server::try_start(address, more) {
                return server;
            }
            // The dead server may hold the port for a moment.
            assert!(Instant::now() < deadline, "a server cannot listen on {address}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn try_start(address: SocketAddr, more: &[&str]) -> Option<Server> {
        let listen = address.to_string();
        let mut child = Command::new(env!("CARGO_BIN_EXE_farboard"))
            // The runtime folder has the control socket of the user's own server.
            .env_remove("XDG_RUNTIME_DIR")
            .args(["--listen", &listen, "--table", "1", "--workers", "1", "--log", "error"])
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the built server");
        let mut banner = String::new();
        let stdout = child.stdout.take().expect("a pipe");
        BufReader::new(stdout).read_line(&mut banner).expect("text");
        let mut server = Server { child, address };
        let Some(printed) = banner.split_whitespace().last().and_then(|word| word.parse().ok()) else {
            let _ = server.child.wait();
            return None;
        };
        server.address = printed;
        Some(server)
    }

    /// Kills the server (SIGKILL): nothing more is sent, not even buffered output.
    pub fn kill(mut self) -> Instant {
        self.child.kill().expect("our own child");
        let at = Instant::now();
        self.child.wait().expect("our own child");
        at
    }

    /// Stops the server (SIGSTOP), while the system still accepts connections and bytes for it.
    pub fn hold(&self) {
        kill_process(Pid::from_child(&self.child), Signal::STOP).expect("our own child");
    }

    /// Lets the server continue (SIGCONT).
    pub fn resume(&self) {
        kill_process(Pid::from_child(&self.child), Signal::CONT).expect("our own child");
    }

    /// Returns true if a client is connected according to the system; false if the system does not
    /// report it.
    pub fn has_a_client(&self) -> bool {
        let port = format!(":{:04X}", self.address.port());
        let table = std::fs::read_to_string("/proc/net/tcp").unwrap_or_default();
        table.lines().any(|line| {
            let mut words = line.split_whitespace().skip(1);
            let local = words.next().is_some_and(|address| address.ends_with(&port));
            local && words.nth(1) == Some("01")
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A running `farboard-connect`; killed when dropped.
pub struct Shim(Child);

impl Shim {
    /// Starts the shim as a GUI does, with pipes.
    pub fn start(arguments: &[String]) -> (Shim, Wire) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_farboard-connect"))
            .args(arguments)
            .env_remove("FARBOARD_SECRET")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the built shim");
        let wire = Wire::pipes(child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        (Shim(child), wire)
    }

    /// Waits for the exit; returns `None` if a signal ended it.
    pub fn exit_code(&mut self) -> Option<i32> {
        let deadline = Instant::now() + TEST_TIMEOUT;
        loop {
            if let Some(status) = self.0.try_wait().expect("our own child") {
                return status.code();
            }
            assert!(Instant::now() < deadline, "the shim does not exit");
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Shim {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
