//! Conversations sent in several ways: line by line, byte by byte, all in one write, with CR LF.

use crate::test_server::{Client, TestServer};

/// A client's lines, and the beginnings of the expected replies in order.
struct Script {
    sent: &'static [&'static str],
    replies: &'static [&'static str],
}

const SCRIPTS: &[Script] = &[
    Script { sent: &["ping 1", "ping 2", "", "ping 3"], replies: &["pong 1", "pong 2", "pong 3"] },
    Script {
        sent: &["xboard", "protover 2", "new", "force", "e2e4", "e7e5", "e1e3", "ping 4"],
        replies: &["feature ", "Illegal move", "pong 4"],
    },
    Script {
        sent: &["xboard", "protover 2", "nonsense", "ping 5"],
        replies: &["Error (unknown command): nonsense", "pong 5"],
    },
    Script { sent: &["xboard", "protover 2", "new", "sd 2", "e2e4"], replies: &["move "] },
];

fn play(server: &TestServer, say: impl Fn(&mut Client, &[&str])) {
    for script in SCRIPTS {
        let mut client = server.client();
        say(&mut client, script.sent);
        for beginning in script.replies {
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
