//! `farboard-connect --record` and `farboard replay`, with the real server and engine.

use crate::hosting::hosting_server::configuration;
use crate::shims::Shim;
use crate::test_server::TestServer;
use farboard::book::Books;
use farboard::pool::engine;
use farboard::replay::record::{Record, RecordEvent};
use farboard::search::Table;
use farboard::server::ListenerPolicy;
use farboard::session::checkers::Manners;
use farboard::session::{Profile, Protocol};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

fn server() -> TestServer {
    TestServer::with(|setup| {
        setup.search = engine(Table::new(1).expect("a small table"));
        let mut books = Books::default();
        books.add_own();
        setup.profile = Arc::new(Profile::new("Farboard", books));
    })
}

/// A file; removed when dropped.
struct Recorded(PathBuf);

impl Recorded {
    fn new(name: &str) -> Recorded {
        let path = std::env::temp_dir().join(format!("farboard-replay-{name}-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        Recorded(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().expect("UTF-8")
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.0).expect("a record")
    }

    fn write(&self, text: &str) {
        std::fs::write(&self.0, text).expect("a file");
    }

    /// Replays it; returns the exit code and all output.
    fn replay(&self, options: &[&str]) -> (Option<i32>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
        command.args(["replay", self.name()]).args(options).env_remove("FARBOARD_SECRET");
        let output = command.output().expect("the built program");
        let printed = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(printed).expect("UTF-8"))
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Records a short game of three moves without book, possibly on another server each time.
fn record(name: &str, mut servers: Vec<TestServer>) -> Recorded {
    let recorded = Recorded::new(name);
    let hosts: Vec<String> = servers.iter().map(|server| server.address.to_string()).collect();
    let mut shim =
        Shim::start(&["--record", recorded.name(), &hosts.join(","), "farboard", "Book=none"], None);
    shim.send("xboard\nprotover 2\n");
    shim.until("feature done=1");
    shim.send("new\nsd 2\neasy\npost\nping 1\n");
    shim.until("pong 1");
    for mv in ["e2e4", "g1f3", "b1c3"] {
        shim.send(&format!("time 30000\notim 30000\nusermove {mv}\n"));
        shim.until("move ");
        if servers.len() > 1 {
            servers.remove(0);
        }
    }
    shim.send("usermove a1a8\nping 2\n");
    shim.until("Illegal move");
    shim.until("pong 2");
    shim.send("quit\n");
    assert!(shim.rest().is_empty());
    recorded
}

const AGREE: &str = "The answers agree with the record: 3 moves, 2 pongs, 1 error.\n";

#[test]
fn a_recorded_game_is_replayed_here_and_on_a_server() {
    let recorded = record("game", vec![server()]);
    assert!(recorded.text().contains(" + option Book=none\n"));
    let other = server();
    let address = other.address.to_string();
    for options in [&[][..], &["--server", &address], &["--realtime"]] {
        let (code, printed) = recorded.replay(options);
        assert!(code == Some(0) && printed.ends_with(AGREE), "{options:?}: {code:?} {printed}");
        assert!(printed.contains("> usermove e2e4\n") && printed.contains("< Illegal move"), "{printed}");
    }
}

#[test]
fn random_choices_of_a_record_are_repeated() {
    let recorded = Recorded::new("book");
    let first = server();
    let mut shim = Shim::start(&["--record", recorded.name(), &first.address.to_string()], None);
    shim.send("xboard\nprotover 2\n");
    shim.until("feature done=1");
    let (mut games, mut moves) = (0, BTreeSet::new());
    // Book moves, of which there are many: two games differ soon.
    while games < 8 || (moves.len() < 2 && games < 200) {
        games += 1;
        shim.send("new\nsd 1\neasy\ngo\n");
        let is_move = |line: &String| line.starts_with("move ");
        moves.insert(std::iter::from_fn(|| shim.line()).find(is_move).expect("a move"));
        shim.send(&format!("force\nping {games}\n"));
        shim.until(&format!("pong {games}"));
    }
    assert!(moves.len() > 1, "{moves:?}");
    shim.send("quit\n");
    assert!(shim.rest().is_empty());
    let text = recorded.text();
    let seed =
        text.lines().nth(1).and_then(|line| line.split_once(" # seed ")).expect("a seed in its head").1;
    assert!(text.contains(&format!(" + option Seed={seed}\n")), "{text}");

    let other = server();
    let address = other.address.to_string();
    for options in [&[][..], &["--server", &address]] {
        let (code, printed) = recorded.replay(options);
        let verdict = format!("The answers agree with the record: {games} moves, {games} pongs.\n");
        assert!(code == Some(0) && printed.ends_with(&verdict), "{options:?}: {code:?} {printed}");
    }
}

#[test]
fn a_session_with_several_servers_is_replayed_as_one() {
    let recorded = record("outage", vec![server(), server(), server()]);
    assert_eq!(recorded.text().matches("# outage: ").count(), 2);
    let (code, printed) = recorded.replay(&[]);
    assert!(code == Some(0) && printed.ends_with(AGREE), "{code:?} {printed}");
}

#[test]
fn a_different_answer_is_reported() {
    let recorded = record("other", vec![server()]);
    let text = recorded.text();
    let last = text.rfind(" < move ").expect("a move") + " < move ".len();
    let end = last + text[last..].find('\n').expect("a line");
    let other = if &text[last..end] == "h7h6" { "a7a6" } else { "h7h6" };
    recorded.write(&format!("{}{other}{}", &text[..last], &text[end..]));
    let (code, printed) = recorded.replay(&[]);
    assert_eq!(code, Some(1), "{printed}");
    for line in
        [&format!("! the record has: move {other}\n"), &format!("+ usermove {other}\n"), "+ playother\n"]
    {
        assert!(printed.contains(line), "{printed}");
    }
    let verdict = "The answers differ from the record in 1 move; 2 moves, 2 pongs, 1 error agree.\n";
    assert!(printed.ends_with(verdict), "{printed}");
}

#[test]
fn a_uci_game_is_replayed() {
    let recorded = Recorded::new("uci");
    let first = server();
    let mut shim = Shim::start(&["--record", recorded.name(), &first.address.to_string()], None);
    shim.send("uci\n");
    shim.until("uciok");
    shim.send("isready\n");
    shim.until("readyok");
    for moves in ["e2e4", "e2e4 e7e5 g1f3"] {
        shim.send(&format!("ucinewgame\nposition startpos moves {moves}\ngo depth 3\n"));
        shim.until("bestmove ");
    }
    shim.send("position startpos moves e2e5\nisready\n");
    shim.until("readyok");
    shim.send("quit\n");
    assert!(shim.rest().is_empty());
    let other = server();
    let address = other.address.to_string();
    for options in [&[][..], &["--server", &address]] {
        let (code, printed) = recorded.replay(options);
        let verdict = "The answers agree with the record: 2 moves, 2 pongs, 1 error.\n";
        assert!(code == Some(0) && printed.ends_with(verdict), "{options:?}: {code:?} {printed}");
    }
}

#[test]
fn a_game_of_draughts_is_replayed() {
    let recorded = Recorded::new("checkers");
    let protocol = Protocol::Checkers(Manners::default());
    let server = TestServer::behind(ListenerPolicy { protocol, ..ListenerPolicy::open() }, |setup| {
        setup.search = engine(Table::new(1).expect("a small table"));
    });
    let address = server.address.to_string();
    let mut shim = Shim::start(&["--protocol", "checkers", "--record", recorded.name(), &address], None);
    shim.until("READY");
    shim.send("INIT\nNEWGAME\nMOVE 11-15\nMOVE 11-15\n");
    shim.until("ALERT ");
    shim.send("GO maxdepth 3\n");
    shim.until("BESTMOVE ");
    shim.send("QUIT\n");
    assert!(shim.rest().is_empty());
    let (code, printed) = recorded.replay(&["--server", &address]);
    let verdict = "The answers agree with the record: 1 move, 1 error.\n";
    assert!(code == Some(0) && printed.ends_with(verdict), "{code:?} {printed}");
}

/// Games on a chess server, with pieces in hand.
#[test]
fn a_game_with_pieces_in_hand_is_replayed() {
    // In bughouse an opponent may drop pieces that were never announced.
    for (variant, illegal) in [("crazyhouse", "Q@a4"), ("bughouse", "a1a8")] {
        let recorded = Recorded::new(variant);
        let server = server();
        let address = server.address.to_string();
        let mut shim = Shim::start(&["--record", recorded.name(), &address, "farboard", "Book=none"], None);
        shim.send("xboard\nprotover 2\n");
        shim.until("feature done=1");
        shim.send(&format!("new\nvariant {variant}\nsd 2\neasy\nholding [N] []\nping 1\n"));
        shim.until("pong 1");
        for mv in ["N@a3", "e2e4", "g1f3"] {
            shim.send(&format!("usermove {mv}\n"));
            shim.until("move ");
        }
        shim.send(&format!("usermove {illegal}\nping 2\n"));
        shim.until("Illegal move");
        shim.until("pong 2");
        shim.send("quit\n");
        assert!(shim.rest().is_empty());
        let (code, printed) = recorded.replay(&[]);
        assert!(code == Some(0) && printed.ends_with(AGREE), "{variant}: {code:?} {printed}");
    }
}

/// Records outlive the program that made them. The engine's answers may change, the client's input
/// may not.
#[test]
fn a_record_of_an_older_version_is_replayed() {
    let recorded = Recorded::new("older");
    recorded.write(include_str!("../data/record-of-0.1.0.txt"));
    let record = Record::read(recorded.text().as_bytes()).expect("a record");
    let said = record.entries.iter().filter(|entry| matches!(entry.event, RecordEvent::Client(_))).count();
    assert_eq!((said, record.flaw), (21, None));
    let (code, printed) = recorded.replay(&[]);
    assert!(code == Some(0) || code == Some(1), "{code:?}: {printed}");
}

#[test]
fn hosted_engines_have_exited_when_a_replay_ends() {
    let (recorded, config) = (Recorded::new("hosted"), Recorded::new("hosted.toml"));
    let folder = std::env::temp_dir().join(format!("farboard-replay-engines-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    config.write(&configuration("behaves", 1, ""));
    // Without `quit`.
    recorded.write(
        "# farboard-connect record 1\n0.000 > xboard\n0.000 > option Profile=fake\n0.001 > new\n\
         0.001 > sd 1\n0.002 > e2e4\n0.003 < move e7e5\n",
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
    command.args(["replay", recorded.name(), "--config", config.name()]).env("TMPDIR", &folder);
    let output = command.output().expect("the built program");
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(printed.contains("< move "), "{printed}");
    std::fs::remove_dir(&folder).expect("an empty folder");
}

#[test]
fn a_truncated_record_is_replayed_and_other_files_are_refused() {
    let recorded = record("half", vec![server()]);
    let text = recorded.text();
    let middle = text.find(" > usermove g1f3").expect("the second move");
    recorded.write(&text[..middle + 9]);
    let (code, printed) = recorded.replay(&[]);
    assert!(code == Some(0) && printed.contains("cut off"), "{code:?} {printed}");
    assert!(printed.ends_with("The answers agree with the record: 1 move, 1 pong.\n"), "{printed}");

    for (text, reason) in
        [("", "is not a record"), ("xboard\nnew\n", "is not a record"), (&text[..28], "without any lines")]
    {
        recorded.write(text);
        let (code, printed) = recorded.replay(&[]);
        assert!(code == Some(2) && printed.contains(reason), "{code:?} {printed}");
    }
    let (code, printed) = Recorded(std::env::temp_dir().join("no-such-record")).replay(&[]);
    assert!(code == Some(2) && printed.contains("No such file"), "{code:?} {printed}");
}
