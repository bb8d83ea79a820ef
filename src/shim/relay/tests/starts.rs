//! Servers that refuse, are silent or cannot be reached before a session has begun.

use super::*;
use crate::protocol::BEING_REPLACED;

#[test]
fn each_server_is_tried_once_and_the_error_of_the_last_is_shown() {
    let mut world = World::new(&["a", "b", "c"]);
    world.client("xboard\n");
    world.refuse_connection();
    world.connect();
    world.server(b"tellusererror The server is full.\n");
    world.close();
    assert_eq!(world.at, 2);
    world.connect();
    world.server(b"tellusererror Go away.\n");
    world.close();
    assert_eq!(world.shown(), "tellusererror Go away.\nfarboard-connect: server not found\n");
    assert_eq!(world.ending(), Some(Ending::NoServer));
    assert_eq!(world.dialled.len(), 3);
}

#[test]
fn the_report_of_no_server_waits_a_second_for_the_clients_protocol() {
    for (first_line, error_lines) in [
        (Some("uci\n"), "info string ERROR: Cannot reach a: Connection refused\n"),
        (
            Some("xboard\n"),
            "tellusererror Cannot reach a: Connection refused\nfarboard-connect: server not found\n",
        ),
        (None, "tellusererror Cannot reach a: Connection refused\nfarboard-connect: server not found\n"),
    ] {
        let mut world = World::new(&["a"]);
        world.refuse_connection();
        world.wait(ms(900));
        assert_eq!(world.shown(), "");
        match first_line {
            Some(line) => world.client(line),
            None => world.wait(ms(100)),
        }
        assert_eq!(world.shown(), error_lines);
        assert_eq!(world.ending(), Some(Ending::NoServer));
    }
    let mut world = World::with(&["a"], |plan| plan.protocol = Some(ClientProtocol::Checkers));
    world.refuse_connection();
    assert_eq!(world.shown(), "ALERT Cannot reach a: Connection refused\n");
    let mut world = World::with(&["a"], |plan| plan.is_terminal = true);
    world.refuse_connection();
    assert_eq!(world.shown(), "farboard-connect: Cannot reach a: Connection refused\n");
}

#[test]
fn a_server_that_closes_without_a_word_is_tried_once_more_a_little_later() {
    let mut world = World::new(&["a", "b"]);
    world.client("xboard\n");
    for server in [0, 1, 1, 0] {
        assert_eq!(world.at, server);
        world.connect();
        world.close();
        world.wait(ms(300));
    }
    let expected = "tellusererror a closes the connection without a word: perhaps it does not accept this machine\n\
                    farboard-connect: server not found\n";
    assert_eq!(world.shown(), expected);
    assert_eq!(world.dialled, [(0, 0), (1, 0), (1, 600), (0, 900)]);
}

#[test]
fn a_server_that_closes_after_the_greeting_is_lost_and_does_not_refuse() {
    let mut world = World::new(&["a"]);
    world.client("xboard\n");
    world.connect_and_greet();
    world.close();
    for _ in 0..4 {
        world.wait(Duration::from_secs(2));
        world.connect();
        world.close();
    }
    world.wait(Duration::from_secs(2));
    world.connect_and_greet();
    assert_eq!(world.shown(), "");
    assert!(world.sent().ends_with("xboard\n"));
}

#[test]
fn the_shim_waits_for_a_server_that_is_being_replaced() {
    let mut world = World::new(&["a"]);
    world.client("xboard\n");
    for _ in 0..3 {
        world.connect();
        world.server(format!("tellusererror {BEING_REPLACED}\n").as_bytes());
        world.close();
        world.wait(Duration::from_secs(2));
    }
    world.connect();
    world.sent();
    world.greet();
    assert_eq!(world.sent()[..13], *"new\ninput 7 6");
    world.frame(7, "\n", "s 1\n", false);
    assert_eq!((world.shown().as_str(), world.dialled.len()), ("\n", 4));
}

#[test]
fn a_silent_server_is_passed_over_while_another_is_untried() {
    for (protocol, timeout) in [(None, 4000), (Some(ClientProtocol::Checkers), 1500)] {
        let mut world = World::with(&["a", "b"], |plan| plan.protocol = protocol);
        world.client("xboard\n");
        world.connect();
        world.wait(ms(timeout - 1));
        assert_eq!(world.dialled.len(), 1);
        world.wait(ms(1));
        assert_eq!(world.dialled[1], (1, u128::from(timeout)));
        world.connect_and_greet();
        assert!(world.sent().starts_with("new\ninput 7"));
    }
}

#[test]
fn in_uci_the_only_server_has_eight_seconds() {
    let mut world = World::new(&["a"]);
    world.connect();
    world.wait(ms(1000));
    world.client("uci\n");
    world.wait(ms(7999));
    assert_eq!(world.shown(), "");
    world.wait(ms(1));
    assert_eq!(world.shown(), "info string ERROR: a does not answer\n");
}

#[test]
fn options_of_the_command_line_follow_the_first_line() {
    let options = StartupOptions::of_command(&["club".to_owned(), "30".to_owned()]);
    let mut world = World::with(&["a"], |plan| plan.options = options);
    world.connect();
    world.greet();
    world.client("xbo");
    world.client("ard\nprotover 2\n");
    let expected =
        "farboard-link 1\nnew\ninput 3 0\nxboinput 41 0\nard\noption Profile=club\nst 30\nprotover 2\n";
    assert_eq!(world.sent(), expected);
    assert_eq!(
        world.recorded,
        ["# connected to a", "> xbo", "> ard\n", "+ option Profile=club\nst 30\n", "> protover 2\n"]
    );
}

#[test]
fn output_before_the_greeting_is_for_other_clients() {
    let mut world = World::with(&["a"], |plan| plan.protocol = Some(ClientProtocol::Checkers));
    world.connect();
    world.server(b"READY\nfarboard-");
    world.server(b"link 1\nframe 0 6 10 idle\nREADY\n0 0 4\ns 1\n");
    assert_eq!((world.shown().as_str(), world.relay.state()), ("READY\n", "s 1\n"));
}

#[test]
fn a_line_without_an_end_before_the_greeting_is_refused() {
    let mut world = World::new(&["a"]);
    world.client("xboard\n");
    let attempt = world.attempt;
    world.connect();
    for _ in 0..17 {
        world.server(&[b'x'; 4096]);
    }
    assert_eq!(world.dropped, [(attempt, true)]);
    let expected = "tellusererror The connection to a was lost: it sends a line without an end\n";
    assert!(world.shown().starts_with(expected));
}
