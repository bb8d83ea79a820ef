//! Conversations sent in several ways: line by line, byte by byte, all in one write, with CR LF.

use crate::test_server::{Client, TestServer};

/// A client's lines, and the beginnings of the expected replies in order.
struct Script {
    said: &'static [&'static str],
    heard: &'static [&'static str],
}

const SCRIPTS: &[Script] = &[
    Script { said: &["ping 1", "ping 2", "", "ping 3"], heard: &["pong 1", "pong 2", "pong 3"] },
    Script {
        said: &["xboard", "protover 2", "new", "force", "e2e4", "e7e5", "e1e3", "ping 4"],
        heard: &["feature ", "Illegal move", "pong 4"],
    },
    Script {
        said: &["xboard", "protover 2", "nonsense", "ping 5"],
        heard: &["Error (unknown command): nonsense", "pong 5"],
    },
    Script { said: &["xboard", "protover 2", "new", "sd 2", "e2e4"], heard: &["move "] },
];

fn play(server: &TestServer, say: impl Fn(&mut Client, &[&str])) {
    for script in SCRIPTS {
        let mut client = server.client();
        say(&mut client, script.said);
        for beginning in script.heard {
            client.until(beginning);
        }
    }
}

#[test]
fn line_by_line() {
    play(&TestServer::start(), |client, lines| {
        lines.iter().for_each(|line| client.send(format!("{line}\n")))
    });
}

#[test]
fn byte_by_byte() {
    play(&TestServer::start(), |client, lines| {
        for byte in lines.iter().flat_map(|line| line.bytes().chain([b'\n'])) {
            client.send([byte]);
        }
    });
}

#[test]
fn in_one_write() {
    play(&TestServer::start(), |client, lines| client.send(lines.join("\n") + "\n"));
}

#[test]
fn with_crlf() {
    play(&TestServer::start(), |client, lines| client.send(lines.join("\r\n") + "\r\n"));
}

#[test]
fn without_a_last_line_end() {
    play(&TestServer::start(), |client, lines| {
        client.send(lines.join("\n"));
        client.half_close();
    });
}
