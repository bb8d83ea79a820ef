//! Floods of input, and other clients beside them. The test makes the turns of the loop, and in
//! each turn one line is handled; so what happens before a turn and what after it is certain on a
//! machine of any speed.

use crate::pool::SearchFn;
use crate::search::{Done, Score};
use crate::server::test_server::{TestClient, TestServer};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Time limit for operations of the system. Only a hang reaches it.
const TEST_TIMEOUT: Duration = Duration::from_secs(60);

/// A server whose clients handle one line in each turn, and the number of searches started. A
/// search ends at once.
fn server() -> (TestServer, Arc<AtomicUsize>) {
    let begun = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&begun);
    let search: Box<SearchFn> = Box::new(move |task, gate, _| {
        count.fetch_add(1, Ordering::SeqCst);
        let request = task.search().expect("a search");
        let best = request.position.legal_moves().first().copied();
        Done { best, ponder: None, score: Score::DRAW, depth: 1, nodes: 1, elapsed: gate.elapsed() }
    });
    let mut server = TestServer::new(|setup| setup.search = search);
    server.server.connections.input.max_turn = Duration::ZERO;
    (server, begun)
}

/// Reads the client's input so far, and returns true if a line begins with `beginning`.
fn has_heard(client: &mut TestClient, heard: &mut Vec<String>, beginning: &str) -> bool {
    heard.extend(client.lines());
    heard.iter().any(|line| line.starts_with(beginning))
}

/// Enough pings that other clients are served before the last one.
fn flood() -> String {
    (0..1000).map(|number| format!("ping {number}\n")).collect()
}

#[test]
fn a_ping_is_answered_in_the_middle_of_a_flood() {
    let (mut server, _) = server();
    let (mut flooder, mut other, mut heard) = (server.client(), server.client(), Vec::new());
    server.deliver(&mut flooder, &flood());
    server.turn();
    server.deliver(&mut other, "ping 1\n");
    server.hear(&mut other, "pong 1");
    assert!(
        !has_heard(&mut flooder, &mut heard, "pong 999"),
        "the other one waited for the end of the flood"
    );
    server.until("the end of the flood", |_| has_heard(&mut flooder, &mut heard, "pong 999"));
    let expected: Vec<String> = (0..1000).map(|number| format!("pong {number}")).collect();
    assert_eq!(heard, expected);
}

#[test]
fn rare_input_is_not_delayed_by_a_crowd_of_flooders() {
    let (mut server, _) = server();
    let mut flooders: Vec<TestClient> = (0..50).map(|_| server.client()).collect();
    let mut other = server.client();
    for flooder in &mut flooders {
        server.deliver(flooder, &flood());
    }
    // The loop serves one client in a turn, so all have had one after that.
    (0..100).for_each(|_| server.turn());
    server.deliver(&mut other, "ping 1\n");
    let (mut turns, mut heard) = (0, Vec::new());
    server.until("an answer", |_| {
        turns += 1;
        has_heard(&mut other, &mut heard, "pong 1")
    });
    assert!(turns < 10, "{turns} turns, although all others have had more");
}

#[test]
fn a_search_ends_and_its_move_is_sent_during_a_flood() {
    let (mut server, begun) = server();
    let (mut flooder, mut other, mut heard) = (server.client(), server.client(), Vec::new());
    server.deliver(&mut flooder, &flood());
    server.turn();
    server.deliver(&mut other, "sd 1\ngo\n");
    let has_begun = || begun.load(Ordering::SeqCst) == 1;
    server.until("a search", |server| server.server.connections.searches.pool.searches() == 1 || has_begun());
    let deadline = Instant::now() + TEST_TIMEOUT;
    while server.server.connections.searches.pool.searches() > 0 || !has_begun() {
        assert!(Instant::now() < deadline, "the search does not end");
        std::thread::yield_now();
    }
    server.hear(&mut other, "move ");
    assert!(!has_heard(&mut flooder, &mut heard, "pong 999"), "the move waited for the end of the flood");
}

/// Whether the system knows that the other side is gone.
fn has_failed(socket: &mio::net::TcpStream) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let mut asked = [PollFd::new(socket, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut asked, Some(&now)).is_ok() && asked[0].revents().contains(PollFlags::ERR)
}

#[test]
fn input_of_a_disconnected_client_is_dropped() {
    let (mut server, _) = server();
    let mut client = server.client();
    server.deliver(&mut client, &"force\n".repeat(1000));
    let slot = server.slot_of(&client).expect("accepted");
    server.server.connections.input.overload_notice_after = Duration::ZERO;
    drop(client);
    server.turn();
    // The server has sent its notice, and the client's system answers with a reset.
    let deadline = Instant::now() + TEST_TIMEOUT;
    while !has_failed(server.server.connections.slots[slot].stream.socket.tcp().expect("TCP")) {
        assert!(Instant::now() < deadline, "no reset comes");
        std::thread::yield_now();
    }
    server.turn();
    assert!(!server.server.connections.slots.contains(slot), "the session outlives its client");
}

#[test]
fn input_before_an_end_of_input_is_handled_completely() {
    let (mut server, _) = server();
    server.server.connections.input.overload_notice_after = Duration::ZERO;
    let (mut client, mut heard) = (server.client(), Vec::new());
    server.deliver(&mut client, &format!("{}sd 1\ngo\n", "force\n".repeat(1000)));
    client.end_input();
    server.until("a move", |_| has_heard(&mut client, &mut heard, "move "));
    assert!(has_heard(&mut client, &mut heard, "# "), "a notice about too much input");
}

#[test]
fn a_search_stopped_in_the_same_turn_is_never_started() {
    let (mut server, begun) = server();
    let mut client = server.client();
    server.server.connections.input.max_turn = TEST_TIMEOUT;
    server.deliver(&mut client, &format!("sd 1\n{}ping 1\n", "go\nforce\n".repeat(500)));
    server.hear(&mut client, "pong 1");
    assert_eq!(begun.load(Ordering::SeqCst), 0);
    server.deliver(&mut client, "go\nping 2\n");
    server.hear(&mut client, "move ");
    server.hear(&mut client, "pong 2");
    assert_eq!(begun.load(Ordering::SeqCst), 1);
}
