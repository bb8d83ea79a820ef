//! Ends of sessions and servers.

use crate::test_server::{Client, TestServer};
use std::time::Duration;

/// A client whose engine thinks for up to an hour.
fn thinking(server: &TestServer) -> Client {
    let mut client = server.client();
    client.send("xboard\nprotover 2\nnew\nst 3600\npost\ngo\n");
    // A thinking line: the search runs.
    client.until("1 ");
    client
}

/// Stops output to the client, so that no failing write reveals its end.
fn silence(client: &mut Client) {
    client.send("nopost\n");
    client.status();
}

/// A move that takes a tenth of a second.
fn short_move(client: &mut Client) {
    client.send("xboard\nprotover 2\nnew\nsd 3\ngo\n");
    client.until("move ");
}

#[test]
fn a_reset_in_the_middle_of_a_search_frees_its_token_at_once() {
    // One search at a time: the second cannot begin before the first has ended.
    let server = TestServer::with(|setup| {
        setup.size.workers = 1;
        setup.size.searches = 1;
    });
    let mut first = thinking(&server);
    silence(&mut first);
    let mut second = server.client();
    first.reset();
    short_move(&mut second);
}

#[test]
fn quit_in_the_middle_of_a_search_frees_its_token_at_once() {
    let server = TestServer::with(|setup| {
        setup.size.workers = 1;
        setup.size.searches = 1;
    });
    let mut first = thinking(&server);
    let mut second = server.client();
    first.send("quit\n");
    first.rest();
    short_move(&mut second);
}

#[test]
fn after_a_half_close_pending_answers_still_come() {
    let server = TestServer::start();
    let mut client = server.client();
    client.send("xboard\nprotover 2\nnew\nst 1\ngo\nping 7\n");
    client.half_close();
    let said = client.rest();
    let last: Vec<&str> = said.iter().rev().take(2).map(String::as_str).collect();
    assert!(last[0] == "pong 7" && last[1].starts_with("move "), "{said:?}");
}

#[test]
fn a_reset_after_a_half_close_frees_the_token_at_once() {
    let server = TestServer::with(|setup| {
        setup.size.workers = 1;
        setup.size.searches = 1;
    });
    // The server may see both at once, or one after the other.
    for apart in [false, true] {
        let mut first = thinking(&server);
        silence(&mut first);
        let mut second = server.client();
        second.ping(1);
        first.half_close();
        if apart {
            second.ping(2);
        }
        first.reset();
        short_move(&mut second);
    }
}

#[test]
fn a_half_close_ends_an_analysis() {
    let server = TestServer::with(|setup| {
        setup.size.workers = 1;
        setup.size.searches = 1;
    });
    let mut client = server.client();
    client.send("xboard\nprotover 2\nnew\npost\nanalyze\n");
    client.until("1 ");
    client.half_close();
    client.rest();
    let mut other = server.client();
    other.send("xboard\nprotover 2\nnew\npost\nanalyze\n");
    other.until("1 ");
}

#[test]
fn the_last_output_arrives_although_the_client_sends_more() {
    let server = TestServer::start();
    let mut client = server.client();
    let after = "ping 3\n".repeat(100_000);
    client.send("ping 1\nquit\n");
    // The server may close meanwhile, which is fine.
    let _ = std::io::Write::write_all(&mut client.stream().try_clone().unwrap(), after.as_bytes());
    assert_eq!(client.line().as_deref(), Some("pong 1"));
    assert_eq!(client.line(), None);
}

#[test]
fn draining_ends_idle_sessions_and_lets_games_end() {
    let server = TestServer::start();
    let mut idle = server.client();
    idle.ping(1);
    let mut playing = server.client();
    playing.send("xboard\nprotover 2\nnew\nst 3600\ngo\n");
    playing.status();
    server.handle.drain();
    idle.rest();
    playing.send("?\n");
    playing.until("move ");
    assert!(std::net::TcpStream::connect(server.address).is_err(), "new sessions are refused");
    playing.send("quit\n");
    playing.rest();
    server.join();
}

#[test]
fn draining_has_an_end() {
    let server = TestServer::with(|setup| setup.limits.drain = Duration::from_millis(200));
    let mut client = thinking(&server);
    server.handle.drain();
    client.rest();
    server.join();
}

#[test]
fn stopping_ends_everything() {
    let server = TestServer::start();
    let mut clients: Vec<Client> = (0..10).map(|_| thinking(&server)).collect();
    server.handle.drain();
    server.handle.stop();
    clients.iter_mut().for_each(|client| drop(client.rest()));
    server.join();
}
