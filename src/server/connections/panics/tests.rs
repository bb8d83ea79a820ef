//! A panic costs one session, whatever it was doing.

use crate::chess::{AnyPosition, Variant};
use crate::pool::SearchEvent;
use crate::server::test_server::{TestClient, TestServer, endless};
use crate::session::Input;
use crate::session::xboard::fault::{self, Fatal};

/// Two sessions that analyse; from then on an input is fatal for one of them, and `then` causes it.
fn one_of_two(fatal: Fatal, then: impl FnOnce(&mut TestServer, &mut TestClient)) {
    let mut server = TestServer::new(|_| {});
    let (mut victim, mut other) = (server.client(), server.client());
    for client in [&mut victim, &mut other] {
        client.send("xboard\nprotover 2\nnew\npost\nanalyze\n");
        // It says no more than that.
        server.hear(client, "1 ");
    }
    assert_eq!(server.server.connections.searches.pool.searches(), 2);
    fault::at(fatal);
    then(&mut server, &mut victim);
    let said = server.hear(&mut victim, "tellusererror");
    assert!(said.contains("a defect of this server"), "{said}");
    server.until("the end", |_| {
        assert_eq!(victim.line(), None);
        victim.ended
    });
    drop(victim);
    fault::at(|_| false);
    server.until("only the other is left", |server| {
        let connections = &server.server.connections;
        (connections.slots.len(), connections.admission.sessions(), connections.searches.pool.searches())
            == (1, 1, 1)
    });
    assert!(
        server.server.connections.effects.is_empty(),
        "leftover effects would be executed for another session"
    );
    other.send("exit\nnew\nforce\nusermove e2e4\nping 2\n");
    server.hear(&mut other, "pong 2");
    server.until("no search", |server| server.server.connections.searches.pool.searches() == 0);
    // Its slot is free.
    let mut new_connection = server.client();
    new_connection.send("ping 3\n");
    server.hear(&mut new_connection, "pong 3");
}

#[test]
fn a_line() {
    one_of_two(
        |input| matches!(input, Input::Line(b"analyze")),
        |_, client| client.send("exit\nanalyze\nping 7\nanalyze\n"),
    );
}

#[test]
fn a_line_in_front_of_more_than_is_read_at_once() {
    one_of_two(
        |input| matches!(input, Input::Line(b"new")),
        |_, client| client.send(&format!("new\n{}", "ping 7\n".repeat(5000))),
    );
}

#[test]
fn the_end_of_input() {
    one_of_two(|input| matches!(input, Input::Eof), |_, client| client.end_input());
}

#[test]
fn a_timer() {
    one_of_two(|input| matches!(input, Input::Timer), |_, client| client.send("exit\nnew\nst 1\ngo\n"));
}

#[test]
fn the_word_of_a_search() {
    one_of_two(|input| matches!(input, Input::Search(..)), |_, client| client.send("exit\nanalyze\n"));
}

#[test]
fn a_panic_during_a_drain_does_not_stop_the_shutdown() {
    let mut server = TestServer::new(|_| {});
    let mut clients: Vec<TestClient> = (0..3).map(|_| server.client()).collect();
    for client in &mut clients {
        client.send("xboard\nping 1\n");
        server.hear(client, "pong 1");
    }
    fault::at(|input| matches!(input, Input::Drain(_)));
    server.server.handle().drain();
    for client in &mut clients {
        server.hear(client, "tellusererror a defect of this server");
    }
    fault::at(|_| false);
    drop(clients);
    server.until("no connection is left", |server| server.server.connections.slots.is_empty());
}

/// A search that panics has reported a move before: that is played, and only its user is notified
/// of the panic.
#[test]
fn a_search_that_panics_costs_no_session() {
    let mut server = TestServer::new(|setup| {
        setup.search = Box::new(|task, gate, reports| {
            let limits = task.limits();
            assert_ne!(limits.depth, Some(7), "this panic is part of a test: nothing was said");
            let mut reports = |report: SearchEvent| {
                reports(report);
                assert_ne!(limits.depth, Some(8), "this panic is part of a test: something was said");
            };
            endless(task, gate, &mut reports)
        });
    });
    let (mut player, mut other) = (server.client(), server.client());
    other.send("xboard\nprotover 2\nnew\npost\nanalyze\n");
    server.hear(&mut other, "1 ");
    player.send("xboard\nprotover 2\nnew\npost\nst 3600\nsd 8\ne2e4\n");
    let said = server.hear(&mut player, "tellusererror");
    assert!(said.contains("playing the best move known"), "{said}");
    let mut position = AnyPosition::start(Variant::NORMAL);
    position.play(position.parse_move("e2e4").expect("a move"));
    let best = *position.legal_moves().last().expect("the game goes on");
    assert_eq!(server.hear(&mut player, "move "), format!("move {}", position.coordinates(best)));
    // Nothing was reported: the static best move is played.
    player.send("new\nsd 7\ne2e4\n");
    server.hear(&mut player, "move ");
    player.send("ping 1\n");
    server.hear(&mut player, "pong 1");
    assert_eq!(server.server.connections.admission.sessions(), 2);
    other.send("ping 2\n");
    server.hear(&mut other, "pong 2");
}

/// Without a thread for it, an analysis begins by itself once there is one.
#[test]
fn an_analysis_without_a_thread_begins_later() {
    let mut server = TestServer::new(|setup| setup.size.searches = 64);
    server.server.connections.searches.pool.let_have_threads(false);
    let mut clients: Vec<TestClient> = (0..20).map(|_| server.client()).collect();
    for client in &mut clients {
        client.send("xboard\nprotover 2\nnew\npost\nanalyze\n");
        let said = server.hear(client, "tellusererror");
        assert!(said.contains("will start as soon as possible"), "{said}");
    }
    assert_eq!(server.server.connections.searches.pool.searches(), 0);
    let mut player = server.client();
    player.send("xboard\nprotover 2\nnew\nst 3600\ne2e4\n");
    server.hear(&mut player, "move ");
    server.server.connections.searches.pool.let_have_threads(true);
    for client in &mut clients {
        server.hear(client, "1 ");
    }
}
