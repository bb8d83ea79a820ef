//! Games against the real engine over real sockets.

use crate::test_server::{Client, TestServer};
use farboard::pool::engine;
use farboard::search::Table;

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
    let mut last = None;
    for ply in 0..20 {
        let player = &mut players[ply % 2];
        // The test's own clocks: the machine may be slow as long as a move comes.
        let left = 1000 - 25 * ply;
        player.send(format!("time {left}\notim {left}\n"));
        match last {
            None => player.send("go\n"),
            Some(mv) => player.send(format!("usermove {mv}\n")),
        }
        let said = player.until("move ");
        last = said.strip_prefix("move ").map(str::to_owned);
    }
    for client in &mut analyses {
        client.until("1 ");
        client.ping(1);
    }
}

#[test]
fn more_analyses_than_cores_all_progress() {
    let server = server(2);
    let mut analyses: Vec<Client> = (0..12).map(|_| server.client()).collect();
    for client in &mut analyses {
        client.send("xboard\nprotover 2\nnew\npost\nanalyze\n");
    }
    for client in &mut analyses {
        client.until("4 ");
    }
}

#[test]
fn an_analysis_that_is_entered_again_resumes() {
    let server = server(2);
    let mut client = server.client();
    let depth = |line: String| line.split(' ').next().and_then(|word| word.parse::<u8>().ok());
    let next_depth =
        |client: &mut Client| std::iter::from_fn(|| client.line()).find_map(depth).expect("a thinking line");
    client.send(
        "xboard\nprotover 2\nnew\npost\nforce\nsetboard 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\nanalyze\n",
    );
    let reached = std::iter::repeat_with(|| next_depth(&mut client)).find(|&depth| depth >= 10).unwrap();
    client.send("exit\nping 1\n");
    client.until("pong 1");
    client.send("analyze\n");
    assert!(next_depth(&mut client) >= reached - 1, "{reached} plies were reached");

    // There and back.
    client.send("exit\nping 2\n");
    client.until("pong 2");
    client.send("new\nforce\nanalyze\nping 3\n");
    client.until("pong 3");
    while next_depth(&mut client) < 4 {}
    client.send("setboard 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\nping 4\n");
    client.until("pong 4");
    assert!(next_depth(&mut client) >= reached - 1, "{reached} plies were reached");

    // The table was cleared.
    client.send("option ClearHash\nping 5\n");
    client.until("pong 5");
    assert_eq!(next_depth(&mut client), 1);
}
