//! Engines that speak the xboard protocol.

use crate::fake_xboard::NODES;
use crate::support::{Client, HostingServer};

fn serve(manner: &str) -> HostingServer {
    let command = crate::fake::command_of(&format!("fake_xboard::{manner}"));
    HostingServer::start(&format!(
        "workers = 2\n[engine.fake]\ncommand = {command}\nprotocol = \"xboard\"\nprocesses = 2\npatience = 2\n\
         [profile.fake]\nengine = \"fake\"\noptions = {{ Book = \"none\" }}\n"
    ))
}

/// Lets the engine move. Returns the nodes of its last thinking line.
fn searched(client: &mut Client) -> Option<u64> {
    client.send("go\n");
    let mut nodes = None;
    loop {
        let line = client.until(|line| !line.is_empty());
        if let Some(mv) = line.strip_prefix("move ") {
            let mv = client.position.parse_move(mv).expect("a legal move");
            client.position.play(mv);
            return nodes;
        }
        if line.starts_with(|first: char| first.is_ascii_digit()) {
            nodes = line.split_whitespace().nth(3).and_then(|word| word.parse().ok());
        }
    }
}

#[test]
fn an_engine_with_all_features_serves_several_sessions() {
    let server = serve("modern");
    let mut clients: Vec<Client> = (0..4).map(|_| Client::of_fake(&server)).collect();
    for client in &mut clients {
        client.send("st 1\n");
        assert_eq!(searched(client), Some(NODES));
        client.send("force\nanalyze\n");
    }
    for client in &mut clients {
        assert_eq!(client.thinking().2 % NODES, 0);
        assert_eq!(client.told, [""; 0]);
    }
}

#[test]
fn an_engine_that_cannot_analyse_moves_when_its_time_is_up() {
    let server = serve("cannot_analyse");
    let mut client = Client::of_fake(&server);
    client.send("st 1\n");
    for _ in 0..2 {
        assert_eq!(searched(&mut client), Some(NODES));
    }
    client.send("force\nanalyze\n");
    assert_eq!(client.thinking().2, NODES);
    assert_eq!(client.told, [""; 0]);
}

#[test]
fn late_features_are_noticed() {
    let server = serve("announces_late");
    let mut client = Client::of_fake(&server);
    // Not the start of a game: an engine without features cannot be given this position.
    let fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1";
    let mut searches = 0;
    let begun = std::time::Instant::now();
    while client.position.fen() != fen || searched(&mut client) != Some(NODES) {
        client.send(&format!("force\nsetboard {fen}\nst 0.2\n"));
        client.position = farboard::chess::AnyPosition::from_fen(farboard::chess::Variant::NORMAL, fen)
            .expect("a right position");
        searches += 1;
        assert!(begun.elapsed() < crate::support::TEST_TIMEOUT, "{searches} searches: {:?}", client.told);
    }
}
