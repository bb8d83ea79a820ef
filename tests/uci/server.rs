//! A real server on a port of its own, with our search.

use crate::over_tcp::{Client, server};
use farboard::chess::{Game, Variant};
use farboard::session::Protocol;

#[test]
fn a_game_where_any_protocol_is_spoken() {
    let server = server(Protocol::Auto, |_| {});
    let mut client = Client::connect(server.address);
    client.send("uci\n");
    assert_eq!(client.line(), "id name Farboard\n");
    client.until("uciok");
    client.send("ucinewgame\nisready\n");
    assert_eq!(client.line(), "readyok\n");
    let (mut game, mut moves) = (Game::new(Variant::NORMAL), String::new());
    for _ in 0..20 {
        client.send(&format!("position startpos moves{moves}\ngo wtime 60000 btime 60000 movetime 5\n"));
        let answer = client.until("bestmove ");
        let best = answer.split(' ').next().expect("a move");
        game.play(game.position().parse_move(best).expect("a legal move"));
        moves += &format!(" {best}");
    }
    client.send("quit\n");
    assert_eq!(client.rest(), "");
    let mut xboard = Client::connect(server.address);
    xboard.send("ping 1\n");
    assert_eq!(xboard.line(), "pong 1\n");
}

#[test]
fn lines_may_be_long_once_the_protocol_is_known() {
    let server = server(Protocol::Auto, |limits| limits.line = 1000);
    let mut client = Client::connect(server.address);
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(3000).join(" ");
    client.send(&format!("uci\nposition startpos moves {moves}\nd\n"));
    assert_eq!(
        client.until("Fen: "),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 9999 6001".replace("9999", "12000")
    );
    client.send(&format!("{}\nisready\n", "x".repeat(100_000)));
    assert_eq!(client.until("info string "), "line too long: 65536 bytes at most");
    client.until("readyok");
}

#[test]
fn what_was_piped_in_is_answered_to_its_end() {
    let server = server(Protocol::Auto, |_| {});
    for (lines, last) in [
        ("uci\nposition startpos moves e2e4\ngo depth 4\n", "bestmove "),
        ("position startpos\ngo infinite\n", "bestmove "),
        ("uci\nposition startpos\ngo depth 3\nquit", "bestmove "),
        ("isready\nposition startpos\ngo perft 4", "Nodes searched: 197281"),
        ("uci\nquit\n", "uciok"),
    ] {
        let mut client = Client::connect(server.address);
        client.send(lines);
        client.end();
        let rest = client.rest();
        assert!(rest.lines().last().is_some_and(|line| line.starts_with(last)), "{lines}{rest}");
        assert!(rest.matches("bestmove").count() <= 1, "{rest}");
    }
}

#[test]
fn an_analysis_goes_on_until_stop() {
    let server = server(Protocol::Uci, |_| {});
    let mut client = Client::connect(server.address);
    client.send("setoption name MultiPV value 2\nposition startpos\ngo infinite\n");
    client.until("info depth 4 ");
    client.send("isready\n");
    client.until("readyok");
    client.send("stop\nposition startpos moves e2e4 e7e5\ngo nodes 2000\n");
    client.until("bestmove ");
    client.until("bestmove ");
    client.send("isready\n");
    assert_eq!(client.line(), "readyok\n");
}

#[test]
fn a_server_that_is_full_says_so() {
    let server = server(Protocol::Uci, |limits| limits.sessions = 1);
    let mut first = Client::connect(server.address);
    first.send("isready\n");
    first.until("readyok");
    let refused = Client::connect(server.address).rest();
    assert!(refused.starts_with("info string ") && refused.lines().count() == 1, "{refused}");
}
