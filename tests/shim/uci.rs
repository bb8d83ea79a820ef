//! The real `farboard-connect` as a UCI engine, with real servers that are killed.

use crate::child::Shim;
use crate::deadline;
use crate::link_server::LinkServer;
use crate::server_process::Process;
use crate::support::dice::Dice;
use crate::support::reserved_port;
use farboard::chess::{Game, Variant};
use std::process::Command;
use std::thread;

/// Total deaths of servers, over all games.
const DEATHS: usize = 200;
const GAMES: usize = 4;

/// Reads lines up to one that begins with this word, which is the last.
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

/// The client's search commands, and whether it must send `stop`.
const ASKED: [(&str, bool); 6] = [
    ("go wtime 3000 btime 3000 winc 50 binc 50", false),
    ("go movetime 60", false),
    ("go depth 6", false),
    ("go nodes 20000", false),
    ("go infinite", true),
    ("go ponder wtime 2000 btime 2000", true),
];

/// Plays until the server has died this often.
fn play(seed: u64, deaths: usize) {
    let mut dice = Dice::new(seed, 1);
    let port = reserved_port::reserve();
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
        let (go, is_open) = *dice.pick(&ASKED);
        let mut lines = vec![format!("position startpos moves{words}"), "isready".to_owned(), go.to_owned()];
        if is_open {
            lines.push(if go.contains("ponder") { "ponderhit" } else { "stop" }.to_owned());
        }
        // It dies before or after one of the lines, immediately or a moment later.
        let dies = dice.roll(lines.len() + 1);
        for (place, line) in lines.iter().enumerate() {
            shim.write(format!("{line}\n").as_bytes());
            if place == dies {
                thread::sleep(dice.delay(40));
                drop(server.take());
                died += 1;
                thread::sleep(dice.delay(20));
                server = Some(Process::start(&address));
            }
        }
        let heard = up_to(&mut shim, "bestmove");
        assert_eq!(heard.iter().filter(|line| *line == "readyok").count(), 1, "{heard:?}");
        let best = heard.last().and_then(|line| line.split(' ').nth(1)).expect("a move");
        let mv = game.position().parse_move(best).unwrap_or_else(|error| panic!("{best}: {error} {heard:?}"));
        game.play(mv);
        shim.write(b"isready\n");
        let heard = up_to(&mut shim, "readyok");
        assert!(heard.iter().all(|line| !line.starts_with("bestmove")), "a second best move: {heard:?}");
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

/// GUIs show the line, then the end.
#[test]
fn without_any_server_the_user_is_notified_in_the_form_of_uci() {
    let (listener, address) = reserved_port::listener();
    drop(listener);
    let address = address.to_string();
    // The line is available when the shim starts: it waits for one at most a second.
    let said = std::env::temp_dir().join(format!("farboard-uci-{}", std::process::id()));
    std::fs::write(&said, "uci\n").expect("a file");
    for words in [&[address.as_str()][..], &["--protocol", "uci", address.as_str()]] {
        let mut shim = Command::new(env!("CARGO_BIN_EXE_farboard-connect"));
        let shim = shim.args(words).stdin(std::fs::File::open(&said).expect("the file"));
        let output = shim.env_remove("FARBOARD_SECRET").output().expect("the built program");
        let error = format!("info string ERROR: Cannot reach {address}: Connection refused\n");
        assert_eq!(String::from_utf8_lossy(&output.stdout), error);
        assert_eq!(output.status.code(), Some(1));
    }
    let _ = std::fs::remove_file(&said);
}

#[test]
fn a_server_that_does_not_answer_is_given_up_before_the_client_gives_up_the_shim() {
    let (listener, address) = reserved_port::listener();
    let mut shim = Shim::start(&[&address.to_string()]);
    shim.write(b"uci\n");
    let server = deadline::accept(&listener);
    let output = String::from_utf8(shim.read_to_end()).expect("ASCII");
    assert_eq!(output, format!("info string ERROR: {address} does not answer\n"));
    assert_eq!(shim.exit_code(), Some(1));
    drop(server);
}

#[test]
fn arguments_of_the_command_line_are_options() {
    let (listener, address) = reserved_port::listener();
    let mut shim = Shim::start(&[&address.to_string(), "farboard", "UCI_Elo=1500"]);
    shim.write(b"uci\n");
    let mut server = LinkServer::accept_new(&listener);
    server.expect(&["uci", "setoption name UCI_Elo value 1500"]);
    server.say("id name x\nuciok\n", "uci\nsetoption name UCI_Elo value 1500\n", "state\n");
    assert_eq!(shim.bytes(16), b"id name x\nuciok\n");
}
