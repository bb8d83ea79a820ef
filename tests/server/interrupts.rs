//! Interrupt signals in the input stream.

use crate::test_server::TestServer;
use farboard::session::{Interrupt, Profile};
use std::sync::Arc;

/// Ctrl-C as sent by a raw terminal and by telnet.
const SIGNALS: [&[u8]; 2] = [b"\x03", b"\xff\xf4\xff\xfd\x06"];

#[test]
fn a_signal_leaves_its_line_intact() {
    let server = TestServer::start();
    for signal in SIGNALS {
        let line = [b"xboard\nping", signal, b" 7\n", signal].concat();
        let mut client = server.client();
        client.send(&line);
        assert_eq!(client.line().as_deref(), Some("pong 7"));
        line.iter().for_each(|byte| client.send([*byte]));
        assert_eq!(client.line().as_deref(), Some("pong 7"));
    }
}

#[test]
fn a_signal_stops_pondering_if_configured() {
    let server = TestServer::with(|setup| {
        let profile = Profile { interrupt: Interrupt::StopPondering, ..Profile::clone(&setup.profile) };
        setup.profile = Arc::new(profile);
    });
    for signal in SIGNALS {
        let mut client = server.client();
        client.send("xboard\nnew\nhard\nst 0.1\ne2e4\n");
        client.until("move ");
        client.status();
        client.send(signal);
        // While nothing is searched, `.` has no answer.
        client.send(".\nping 1\n");
        assert_eq!(client.until("").as_str(), "pong 1");
        // The engine's own move is not hurried; afterwards it ponders again.
        client.send("st 0.3\nd2d4\n");
        client.send(signal);
        client.until("move ");
        client.status();
    }
}
