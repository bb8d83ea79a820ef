//! Games against the real engine, over real sockets.

use crate::support::{Client, TestServer};
use farboard::pool::engine;
use farboard::search::Table;
use std::time::Instant;

fn server(workers: usize) -> TestServer {
    TestServer::with(|setup| {
        setup.size.workers = workers;
        setup.search = engine(Table::new(1).expect("a small table"));
    })
}

#[test]
fn a_game_goes_on_beside_analyses_that_want_every_core() {
    let server = server(1);
    let mut analyses: Vec<Client> = (0..6).map(|_| server.client()).collect();
    for client in &mut analyses {
        client.send("xboard\nprotover 2\nnew\npost\nanalyze\n");
    }
    let mut players = [server.client(), server.client()];
    for player in &mut players {
        player.send("xboard\nprotover 2\nnew\neasy\nlevel 40 0:10 0\n");
    }
    let mut clocks = [1000i64; 2];
    let mut last = None;
    for ply in 0..20 {
        let side = ply % 2;
        let player = &mut players[side];
        let started = Instant::now();
        player.send(format!("time {}\notim {}\n", clocks[side], clocks[1 - side]));
        match last {
            None => player.send("go\n"),
            Some(mv) => player.send(format!("usermove {mv}\n")),
        }
        let said = player.until("move ");
        clocks[side] -= started.elapsed().as_millis() as i64 / 10;
        assert!(clocks[side] > 0, "the flag has fallen");
        last = said.strip_prefix("move ").map(str::to_owned);
    }
    for client in &mut analyses {
        client.until("1 ");
        client.ping(1);
    }
}

#[test]
fn more_analyses_than_cores_all_go_on() {
    let server = server(2);
    let mut analyses: Vec<Client> = (0..12).map(|_| server.client()).collect();
    for client in &mut analyses {
        client.send("xboard\nprotover 2\nnew\npost\nanalyze\n");
    }
    for client in &mut analyses {
        client.until("4 ");
    }
}
