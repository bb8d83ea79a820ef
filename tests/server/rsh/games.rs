//! Whole games with as much thinking output as possible. Every line that reaches WinBoard's window
//! must be genuine.

use super::test_server::TestServer;
use super::winboard::WinBoard;
use crate::support::dice::Dice;
use farboard::chess::{Color, Game, Variant};
use std::time::Duration;

/// Maximum number of moves in a game.
const PLIES: usize = 100;

/// Plays a game against the engine; returns the number of the engine's moves.
fn play(winboard: &mut WinBoard, side: Color, seed: u64) -> usize {
    let mut dice = Dice::of_seed(seed);
    winboard.send("new\nrandom\n");
    winboard.send("level 0 0:05 0.05\n");
    winboard.send("post\n");
    winboard.send("hard\n");
    let mut game = Game::new(Variant::NORMAL);
    let mut answers = 0;
    while game.ending().is_none() && game.moves().len() < PLIES {
        if game.position().turn() == side {
            let moves = game.position().legal_moves();
            let mv = *dice.pick(&moves);
            let text = game.position().coordinates(mv);
            game.play(mv);
            winboard.send("time 500\n");
            winboard.send("otim 500\n");
            winboard.send_move(&text);
        } else {
            if game.moves().is_empty() {
                winboard.send("time 500\n");
                winboard.go();
            }
            let line = winboard.until("move ");
            let mv = game.position().parse_move(&line["move ".len()..]);
            game.play(mv.unwrap_or_else(|error| panic!("{line:?} in {}: {error}", game.position().fen())));
            answers += 1;
        }
    }
    if game.ending().is_some() {
        // The result is sent, whichever side made the last move.
        loop {
            let line = winboard.line().expect("the server stays");
            if line.starts_with("1-0 {") || line.starts_with("0-1 {") || line.starts_with("1/2-1/2 {") {
                break;
            }
            assert!(!line.starts_with("move "), "{line:?} after the end");
        }
    }
    winboard.send("result * {the end}\n");
    winboard.send("force\n");
    winboard.send("ping 1\n");
    winboard.until("pong 1");
    answers
}

#[test]
fn games_arrive_without_one_corrupted_line() {
    let server = TestServer::start();
    let mut winboard = WinBoard::introduced(server.address, "farboard MultiPV=3", 2);
    let mut answers = play(&mut winboard, Color::White, 1);
    answers += play(&mut winboard, Color::Black, 2);
    let (corrupted, lines) = winboard.quit();
    assert!(corrupted.is_empty(), "of {lines} lines, corrupted: {corrupted:?}");
    assert!(answers > 10 && lines > 10 * answers, "{answers} moves, {lines} lines");
}

/// Two machines with a session each. While one thinks, the window reads only from that one, and the
/// other ponders with much output.
#[test]
fn two_machines_play_without_one_corrupted_line() {
    let server = TestServer::start();
    let mut machines = ["farboard MultiPV=3", "club LimitStrength=0 MultiPV=2"]
        .map(|command| WinBoard::introduced(server.address, command, 2));
    for machine in &mut machines {
        for command in ["new\nrandom\n", "level 0 0:03 0.05\n", "post\n", "hard\n", "force\n", "computer\n"] {
            machine.send(command);
        }
    }
    let mut game = Game::new(Variant::NORMAL);
    machines[0].go();
    while game.ending().is_none() && game.moves().len() < PLIES {
        let ply = game.moves().len();
        let line = machines[ply % 2].until("move ");
        let mv = game.position().parse_move(&line["move ".len()..]);
        let mv = mv.unwrap_or_else(|error| panic!("{line:?} in {}: {error}", game.position().fen()));
        let text = game.position().coordinates(mv);
        game.play(mv);
        let other = &mut machines[(ply + 1) % 2];
        other.send("time 300\n");
        other.send("otim 300\n");
        other.send_move(&text);
        if ply == 0 {
            other.go();
        }
    }
    for mut machine in machines {
        machine.send("result * {the end}\n");
        machine.send("force\n");
        machine.send("ping 1\n");
        machine.until("pong 1");
        let (corrupted, lines) = machine.quit();
        assert!(corrupted.is_empty(), "of {lines} lines, corrupted: {corrupted:?}");
        assert!(lines > 5 * game.moves().len() / 2, "{} plies, {lines} lines", game.moves().len());
    }
}

/// Version 1 has no features: interrupts precede almost every command.
#[test]
fn a_game_without_features_arrives_with_all_its_interrupts() {
    let server = TestServer::start();
    let mut winboard = WinBoard::introduced(server.address, "", 1);
    let answers = play(&mut winboard, Color::White, 3);
    let (corrupted, lines) = winboard.quit();
    assert!(corrupted.is_empty(), "of {lines} lines, corrupted: {corrupted:?}");
    assert!(answers > 5, "{answers} moves, {lines} lines");
}

/// However busy the window is, no more output is pending than it reads at once.
#[test]
fn an_analysis_arrives_at_a_window_that_is_busy() {
    let server = TestServer::start();
    let mut winboard = WinBoard::introduced(server.address, "farboard MultiPV=8", 2);
    winboard.busy = Some((Duration::from_millis(500), 30));
    winboard.send("new\n");
    winboard.send("post\n");
    winboard.send("force\n");
    winboard.send("analyze\n");
    for mv in ["e2e4", "e7e5", "g1f3", "b8c6"] {
        winboard.read_for(Duration::from_millis(1500));
        winboard.send_move(mv);
        winboard.send(".\n");
    }
    winboard.until("stat01: ");
    winboard.send("exit\n");
    winboard.send("ping 7\n");
    winboard.until("pong 7");
    let (corrupted, lines) = winboard.quit();
    assert!(corrupted.is_empty(), "of {lines} lines, corrupted: {corrupted:?}");
    assert!(lines > 60, "{lines} lines");
}
