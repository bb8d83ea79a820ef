//! The order of things in a turn of the loop.

use super::ServerPhase;
use crate::pool::SearchFn;
use crate::server::test_server::{TestClient, TestServer, endless};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

#[test]
fn moves_found_in_time_are_played_even_if_the_loop_is_late() {
    let said = Arc::new(AtomicBool::new(false));
    let says = Arc::clone(&said);
    let search: Box<SearchFn> = Box::new(move |task, gate, reports| {
        endless(task, gate, &mut |report| {
            reports(report);
            says.store(true, Ordering::SeqCst);
        })
    });
    let mut server = TestServer::new(|setup| setup.search = search);
    let mut client = server.client();
    server.deliver(&mut client, "xboard\nprotover 2\nst 1\ngo\n");
    server.until("a search", |server| server.server.connections.searches.pool.searches() == 1);
    // The loop stands still from here until the move is due.
    while !said.load(Ordering::SeqCst)
        || server.server.connections.timers.next().is_some_and(|at| at > Instant::now())
    {
        std::thread::yield_now();
    }
    let line = server.hear(&mut client, "move ");
    // This search prefers the last of all legal moves, unlike any other.
    assert_eq!(line, "move h2h4");
}

#[test]
fn the_loop_does_not_sleep_while_there_is_mail_of_searches() {
    let mut server = TestServer::new(|_| {});
    let mut client = server.client();
    server.deliver(&mut client, "xboard\nprotover 2\npost\nanalyze\n");
    server.until("a search", |server| server.server.connections.searches.pool.searches() == 1);
    // The message has woken the loop, and a turn that handled other messages may have used up that wakeup.
    let deadline = Instant::now() + Duration::from_secs(60);
    while server.server.connections.next_wakeup(Instant::now()).is_none() {
        assert!(Instant::now() < deadline, "the search has said something, and the loop would sleep");
        std::thread::yield_now();
    }
}

#[test]
fn new_connections_do_not_delay_shutdown() {
    let mut server = TestServer::new(|setup| setup.limits.drain = Duration::from_secs(3600));
    // The service manager has the socket, so they still come.
    server.server.set_shared_sockets([true]);
    let mut player = server.client();
    player.send("xboard\nprotover 2\nst 3600\ngo\n");
    server.until("a search", |server| server.server.connections.searches.pool.searches() == 1);
    server.server.handle().drain();
    server.turn();
    // One comes in each turn, and none of them closes.
    let mut newcomers: Vec<TestClient> = Vec::new();
    let mut newcomer_comes = |server: &mut TestServer| {
        newcomers.push(server.client());
        server.server.phase == ServerPhase::Over
    };
    for _ in 0..20 {
        assert!(!newcomer_comes(&mut server), "a game goes on");
        server.turn();
    }
    player.send("quit\n");
    player.end_input();
    server.until("the end", newcomer_comes);
    assert!(newcomers[0].lines().iter().any(|line| line.contains("is being replaced")));
    assert!(server.server.connections.slots.is_empty());
}
