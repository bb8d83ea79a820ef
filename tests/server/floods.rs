//! Clients that send much at once. That other clients do not wait for the end of a flood is tested
//! beside the code, where the test drives the event loop.

use crate::test_server::{Client, TEST_TIMEOUT, TestServer};
use std::time::Instant;

/// Knight moves there and back.
const WALK: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

/// A client with a game so long that starting an analysis, which copies the record, costs the
/// server far more than reading the command.
fn with_long_game(server: &TestServer) -> Client {
    let mut client = server.client();
    let moves = WALK.repeat(2000).join("\n");
    client.send(format!("xboard\nprotover 2\nforce\n{moves}\nping 0\n"));
    client.until("pong 0");
    client
}

#[test]
fn ten_thousand_costly_commands_and_the_end_of_input_are_served_in_order() {
    let server = TestServer::start();
    let mut flooder = with_long_game(&server);
    let commands: String = (0..3333).map(|number| format!("analyze\nexit\nping {number}\n")).collect();
    // All input is available before most of it is handled, without any further notification.
    flooder.send(commands + "ping 3333");
    flooder.half_close();
    server.client().ping(1);
    let said = flooder.rest();
    let expected: Vec<String> = (0..=3333).map(|number| format!("pong {number}")).collect();
    assert_eq!(said, expected);
}

#[test]
fn after_quit_the_rest_of_a_flood_is_not_handled() {
    let server = TestServer::start();
    let mut flooder = with_long_game(&server);
    flooder.send(format!("{}ping 1\nquit\n{}", "analyze\nexit\n".repeat(500), "ping 2\n".repeat(500)));
    assert_eq!(flooder.rest(), ["pong 1"]);
    server.client().ping(1);
}

/// A client with a session. An earlier one may still occupy the slot, so it may need several
/// attempts.
fn admitted(server: &TestServer, number: u32) -> Client {
    let deadline = Instant::now() + TEST_TIMEOUT;
    loop {
        let mut client = server.client();
        client.send(format!("ping {number}\n"));
        if client.line().is_some_and(|line| line == format!("pong {number}")) {
            return client;
        }
        assert!(Instant::now() < deadline, "the slot is not free");
    }
}

#[test]
fn a_client_that_disconnects_during_its_flood_frees_its_slot() {
    let server = TestServer::with(|setup| setup.limits.sessions = 2);
    let mut watcher = server.client();
    watcher.ping(0);
    for number in 1..=20 {
        let mut flooder = admitted(&server, number);
        flooder.send("new\n".repeat(4000));
        flooder.reset();
        let mut next = admitted(&server, number);
        next.send("quit\n");
        assert!(next.rest().is_empty());
        watcher.ping(number);
    }
}
