//! Engines end with their server, however that ends.

use crate::support::{Client, configuration, exists, wait_until};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

/// A server in a process of its own, and the fake engine that it hosts.
struct Process {
    child: Child,
    client: Client,
    engines: Vec<u32>,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server on which analyses run and wait, with an engine of this kind.
fn serve(way: &str, name: &str) -> Process {
    let folder = std::env::temp_dir().join(format!("farboard-hosting-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("test.toml");
    std::fs::write(&file, configuration(way, 1, "")).expect("a file");
    let mut child = Command::new(env!("CARGO_BIN_EXE_farboard"))
        .args(["--listen", "127.0.0.1:0", "--table", "1", "--config"])
        .arg(&file)
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("a server");
    let mut log = BufReader::new(child.stderr.take().expect("its log"));
    let mut address: Option<SocketAddr> = None;
    while address.is_none() {
        let mut line = String::new();
        assert!(log.read_line(&mut line).expect("a log") > 0, "the server has ended");
        address = line
            .split_once(" listens on ")
            .and_then(|(_, rest)| rest.split_whitespace().next()?.parse().ok());
    }
    std::thread::spawn(move || log.lines().for_each(drop));
    let _ = std::fs::remove_dir_all(&folder);
    let mut client = Client::connect(address.expect("an address"));
    client.send("option Profile=fake\nnew\npost\nanalyze\n");
    let server = child.id();
    let mut engines = Vec::new();
    wait_until("an engine has been started", || {
        engines = children_of(server);
        !engines.is_empty()
    });
    Process { child, client, engines }
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

#[test]
fn a_server_that_is_killed_takes_engines_along_even_those_that_hang() {
    for way in ["behaves", "hangs"] {
        let mut server = serve(way, way);
        if way == "behaves" {
            server.client.thinking();
        }
        server.child.kill().expect("a signal");
        server.child.wait().expect("its end");
        let engines = server.engines.clone();
        wait_until("engines have ended with their server", || !engines.iter().any(|&engine| exists(engine)));
    }
}
