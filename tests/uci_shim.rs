//! The real `farboard-connect` as a UCI engine of real servers that are killed.

#[path = "seeds/dice.rs"]
#[allow(dead_code)]
mod dice;
mod port;
mod shim {
    #[allow(dead_code)]
    pub mod child;
    pub mod deadline;
    #[allow(dead_code)]
    pub mod link_server;
    pub mod server_process;
}

use dice::Dice;
use farboard::chess::{Game, Variant};
use shim::child::Shim;
use shim::deadline;
use shim::link_server::LinkServer;
use shim::server_process::Process;
use std::process::Command;
use std::thread;

/// Deaths of servers in all games together, and number of concurrent games.
const DEATHS: usize = 200;
const GAMES: usize = 4;

/// Returns the lines up to the first that begins with this word.
fn up_to(shim: &mut Shim, word: &str) -> Vec<String> {
    let mut lines = Vec::new();
    loop {
        let line = shim.line().trim_end().to_owned();
        let is_last = line.split(' ').next() == Some(word);
        lines.push(line);
        if is_last {
            return lines;
        }
    }
}

/// Searches, and whether the client must end them.
const SEARCHES: [(&str, bool); 6] = [
    ("go wtime 3000 btime 3000 winc 50 binc 50", false),
    ("go movetime 60", false),
    ("go depth 6", false),
    ("go nodes 20000", false),
    ("go infinite", true),
    ("go ponder wtime 2000 btime 2000", true),
];

/// Plays until the server has died `deaths` times.
fn play(seed: u64, deaths: usize) {
    let mut dice = Dice::new(seed, 1);
    let port = port::reserve();
    let address = port.address.to_string();
    let mut server = Some(Process::start(&address));
    let mut shim = Shim::start(&[&address]);
    shim.write(b"uci\nsetoption name Hash value 1\n");
    up_to(&mut shim, "uciok");
    let (mut game, mut died) = (Game::new(Variant::NORMAL), 0);
    while died < deaths {
        let moves = game.position().legal_moves();
        if moves.is_empty() || game.moves().len() > 60 {
            game = Game::new(Variant::NORMAL);
            shim.write(b"ucinewgame\n");
            continue;
        }
        let mut replayed = *game.start();
        let mut words = String::new();
        for &mv in game.moves() {
            words = format!("{words} {}", replayed.coordinates(mv));
            replayed.play(mv);
        }
        let (go, is_open) = *dice.pick(&SEARCHES);
        let mut lines = vec![format!("position startpos moves{words}"), "isready".to_owned(), go.to_owned()];
        if is_open {
            lines.push(if go.contains("ponder") { "ponderhit" } else { "stop" }.to_owned());
        }
        // The server dies some time after one of the lines, or not at all.
        let fatal = dice.roll(lines.len() + 1);
        for (place, line) in lines.iter().enumerate() {
            shim.write(format!("{line}\n").as_bytes());
            if place == fatal {
                thread::sleep(dice.below(40));
                drop(server.take());
                died += 1;
                thread::sleep(dice.below(20));
                server = Some(Process::start(&address));
            }
        }
        let lines = up_to(&mut shim, "bestmove");
        assert_eq!(lines.iter().filter(|line| *line == "readyok").count(), 1, "{lines:?}");
        let best = lines.last().and_then(|line| line.split(' ').nth(1)).expect("a move");
        let mv = game.position().parse_move(best).unwrap_or_else(|error| panic!("{best}: {error} {lines:?}"));
        game.play(mv);
        shim.write(b"isready\n");
        let lines = up_to(&mut shim, "readyok");
        assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "a second best move: {lines:?}");
    }
    shim.write(b"quit\n");
    assert_eq!(shim.exit_code(), Some(0));
}

#[test]
fn games_outlive_two_hundred_servers() {
    let games: Vec<_> =
        (0..GAMES).map(|game| thread::spawn(move || play(game as u64, DEATHS / GAMES))).collect();
    for game in games {
        game.join().expect("a game without a mistake");
    }
}

#[test]
fn the_lack_of_a_server_is_reported_in_uci() {
    let (listener, address) = port::listener();
    drop(listener);
    let address = address.to_string();
    // In the input from the start: the shim waits no longer than a second for a line.
    let input = std::env::temp_dir().join(format!("farboard-uci-{}", std::process::id()));
    std::fs::write(&input, "uci\n").expect("a writable file");
    for words in [&[address.as_str()][..], &["--protocol", "uci", address.as_str()]] {
        let mut shim = Command::new(env!("CARGO_BIN_EXE_farboard-connect"));
        let shim = shim.args(words).stdin(std::fs::File::open(&input).expect("the file"));
        let output = shim.env_remove("FARBOARD_SECRET").output().expect("the built program");
        let error = format!("info string ERROR: Cannot reach {address}: Connection refused\n");
        assert_eq!(String::from_utf8_lossy(&output.stdout), error);
        assert_eq!(output.status.code(), Some(1));
    }
    let _ = std::fs::remove_file(&input);
}

#[test]
fn the_shim_gives_up_a_silent_server_before_the_client_gives_up_the_shim() {
    let (listener, address) = port::listener();
    let mut shim = Shim::start(&[&address.to_string()]);
    shim.write(b"uci\n");
    let server = deadline::accept(&listener);
    let output = String::from_utf8(shim.read_to_end()).expect("ASCII");
    assert_eq!(output, format!("info string ERROR: {address} does not answer\n"));
    assert_eq!(shim.exit_code(), Some(1));
    drop(server);
}

#[test]
fn words_of_the_command_line_are_options() {
    let (listener, address) = port::listener();
    let mut shim = Shim::start(&[&address.to_string(), "farboard", "UCI_Elo=1500"]);
    shim.write(b"uci\n");
    let mut server = LinkServer::accept_new(&listener);
    server.expect(&["uci", "setoption name UCI_Elo value 1500"]);
    server.send_output("id name x\nuciok\n", "uci\nsetoption name UCI_Elo value 1500\n", "state\n");
    assert_eq!(shim.bytes(16), b"id name x\nuciok\n");
}
