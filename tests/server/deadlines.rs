//! Moves are sent on time, whatever the searches do and however many clients there are.

use crate::test_server::{Client, TestServer, report, stand_in};
use farboard::chess::AnyPosition;
use farboard::pool::{SearchEvent, Task};
use farboard::search::{Done, Score};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Releases unresponsive searches at the end of a test, however it ends: the server joins their
/// threads.
struct Release(Arc<AtomicBool>);

impl Drop for Release {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Reports a move, then ignores its gate until released.
fn deaf(task: &Task, reports: &mut dyn FnMut(SearchEvent), released: &AtomicBool) -> Done {
    let request = task.search().expect("a search");
    let best = request.position.chess().map(|position| liked(&position)).expect("the game is chess");
    reports(report(1, Some(best), Duration::ZERO).into());
    while !released.load(Ordering::Relaxed) {
        std::thread::park_timeout(Duration::from_millis(1));
    }
    Done { best: None, ponder: None, score: Score::DRAW, depth: 0, nodes: 0, elapsed: Duration::ZERO }
}

fn liked(position: &AnyPosition) -> farboard::chess::Move {
    *position.legal_moves().last().expect("the game goes on")
}

#[test]
fn a_move_is_sent_on_time_although_no_search_polls() {
    let released = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&released);
    let server = TestServer::with(|setup| {
        setup.size.workers = 1;
        setup.search = Box::new(move |task, _, reports| deaf(task, reports, &flag));
    });
    // Dropped before the server.
    let _release = Release(released);
    // The first search has the only token when the others start, and time enough on any machine.
    let mut first = server.client();
    first.send("xboard\nprotover 2\nnew\neasy\npost\nst 5\ne2e4\n");
    first.until("1 ");
    let mut others: Vec<Client> = (0..5).map(|_| server.client()).collect();
    for client in &mut others {
        client.send("xboard\nprotover 2\nnew\neasy\nst 1\ne2e4\n");
    }
    let mut position = AnyPosition::start(farboard::chess::Variant::NORMAL);
    position.play(position.parse_move("e2e4").expect("a move"));
    let expected = format!("move {}", position.coordinates(liked(&position)));
    assert_eq!(first.until("move "), expected, "its best");
    // These get no token: the move is chosen by static evaluation.
    for client in &mut others {
        client.until("move ");
        client.ping(1);
    }
}

#[test]
fn a_new_analysis_is_refused_for_too_many_searches_and_begins_when_one_ends() {
    let server = TestServer::with(|setup| {
        (setup.size.workers, setup.size.searches) = (1, 2);
        setup.search = Box::new(stand_in);
    });
    let analyse = |client: &mut Client| client.send("xboard\nprotover 2\nnew\npost\nanalyze\n");
    let mut analyses = [server.client(), server.client()];
    for client in &mut analyses {
        analyse(client);
        client.until("4 ");
    }
    let mut newcomer = server.client();
    analyse(&mut newcomer);
    let said = newcomer.until("tellusererror ");
    assert!(said.contains("busy: 2 searches like this one"), "{said}");
    // Games have a limit of their own, and the analyses are undisturbed.
    let mut player = server.client();
    player.send("xboard\nprotover 2\nnew\neasy\nst 1\ne2e4\n");
    player.until("move ");
    for client in &mut analyses {
        client.status();
        client.send("quit\n");
        let rest = client.rest();
        assert!(!rest.iter().any(|line| line.starts_with("tellusererror")), "{rest:?}");
    }
    // There is a free slot now, and the analysis begins by itself.
    newcomer.until("1 ");
}
