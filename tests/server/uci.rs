//! A real server with the built-in engine.

use crate::over_tcp::{Client, server};
use farboard::chess::{Game, Variant};
use farboard::session::Protocol;

#[test]
fn a_game_where_any_protocol_is_allowed() {
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
fn piped_input_is_answered_to_its_end() {
    let server = server(Protocol::Auto, |_| {});
    for (lines, last) in [
        ("uci\nposition startpos moves e2e4\ngo depth 4\n", "bestmove "),
        ("position startpos\ngo infinite\n", "bestmove "),
        ("uci\nposition startpos\ngo depth 3\nquit", "bestmove "),
        ("isready\nposition startpos\ngo perft 4", "Nodes searched: 197281"),
        ("uci\nposition startpos\ngo perft 3\nquit\n", "Nodes searched: 8902"),
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

/// A client that stays connected gets the count as well.
#[test]
fn leaves_are_counted_before_quit() {
    let server = server(Protocol::Auto, |_| {});
    let mut client = Client::connect(server.address);
    client.send("uci\nposition startpos\ngo perft 3\nquit\nposition startpos\ngo perft 1\n");
    let rest = client.rest();
    assert!(rest.trim_end().ends_with("Nodes searched: 8902"), "{rest}");
}

#[test]
fn a_search_for_a_mate_finds_it() {
    let server = server(Protocol::Auto, |_| {});
    let mut client = Client::connect(server.address);
    for moves in ["", " searchmoves a1a6 a1a2"] {
        client.send(&format!("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - -\ngo mate 2{moves}\n"));
        assert!(client.until("bestmove ").starts_with("a1a6"), "{moves}");
    }
}

#[test]
fn no_move_begins_two_of_the_last_lines() {
    let server = server(Protocol::Auto, |_| {});
    let mut client = Client::connect(server.address);
    client.send("setoption name MultiPV value 3\n");
    for fen in [
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ] {
        for nodes in (3000..60_000).step_by(3001) {
            client.send(&format!("position fen {fen}\ngo nodes {nodes}\n"));
            let mut last = [const { String::new() }; 3];
            let best = loop {
                let line = client.line();
                let words: Vec<&str> = line.split_ascii_whitespace().collect();
                let after = |word| words.iter().position(|other| *other == word).map(|at| words[at + 1]);
                if let (Some(place), Some(first)) = (after("multipv"), after("pv")) {
                    last[place.parse::<usize>().expect("a number") - 1] = first.to_owned();
                } else if let Some(best) = after("bestmove") {
                    break best.to_owned();
                }
            };
            assert_eq!(best, last[0], "{fen} {nodes}");
            let equal = last[0] == last[1] || last[0] == last[2] || last[1] == last[2];
            assert!(!equal, "{fen} {nodes}: {last:?}");
        }
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
