//! A real server with the built-in engine.

mod programs;

use crate::over_tcp::{Client, server};
use crate::running_server::RunningServer;
use farboard::draughts::{Game, Position};
use farboard::session::Protocol;
use farboard::session::checkers::Manners;

pub fn checkers() -> RunningServer {
    server(Protocol::Checkers(Manners::default()), |_| {})
}

impl Client {
    /// Sends `GO` and returns the answer.
    fn best_move(&mut self) -> String {
        loop {
            let line = self.line();
            if let Some(mv) = line.strip_prefix("BESTMOVE ") {
                return mv.trim_end_matches('\n').to_owned();
            }
            assert!(line.starts_with("INFO "), "{line:?}");
        }
    }
}

#[test]
fn a_game_over_tcp() {
    let server = checkers();
    let mut client = Client::connect(server.address);
    assert_eq!(client.line(), "READY\n");
    client.send("INIT\nSETPARAMETER seconds 0.02\n");
    let mut game = Game::new();
    for _ in 0..12 {
        client.send("GO\n");
        let best = client.best_move();
        game.play(game.position().parse_move(&best).expect("a legal move"));
        let Some(&reply) = game.position().legal_moves().first() else { break };
        game.play(reply);
        client.send(&format!("MOVE {reply}\n"));
    }
    client.send("GO\nQUIT\n");
    let rest = client.rest();
    assert!(rest.lines().all(|line| line.starts_with("INFO ") || line.starts_with("BESTMOVE ")), "{rest}");
}

#[test]
fn long_lines_come_in_pieces() {
    let server = checkers();
    let mut client = Client::connect(server.address);
    let moves = ["32x28", "1x5", "28x32", "5x1"].repeat(2500).join(" ");
    client.send(&format!("INIT\nNEWGAME W:WK32:BK1 {moves}\nSETPARAMETER seconds 0.02\nGO\n"));
    assert_eq!(client.line(), "READY\n");
    let best = client.best_move();
    assert!(Position::from_fen("W:WK32:BK1").unwrap().parse_move(&best).is_ok(), "{best}");
    client.send(&format!("{}\nGETPARAMETER depth\n", "x".repeat(100_000)));
    assert_eq!(client.line(), "ALERT line too long: 65536 bytes at most\n");
    assert_eq!(client.line(), "PARAMETER depth 0\n");
}

#[test]
fn many_clients_each_have_their_own_game() {
    let server = checkers();
    let mut clients: Vec<Client> = (0..8).map(|_| Client::connect(server.address)).collect();
    for (index, client) in clients.iter_mut().enumerate() {
        assert_eq!(client.line(), "READY\n");
        client.send(&format!("INIT\nSETPARAMETER depth {}\nGO\n", index + 1));
    }
    for client in &mut clients {
        let best = client.best_move();
        assert!(Position::start().parse_move(&best).is_ok());
    }
}

#[test]
fn a_server_that_is_full_says_so_in_an_alert() {
    let server = server(Protocol::Checkers(Manners::default()), |limits| limits.sessions = 1);
    let mut first = Client::connect(server.address);
    assert_eq!(first.line(), "READY\n");
    let refused = Client::connect(server.address).rest();
    assert!(refused.starts_with("ALERT ") && refused.lines().count() == 1, "{refused}");
}

#[test]
fn where_any_protocol_is_allowed_the_first_line_decides() {
    let server = server(Protocol::Auto, |_| {});
    let mut checkers = Client::connect(server.address);
    checkers.send("INIT\nGETPARAMETER depth\n");
    assert_eq!(checkers.line(), "READY\n");
    assert_eq!(checkers.line(), "PARAMETER depth 0\n");
    let mut xboard = Client::connect(server.address);
    xboard.send("ping 1\n");
    assert_eq!(xboard.line(), "pong 1\n");
}
