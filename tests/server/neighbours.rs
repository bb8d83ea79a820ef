//! Clients of different addresses. All of 127.0.0.0/8 belongs to this machine.

use crate::program::Program;
use crate::test_server::{Client, TestServer};
use farboard::config::Settings;
use farboard::server::Sources;
use rustix::process::Signal;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::Command;

const CROWD: u8 = 2;
const BYSTANDER: u8 = 3;

fn from(last: u8, server: SocketAddr) -> Client {
    Client::connect_from(IpAddr::V4(Ipv4Addr::new(127, 0, 0, last)), server)
}

/// Source settings from a configuration.
fn sources(text: &str) -> Sources {
    let settings = Settings::parse(text, Path::new("farboard.toml")).expect("it is right");
    Sources::new(&settings.resolve().expect("it is right"))
}

/// A server with one core and four slots for searches of each class.
fn server(configuration: &str) -> TestServer {
    TestServer::with(|setup| {
        setup.sources = sources(configuration);
        setup.size.workers = 1;
        setup.size.searches = 4;
    })
}

/// Starts a long search. When this returns the search was requested, and begins or is refused.
fn think(client: &mut Client) {
    client.send("xboard\nprotover 2\nnew\noption Book=none\npost\nst 1000\ngo\n");
    client.until("feature done=1");
}

/// Returns true if its search has begun and was not refused.
fn has_begun(client: &mut Client) -> bool {
    loop {
        let line = client.line().expect("the server does not close");
        if line.starts_with("tellusererror this server is busy") {
            client.until("move ");
            return false;
        }
        if line.starts_with(|first: char| first.is_ascii_digit()) {
            return true;
        }
    }
}

/// Starts `count` long searches from one address; returns the clients whose search has begun.
fn crowd(server: &TestServer, count: usize) -> Vec<Client> {
    let clients = (0..count).map(|_| {
        let mut client = from(CROWD, server.address);
        think(&mut client);
        has_begun(&mut client).then_some(client)
    });
    clients.flatten().collect()
}

#[test]
fn one_address_cannot_take_all_slots() {
    let server = server("share_by = \"address\"");
    let crowd = crowd(&server, 4);
    assert_eq!(crowd.len(), 2, "half of the places");
    let mut bystander = from(BYSTANDER, server.address);
    think(&mut bystander);
    assert!(has_begun(&mut bystander));
}

#[test]
fn with_sharing_by_session_slots_go_to_the_first() {
    for configuration in ["share_by = \"session\"", ""] {
        let server = server(configuration);
        let crowd = crowd(&server, 4);
        assert_eq!(crowd.len(), 4);
        let mut bystander = from(BYSTANDER, server.address);
        think(&mut bystander);
        assert!(!has_begun(&mut bystander));
    }
}

#[test]
fn a_club_behind_one_address_has_more_slots() {
    let server = server("share_by = \"address\"\n[[source]]\nnetwork = \"127.0.0.2\"\nweight = 3\n");
    let crowd = crowd(&server, 4);
    assert_eq!(crowd.len(), 3);
    let mut bystander = from(BYSTANDER, server.address);
    think(&mut bystander);
    assert!(has_begun(&mut bystander));
}

#[test]
fn the_unit_of_sharing_is_reloaded_for_new_sessions() {
    let path = std::env::temp_dir().join(format!("farboard-{}-neighbours.toml", std::process::id()));
    let write = |share_by: &str| {
        let limits = "workers = 1\nmax_searches = 2\ntable = 1\n";
        let listener = "[[listen]]\nkind = \"xboard\"\naddress = \"127.0.0.1:0\"\n";
        std::fs::write(&path, format!("share_by = \"{share_by}\"\n{limits}{listener}"))
            .expect("a writable path");
    };
    write("session");
    let mut program = Program::start(Command::new(env!("CARGO_BIN_EXE_farboard")).arg("--config").arg(&path));
    let address = program.address();
    let two = || {
        [0; 2].map(|_| {
            let mut client = from(CROWD, address);
            think(&mut client);
            (has_begun(&mut client), client)
        })
    };
    let before = two();
    assert!(before.iter().all(|(begun, _)| *begun));
    for (_, mut client) in before {
        client.send("quit\n");
        client.rest();
    }
    write("address");
    program.signal(Signal::HUP);
    program.logged("configuration reloaded");
    let after = two();
    assert_eq!(after.each_ref().map(|(begun, _)| *begun), [true, false]);
    std::fs::remove_file(&path).expect("it exists");
}
