//! Metrics of hosted engines.

use super::{ask, http_of, number};
use crate::program::Program;
use crate::test_server::{Client, TEST_TIMEOUT};
use std::fs;
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::time::Instant;

fn numbers(address: SocketAddr) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(TEST_TIMEOUT)).expect("a timeout");
    ask(&mut stream, "GET /metrics HTTP/1.1\r\n\r\n").body
}

#[test]
fn failures_are_exported_for_engines_that_never_started_or_were_never_used() {
    let path = std::env::temp_dir().join(format!("farboard-{}-engines.toml", std::process::id()));
    let mut text = "table = 1\nhttp = \"127.0.0.1:0\"\n[[listen]]\naddress = \"127.0.0.1:0\"\n".to_owned();
    for name in ["broken", "unused"] {
        text += &format!("[engine.{name}]\ncommand = [\"/bin/false\"]\n");
        text += &format!("[profile.{name}]\nengine = \"{name}\"\n");
    }
    fs::write(&path, text).expect("a writable path");
    let mut program =
        Program::start(Command::new(env!("CARGO_BIN_EXE_farboard")).arg("serve").arg("--config").arg(&path));
    let players = program.address();
    let http = http_of(&mut program);
    let failures = |text: &str, engine: &str| {
        number(text, &format!("farboard_engine_failures_total{{engine=\"{engine}\"}}"))
    };
    let before = numbers(http);
    assert_eq!(
        (failures(&before, "broken"), failures(&before, "unused")),
        (Some(0.0), Some(0.0)),
        "{before}"
    );
    let mut client = Client::connect(players);
    client.send("xboard\nprotover 2\noption Profile=broken\noption Book=none\nst 1\ngo\n");
    client.until("move ");
    let deadline = Instant::now() + TEST_TIMEOUT;
    let after = loop {
        let after = numbers(http);
        if failures(&after, "broken") >= Some(3.0) && !after.contains("farboard_engine_processes{") {
            break after;
        }
        assert!(Instant::now() < deadline, "{after}");
    };
    assert_eq!(failures(&after, "unused"), Some(0.0));
    fs::remove_file(&path).expect("a file");
}
