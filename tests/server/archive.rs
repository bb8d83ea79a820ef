//! Finished games are archived, whatever the players and the protocol.

use crate::program::Program;
use crate::shims::Shim;
use crate::test_server::{Client, TEST_TIMEOUT};
use farboard::chess::{Game, Variant};
use socket2::SockRef;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// A server with an archive in a temporary folder.
struct Served {
    folder: PathBuf,
    program: Program,
    address: String,
}

impl Served {
    fn new(test: &str) -> Served {
        Served::by(&mut Command::new(env!("CARGO_BIN_EXE_farboard")), test)
    }

    /// The same with a command that takes the server's flags.
    fn by(command: &mut Command, test: &str) -> Served {
        let folder = std::env::temp_dir().join(format!("farboard-games-{test}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        command.args(["--listen", "127.0.0.1:0", "--table", "1", "--drain-seconds", "1"]);
        command.args(["--archive-min-moves", "0", "--archive"]);
        let mut program = Program::start(command.arg(&folder));
        let address = program.logged_address().to_string();
        Served { folder, program, address }
    }

    fn shim(&self) -> Shim {
        Shim::start(&[&self.address], None)
    }

    fn client(&self) -> Client {
        Client::connect(self.address.parse().expect("an address"))
    }

    /// The archived games after the server has shut down.
    fn games(mut self) -> Vec<Read> {
        self.program.signal(rustix::process::Signal::TERM);
        assert!(self.program.wait().success());
        let text = self.text();
        fs::remove_dir_all(&self.folder).expect("a folder");
        read(&text)
    }

    /// The present contents of the archive.
    fn text(&self) -> String {
        let files = fs::read_dir(&self.folder).expect("a folder").map(|file| file.expect("a file").path());
        let mut files: Vec<PathBuf> = files.collect();
        files.sort();
        files.iter().map(|file| fs::read_to_string(file).expect("text")).collect()
    }

    /// Has the engine play a game of one move, which mates.
    fn play(&self) {
        let mut client = self.client();
        client.send("xboard\nprotover 2\nforce\nsetboard 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\nst 60\ngo\n");
        client.until("1-0");
    }
}

/// A game read from PGN.
#[derive(Debug)]
struct Read {
    tags: Vec<(String, String)>,
    game: Game,
    comments: Vec<String>,
    result: String,
}

impl Read {
    fn tag(&self, name: &str) -> &str {
        self.tags.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

/// Reads games, all of which must be legal.
fn read(text: &str) -> Vec<Read> {
    let mut games = Vec::new();
    let mut parts = text.split("\n\n").filter(|part| !part.trim().is_empty());
    while let (Some(tags), Some(moves)) = (parts.next(), parts.next()) {
        let tags: Vec<(String, String)> = tags
            .lines()
            .map(|line| {
                let (name, value) = line.trim_matches(['[', ']']).split_once(' ').expect("a tag");
                (name.to_owned(), value.trim_matches('"').to_owned())
            })
            .collect();
        let fen = tags.iter().find(|(name, _)| name == "FEN").map(|(_, fen)| fen.clone());
        let mut game = fen.map_or_else(
            || Game::new(Variant::NORMAL),
            |fen| Game::from_fen(Variant::NORMAL, &fen).expect("a position"),
        );
        let (mut comments, mut words) = (Vec::new(), String::new());
        for part in moves.split('{') {
            match part.split_once('}') {
                Some((comment, rest)) => {
                    comments.push(comment.trim().replace('\n', " "));
                    words += rest;
                }
                None => words += part,
            }
            words.push(' ');
        }
        let mut words: Vec<&str> = words.split_whitespace().collect();
        let result = words.pop().expect("a result").to_owned();
        for word in words.into_iter().filter(|word| !word.ends_with('.')) {
            let mv = game.position().parse_move(word).unwrap_or_else(|error| panic!("{word}: {error}"));
            game.play(mv);
        }
        games.push(Read { tags, game, comments, result });
    }
    games
}

const START: &str = "xboard\nprotover 2\noption Book=none\nnew\nlevel 40 5 0\nsd 2\n";

#[test]
fn a_game_is_archived_with_its_result_and_thinking() {
    let served = Served::new("xboard");
    let mut shim = served.shim();
    shim.send(&format!("{START}name Bob \"the\" Builder\n"));
    for mv in ["e2e4", "d2d3", "a2a3"] {
        shim.send(&format!("{mv}\n"));
        shim.until("move ");
    }
    shim.send("result 0-1 {White resigns}\nresult 0-1 {White resigns}\n");
    // An unfinished game, and one without moves.
    shim.send("new\nsd 1\ne2e4\n");
    shim.until("move ");
    shim.send("result * {}\nnew\nresult 1-0 {?}\n");
    // A game that ends by rule, without a result from the client.
    shim.send("force\nsetboard 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\ngo\n");
    shim.until("move a1a8");
    shim.send("ping 1\n");
    shim.until("pong 1");
    drop(shim);
    let games = served.games();
    assert_eq!(games.len(), 3, "{games:?}");
    let first = &games[0];
    assert_eq!(
        (first.tag("White"), first.tag("Result"), &*first.result),
        ("Bob \\\"the\\\" Builder", "0-1", "0-1")
    );
    assert!(first.tag("Black").starts_with("Farboard"), "{first:?}");
    assert_eq!((first.tag("TimeControl"), first.tag("BlackType")), ("40/300", "program"));
    assert_eq!((first.tag("Termination"), first.tag("Date").len()), ("normal", 10));
    assert_eq!((first.game.moves().len(), first.comments.len()), (6, 3), "{first:?}");
    assert!(first.comments.iter().all(|comment| comment.starts_with("[%eval ")), "{first:?}");
    assert!(first.comments.iter().all(|comment| comment.contains("[%emt 0:00:")), "{first:?}");
    assert!(first.comments[2].ends_with("White resigns"), "{first:?}");
    assert_eq!((games[1].tag("Termination"), &*games[1].result), ("unterminated", "*"));
    let mate = &games[2];
    assert_eq!((&*mate.result, mate.comments.len()), ("1-0", 1));
    assert!(mate.comments[0].starts_with("[%eval #1]"), "{mate:?}");
    assert!(mate.tag("FEN").starts_with("6k1/5ppp"), "{mate:?}");
}

#[test]
fn a_uci_game_is_what_its_positions_have_in_common() {
    let served = Served::new("uci");
    let mut shim = served.shim();
    shim.send("uci\nucinewgame\n");
    let mut moves = String::new();
    for next in ["e2e4", "d2d3"] {
        moves += &format!(" {next}");
        shim.send(&format!("position startpos moves{moves}\ngo wtime 60000 btime 60000 depth 2\n"));
        let best =
            std::iter::from_fn(|| shim.line()).find(|line| line.starts_with("bestmove ")).expect("a move");
        moves += &format!(" {}", best.split_whitespace().nth(1).expect("a move"));
    }
    // An analysis is no game.
    shim.send("ucinewgame\nposition startpos moves d2d4\ngo infinite\nisready\n");
    shim.until("readyok");
    shim.send("stop\n");
    shim.until("bestmove ");
    // Mate ends a game at once.
    shim.send("ucinewgame\nposition fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\ngo wtime 60000 btime 60000\n");
    shim.until("bestmove a1a8");
    shim.send("quit\n");
    shim.rest();
    let games = served.games();
    assert_eq!(games.len(), 2, "{games:?}");
    assert_eq!(
        (games[0].game.moves().len(), &*games[0].result, games[0].comments.len()),
        (4, "*", 2),
        "{games:?}"
    );
    assert!(games[0].tag("Black").starts_with("Farboard"), "{games:?}");
    assert_eq!((&*games[1].result, games[1].tag("FarboardSession").is_empty()), ("1-0", false), "{games:?}");
}

#[test]
fn draughts_are_archived_in_their_own_notation() {
    let folder = std::env::temp_dir().join(format!("farboard-games-draughts-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let text = format!(
        "table = 1\narchive_min_moves = 0\narchive = \"{}\"\n[[listen]]\naddress = \"127.0.0.1:0\"\nprotocol = \"checkers\"\n",
        folder.display()
    );
    let configuration = std::env::temp_dir().join(format!("farboard-draughts-{}.toml", std::process::id()));
    fs::write(&configuration, text).expect("a file");
    let mut program =
        Program::start(Command::new(env!("CARGO_BIN_EXE_farboard")).arg("--config").arg(&configuration));
    let mut client = Client::connect(program.logged_address());
    client.until("READY");
    client.send("INIT\nMOVE 11x15\nGO maxdepth 2\n");
    client.until("BESTMOVE ");
    client.send("QUIT\n");
    client.rest();
    program.signal(rustix::process::Signal::TERM);
    assert!(program.wait().success());
    let files = fs::read_dir(&folder).expect("a folder").map(|file| file.expect("a file").path());
    let files: Vec<PathBuf> = files.collect();
    assert!(files.iter().all(|file| file.extension().is_some_and(|form| form == "pdn")), "{files:?}");
    let text = fs::read_to_string(&files[0]).expect("text");
    assert!(text.contains("[GameType \"21\"]") && text.contains("\n1. 11-15 2"), "{text}");
    assert!(text.contains("[White \"Farboard") && text.contains("[Result \"*\"]"), "{text}");
    fs::remove_dir_all(&folder).expect("a folder");
    fs::remove_file(&configuration).expect("a file");
}

/// The engine's move draws by the fifty-move rule, which the client may dispute.
const CLAIMED: &str =
    "xboard\nprotover 2\nforce\nsetboard 4k3/8/8/8/8/8/8/R3K3 w - - 99 80\nlevel 40 5 0\nsd 1\ngo\n";

#[test]
fn a_finished_game_is_archived_when_its_client_is_kicked_or_lost_or_the_server_stops() {
    let control = std::env::temp_dir().join(format!("farboard-games-control-{}", std::process::id()));
    let served =
        Served::by(Command::new(env!("CARGO_BIN_EXE_farboard")).arg("--control").arg(&control), "ended");
    let mut lost = served.client();
    lost.send(CLAIMED);
    lost.until("1/2-1/2");
    SockRef::from(lost.stream()).set_linger(Some(Duration::ZERO)).expect("an option");
    drop(lost);
    let mut kicked = served.client();
    kicked.send(CLAIMED);
    kicked.until("1/2-1/2");
    let mut order = Command::new(env!("CARGO_BIN_EXE_farboard"));
    let order = order.args(["kick", "--for", "0", "--control"]).arg(&control).arg("all");
    assert!(order.status().expect("it starts").success());
    kicked.rest();
    let mut cut_off = served.client();
    cut_off.send("uci\nposition startpos moves e2e4\ngo wtime 60000 btime 60000 depth 1\n");
    cut_off.until("bestmove ");
    let games = served.games();
    let results: Vec<&str> = games.iter().map(|game| &*game.result).collect();
    assert_eq!(results, ["1/2-1/2", "1/2-1/2", "*"], "{games:?}");
}

#[test]
fn a_game_that_changes_servers_is_archived_where_it_ends() {
    let (mut first, second) = (Served::new("first"), Served::new("second"));
    let mut shim = Shim::start(&[&first.address, "--or", &second.address], None);
    shim.send(START);
    for mv in ["e2e4", "d2d3"] {
        shim.send(&format!("{mv}\n"));
        shim.until("move ");
    }
    // The engine makes no further move.
    first.program.signal(rustix::process::Signal::KILL);
    first.program.wait();
    shim.send("ping 1\n");
    shim.until("pong 1");
    shim.send("result 0-1 {White resigns}\nquit\n");
    shim.rest();
    assert_eq!(first.text(), "");
    fs::remove_dir_all(&first.folder).expect("a folder");
    let games = second.games();
    let [game] = &games[..] else { panic!("{games:?}") };
    assert_eq!((game.game.moves().len(), &*game.result), (4, "0-1"));
    // The first server's thinking about its moves is known to the second.
    let [_, last] = &game.comments[..] else { panic!("{game:?}") };
    assert!(last.starts_with("[%eval ") && last.ends_with("White resigns"), "{last}");
    assert!(game.tag("Black").starts_with("Farboard") && game.tag("White") == "?", "{game:?}");
}

/// A limit of file sizes, which is per process, stands for a nearly full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_costs_the_game_that_did_not_fit_and_nothing_else() {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    // The system's signal would kill the server.
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_farboard")]);
    let mut served = Served::by(&mut command, "full");
    let pid = i32::try_from(served.program.id()).ok().and_then(Pid::from_raw).expect("a process");
    let limit = |current| {
        let limit = Rlimit { current, maximum: None };
        prlimit(Some(pid), Resource::Fsize, limit).expect("our own child");
    };
    served.play();
    let deadline = Instant::now() + TEST_TIMEOUT;
    while !served.text().ends_with("\n\n") {
        assert!(Instant::now() < deadline, "it is not written");
        std::thread::yield_now();
    }
    let before = served.text();
    limit(Some(before.len() as u64 + 100));
    served.play();
    let log = served.program.logged("game not archived");
    assert!(log.contains("game not archived: session ") && log.contains(", 1 plies: "), "{log}");
    assert_eq!(served.text(), before, "half a game");
    limit(None);
    served.play();
    let games = served.games();
    let [first, last] = &games[..] else { panic!("{games:?}") };
    assert_ne!(first.tag("FarboardSession"), last.tag("FarboardSession"));
    assert_eq!((&*first.result, &*last.result), ("1-0", "1-0"));
}

#[test]
fn a_missing_folder_is_an_error() {
    let mut program =
        Program::farboard(&["--listen", "127.0.0.1:0", "--table", "1", "--archive", "/nonexistent/folder"]);
    assert_eq!(program.wait().code(), Some(2));
    let error = program.stderr();
    assert!(error.contains("cannot archive games in the folder /nonexistent/folder"), "{error}");
}

#[test]
fn flooders_beside_a_bystander_cost_it_no_game() {
    const GAMES: u32 = 31;
    let folder = std::env::temp_dir().join(format!("farboard-games-flood-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_farboard"));
    command.args([
        "--listen",
        "127.0.0.1:0",
        "--table",
        "1",
        "--log",
        "off",
        "--drain-seconds",
        "1",
        "--archive",
    ]);
    let mut program = Program::start(command.arg(&folder));
    let address = program.address();
    let start = "xboard\nprotover 2\noption Book=own\n";
    let game = "new\nforce\ne2e4\ne7e5\ng1f3\nb8c6\ngo\n";
    let flooders: Vec<_> = (0..4)
        .map(|_| {
            std::thread::spawn(move || {
                let mut client = Client::connect(address);
                client.send(start);
                for round in 0..10 {
                    client.send(format!("{game}result * {{}}\n").repeat(300));
                    client.ping(round);
                }
                client
            })
        })
        .collect();
    let mut bystander = Client::connect(address);
    bystander.send(format!("{start}name Bystander\n"));
    for round in 0..GAMES {
        // Too short to be archived.
        bystander.send("new\nforce\ne2e4\ngo\nresult 1-0 {short}\n");
        bystander.send(format!("{game}result 1-0 {{of the bystander}}\n"));
        bystander.ping(round);
    }
    for flooder in flooders {
        drop(flooder.join().expect("a flooder"));
    }
    program.signal(rustix::process::Signal::TERM);
    assert!(program.wait().success());
    let files = fs::read_dir(&folder).expect("a folder").map(|file| file.expect("a file").path());
    let text: String = files.map(|file| fs::read_to_string(file).expect("text")).collect();
    fs::remove_dir_all(&folder).expect("a folder");
    // Lines may break between any words.
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words.matches("of the bystander").count(), GAMES as usize);
    assert!(!words.contains("short"));
}
