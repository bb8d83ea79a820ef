//! A game that has ended is in the archive whatever ends its session.

use crate::archive::{Archive, Limits};
use crate::book::Books;
use crate::pool::{SearchEvent, Task};
use crate::search::{Done, Gate, Verdict};
use crate::server::test_server::{TestClient, TestServer, endless};
use crate::session::xboard::fault;
use crate::session::{Effect, FileRequest, Input, Profile, Protocol, checkers};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A gate at which a search ends.
struct End;

impl Gate for End {
    fn poll(&mut self, _: u64) -> Verdict {
        Verdict::Stop
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn past_optimum(&self, _: f32) -> bool {
        true
    }
}

/// Finds a move at once.
fn at_once(task: &Task, _: &mut dyn Gate, reports: &mut dyn FnMut(SearchEvent)) -> Done {
    endless(task, &mut End, reports)
}

/// A server that keeps games.
struct Served {
    server: TestServer,
    folder: PathBuf,
}

impl Served {
    fn speaking(protocol: Protocol, test: &str) -> Served {
        let folder = std::env::temp_dir().join(format!("farboard-kept-{test}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        let mut server = TestServer::speaking(protocol, |setup| {
            let profile = Profile { archives: true, ..Profile::new("Farboard", Books::default()) };
            setup.profile = Arc::new(profile);
            setup.search = Box::new(at_once);
        });
        server.server.connections.archive = Some(Archive::start(&folder, Limits::NONE).expect("a folder"));
        Served { server, folder }
    }

    /// A client that has sent this and got an answer that begins so.
    fn client(&mut self, said: &str, answer: &str) -> TestClient {
        let mut client = self.server.client();
        client.send(said);
        self.server.hear(&mut client, answer);
        client
    }

    /// Shuts the server down and returns the archived games.
    fn games(self) -> String {
        drop(self.server);
        let files = fs::read_dir(&self.folder).expect("a folder").map(|file| file.expect("a file").path());
        let text = files.map(|file| fs::read_to_string(file).expect("text")).collect();
        fs::remove_dir_all(&self.folder).expect("the test's folder");
        text
    }
}

/// Ends the session of the only client, otherwise than by its own wish.
type Ending = fn(&mut TestServer, TestClient);

const ENDINGS: [(&str, Ending); 5] = [
    ("reset", |server, client| {
        client.reset();
        server.until("it is gone", |server| server.server.connections.slots.is_empty());
    }),
    ("end-of-input", |server, client| {
        client.end_input();
        server.until("it is gone", |server| server.server.connections.slots.is_empty());
    }),
    ("not-reading", |server, client| {
        let connections = &mut server.server.connections;
        let slot = connections.slots.taken()[0];
        let line = "x".repeat(999) + "\n";
        // More than its socket takes.
        while connections.slots.contains(slot) {
            (0..1000).for_each(|_| connections.slots[slot].output.push(&line, None));
            connections.flush(slot, Instant::now());
        }
        drop(client);
    }),
    ("kicked", |server, client| {
        let connections = &mut server.server.connections;
        connections.close(connections.slots.taken()[0], Instant::now());
        drop(client);
    }),
    ("cut-off", |server, client| {
        server.server.connections.clear();
        drop(client);
    }),
];

/// The game of a client that has sent this and got an answer that begins so is kept once, with
/// these texts, whatever ends its session.
fn kept(protocol: Protocol, name: &str, said: &str, answer: &str, expected: &[&str]) {
    for (ending, end) in ENDINGS {
        let mut served = Served::speaking(protocol, &format!("{name}-{ending}"));
        let client = served.client(said, answer);
        end(&mut served.server, client);
        let games = served.games();
        assert_eq!(games.matches("[Event ").count(), 1, "{name}, {ending}: {games}");
        for text in expected {
            assert!(games.contains(text), "{name}, {ending}: no {text} in {games}");
        }
    }
}

/// Our move makes a draw by the fifty-move rule, which the client may not believe.
const CLAIMED: &str =
    "xboard\nprotover 2\nforce\nsetboard 4k3/8/8/8/8/8/8/R3K3 w - - 99 80\nlevel 40 5 0\ngo\n";

#[test]
fn a_draw_that_was_claimed_in_xboard() {
    kept(Protocol::Xboard, "claimed", CLAIMED, "1/2-1/2", &["[Result \"1/2-1/2\"]", "[SetUp \"1\"]"]);
}

#[test]
fn a_game_of_uci_that_has_ended_by_agreement() {
    let said = "uci\nposition startpos moves e2e4\ngo wtime 60000 btime 60000\n";
    kept(Protocol::Auto, "uci", said, "bestmove ", &["[Result \"*\"]", "[Black \"Farboard\"]", "\n1. e4 "]);
}

#[test]
fn a_game_of_draughts_that_has_ended_by_agreement() {
    let protocol = Protocol::Checkers(checkers::Manners::default());
    let said = "INIT\nMOVE 11x15\nGO\n";
    kept(protocol, "checkers", said, "BESTMOVE ", &["[Result \"*\"]", "[White \"Farboard\"]", "\n1. 11-15 "]);
}

#[test]
fn a_session_that_panics_loses_no_game_that_has_ended_before() {
    let mut served = Served::speaking(Protocol::Auto, "panic");
    let mut client = served.client(CLAIMED, "1/2-1/2");
    fault::at(|input| matches!(input, Input::Line(b"post")));
    client.send("post\n");
    served.server.hear(&mut client, "tellusererror a defect of this server");
    fault::at(|_| false);
    let games = served.games();
    assert_eq!(games.matches("[Result \"1/2-1/2\"]").count(), 1, "{games}");
}

#[test]
fn a_panic_behind_the_end_of_a_game_loses_nothing() {
    let mut served = Served::speaking(Protocol::Xboard, "behind");
    let mut client = served.client(CLAIMED, "1/2-1/2");
    let connections = &mut served.server.server.connections;
    let slot = connections.slots.taken()[0];
    connections.guard_slot(slot, |connections| {
        let session = connections.slots[slot].session.as_mut().expect("a session");
        let game = session.take_game(Instant::now()).expect("a game");
        connections.effects.push(Effect::FileRequest(FileRequest::Archive(game)));
        panic!("this panic is part of a test");
    });
    served.server.hear(&mut client, "tellusererror a defect of this server");
    let games = served.games();
    assert_eq!(games.matches("[Result \"1/2-1/2\"]").count(), 1, "{games}");
}

#[test]
fn a_game_of_uci_is_kept_when_the_server_ends_and_the_client_only_analyses() {
    let mut served = Served::speaking(Protocol::Uci, "goodbye");
    let mut client = served.client("position startpos\ngo wtime 60000 btime 60000\n", "bestmove ");
    client.send("position startpos moves d2d4\ngo infinite\n");
    served.server.hear(&mut client, "info depth ");
    served.server.server.handle().drain();
    served.server.hear(&mut client, "info string ");
    drop(client);
    let games = served.games();
    assert_eq!(games.matches("[White \"Farboard\"]").count(), 1, "{games}");
}

#[test]
fn a_game_that_goes_on_in_xboard_is_not_kept() {
    let mut served = Served::speaking(Protocol::Xboard, "goes-on");
    let client = served.client("xboard\nprotover 2\nnew\nlevel 40 5 0\ne2e4\n", "move ");
    served.server.server.connections.clear();
    drop(client);
    assert_eq!(served.games(), "");
}
