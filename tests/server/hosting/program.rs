//! A server process that hosts the fake engine.

use super::hosting_server::{Client, configuration, wait_until};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

/// The process, killed when dropped.
pub struct Program {
    pub child: Child,
    pub address: SocketAddr,
    folder: PathBuf,
    log: Receiver<String>,
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Program {
    /// Starts a server with the fake engine of this kind; `name` is that of the test.
    pub fn start(way: &str, name: &str) -> Program {
        let folder = std::env::temp_dir().join(format!("farboard-hosting-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("test.toml"), configuration(way, 1, "")).expect("a file");
        // The parent has left a descriptor open.
        let mut child = Command::new("/bin/sh")
            .args(["-c", "exec \"$0\" \"$@\" 9<\"$LEFT_OPEN\"", env!("CARGO_BIN_EXE_farboard")])
            .env("LEFT_OPEN", folder.join("test.toml"))
            .args(["--listen", "127.0.0.1:0", "--table", "1", "--config"])
            .arg(folder.join("test.toml"))
            .arg("--control")
            .arg(folder.join("control"))
            // Keeps away from the control socket of the user's own server.
            .env_remove("XDG_RUNTIME_DIR")
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("a server");
        let log = lines_of(&mut child);
        let listens = |line: String| {
            let (_, rest) = line.split_once(" listens on ")?;
            rest.split_whitespace().next()?.parse().ok()
        };
        let address = log.iter().find_map(listens).expect("the server has ended");
        Program { child, address, folder, log }
    }

    /// A client that analyses with the fake engine.
    pub fn analysis(&self) -> Client {
        let mut client = Client::connect(self.address);
        client.send("option Profile=fake\nnew\npost\nanalyze\n");
        client
    }

    /// A snapshot of `farboard top` as JSON.
    pub fn top(&self) -> String {
        let mut top = Command::new(env!("CARGO_BIN_EXE_farboard"));
        top.args(["top", "--times", "1", "--json", "--control"]).arg(self.folder.join("control"));
        String::from_utf8(top.output().expect("the built program").stdout).expect("text")
    }

    /// Reloads the configuration with further settings of the engine.
    pub fn reload(&self, way: &str, settings: &str) {
        std::fs::write(self.folder.join("test.toml"), configuration(way, 1, settings)).expect("a file");
        let server = Pid::from_child(&self.child);
        kill_process(server, Signal::HUP).expect("a signal");
        assert!(self.log.iter().any(|line| line.contains("configuration reloaded")), "the server has ended");
    }

    /// Returns true if a process has inherited the open descriptor.
    pub fn is_left_open_in(&self, process: u32) -> bool {
        let open = std::fs::read_dir(format!("/proc/{process}/fd")).expect("its descriptors").flatten();
        let left = self.folder.join("test.toml").canonicalize().expect("a file");
        open.filter_map(|entry| std::fs::read_link(entry.path()).ok()).any(|file| file == left)
    }

    /// The running engine processes; waits for one.
    pub fn engines(&self) -> Vec<u32> {
        let mut engines = Vec::new();
        wait_until("an engine has been started", || {
            engines = children_of(self.child.id());
            !engines.is_empty()
        });
        engines
    }
}

fn lines_of(child: &mut Child) -> Receiver<String> {
    let log = BufReader::new(child.stderr.take().expect("its log"));
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in log.lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    lines
}

fn children_of(parent: u32) -> Vec<u32> {
    let all = std::fs::read_dir("/proc").expect("a list of processes").flatten();
    let ids = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let is_child = |id: &u32| {
        let status = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let after_name = status.rsplit_once(')').map_or("", |(_, fields)| fields);
        after_name.split_whitespace().nth(1) == Some(&parent.to_string())
    };
    ids.filter(is_child).collect()
}
