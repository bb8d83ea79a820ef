//! Foreign engines behind a port.

use super::*;

fn quoting() -> World {
    let mut world = World::new(&["a"]);
    world.client("xboard\nprotover 2\n");
    world.connect();
    assert_eq!(world.sent(), "farboard-link 1\n");
    world.server(b"GNU Chess 6\nError (unknown com");
    assert_eq!((world.shown().as_str(), world.sent().as_str()), ("", ""));
    world.server(b"mand): farboard-link 1\nfeature pi");
    world
}

#[test]
fn an_engine_that_quotes_the_greeting_is_relayed_without_that_line() {
    let mut world = quoting();
    assert_eq!(world.shown(), "GNU Chess 6\nfeature pi");
    assert_eq!(world.sent(), "xboard\nprotover 2\n");
    world.server(b"ng=1\n\xff\x00");
    world.client("half a l");
    world.client("ine\n");
    assert_eq!(world.sent(), "half a line\n");
    assert_eq!(world.relay.unaccounted(), 0);
    world.close();
    assert_eq!(world.ending(), Some(Ending::ServerClosed));
}

#[test]
fn a_web_server_is_no_engine() {
    let error = "a is a web server: name the port for engines, by default 5254";
    for answer in [
        "HTTP/1.1 400 Bad Request\r\n\r\n<p>No method.</p>\n",
        "<!DOCTYPE HTML>\n<p>Bad request syntax ('farboard-link 1').</p>\n",
    ] {
        let mut world = World::new(&["a"]);
        world.client("xboard\n");
        world.connect();
        world.server(answer.as_bytes());
        if world.ending().is_none() {
            world.close();
        }
        assert_eq!(world.shown(), format!("tellusererror {error}\nfarboard-connect: server not found\n"));
        assert_eq!(world.ending(), Some(Ending::NoServer));
    }
}

#[test]
fn a_silent_engine_gets_the_clients_bytes_after_two_seconds() {
    let mut world = World::new(&["a"]);
    world.client("new\n");
    world.connect();
    world.sent();
    world.wait(ms(1999));
    assert_eq!(world.sent(), "");
    world.wait(ms(1));
    assert_eq!(world.sent(), "new\n");
    world.server(b"Illegal move: farboard-link 1\nWhite (1) : ");
    assert_eq!(world.shown(), "White (1) : ");
    world.server(b"farboard-link");
    assert_eq!(world.shown(), "farboard-link", "only the first answer is dropped");
}

#[test]
fn the_beginning_of_a_line_is_held_back_no_longer_than_an_answer_may_come() {
    let mut world = World::new(&["a"]);
    world.client("new\n");
    world.connect();
    world.wait(ms(2000));
    world.server(b"hello\nWhite (1) : ");
    assert_eq!(world.shown(), "hello\n");
    world.wait(ms(8000));
    assert_eq!(world.shown(), "White (1) : ");
    world.server(&[b'x'; 1000]);
    assert_eq!(world.shown().len(), 1000);
}

#[test]
fn an_engine_that_is_lost_ends_the_session() {
    let mut world = quoting();
    world.reset();
    assert_eq!(world.ending(), Some(Ending::ConnectionLost("Connection reset by peer".to_owned())));
    assert_eq!(world.dialled.len(), 1);
}

#[test]
fn the_end_of_input_is_passed_on_and_answers_still_come() {
    let mut world = quoting();
    world.event(Event::ClientEnd);
    assert_eq!(world.finished, [world.attempt]);
    world.wait(Duration::from_secs(100));
    world.server(b"move e7e5\n");
    world.close();
    assert!(world.shown().ends_with("move e7e5\n"));
    assert_eq!(world.ending(), Some(Ending::ServerClosed));
}

#[test]
fn an_engine_does_not_take_a_session_that_a_farboard_began() {
    let mut world = World::in_a_session(&["a", "b"], "xboard\n", "s 1\n");
    world.reset();
    world.connect();
    world.server(b"unknown command: farboard-link 1\n");
    assert_eq!((world.at, world.shown().as_str()), (1, ""));
}

#[test]
fn a_late_farboard_is_connected_to_again() {
    let mut world = World::new(&["a"]);
    world.client("xboard\n");
    world.connect();
    world.wait(ms(2500));
    world.server(b"farboard-link 1\n");
    assert_eq!(world.dropped, [(1, false)]);
    world.connect();
    world.sent();
    world.greet();
    assert_eq!(world.sent(), "new\ninput 7 2500\nxboard\n");
    assert_eq!(world.shown(), "");
}
