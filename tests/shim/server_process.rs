//! A real server that can be killed at any moment.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A real server, killed when dropped.
pub struct Process(Child);

impl Process {
    /// Starts the server at this address and waits until it listens.
    pub fn start(address: &str) -> Process {
        let mut child = Command::new(env!("CARGO_BIN_EXE_farboard"))
            .args(["serve", "--table", "1", "--listen", address])
            // Keeps away from the control socket of the user's own server.
            .env_remove("XDG_RUNTIME_DIR")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the built server");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let listens = lines.by_ref().map_while(Result::ok).any(|line| line.contains(address));
        assert!(listens, "it ended before it listened on {address}");
        Process(child)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.0.kill().expect("a child");
        self.0.wait().expect("a child");
    }
}
