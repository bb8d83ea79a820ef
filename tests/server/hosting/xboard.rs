//! Hosted engines that speak xboard's protocol.

use super::fake_xboard::NODES;
use super::hosting_server::{Client, HostingServer};

fn serve(manner: &str) -> HostingServer {
    let command = super::fake::command_of(&format!("hosting::fake_xboard::{manner}"));
    HostingServer::start(&format!(
        "workers = 2\n[engine.fake]\ncommand = {command}\nprotocol = \"xboard\"\nprocesses = 2\npatience = 2\n\
         [profile.fake]\nengine = \"fake\"\noptions = {{ Book = \"none\" }}\n"
    ))
}

/// Has the engine move; returns the nodes of its last thinking line.
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
fn one_that_has_all_features_plays_and_analyses_for_several() {
    let server = serve("modern");
    let mut clients: Vec<Client> = (0..4).map(|_| Client::of_fake(&server)).collect();
    for client in &mut clients {
        client.send("st 1\n");
        assert_eq!(searched(client), Some(NODES));
        client.send("force\nanalyze\n");
    }
    for client in &mut clients {
        assert_eq!(client.thinking().2 % NODES, 0);
        assert_eq!(client.messages, [""; 0]);
    }
}

#[test]
fn one_that_cannot_analyse_must_move_when_its_time_is_up() {
    let server = serve("cannot_analyse");
    let mut client = Client::of_fake(&server);
    client.send("st 1\n");
    for _ in 0..2 {
        assert_eq!(searched(&mut client), Some(NODES));
    }
    client.send("force\nanalyze\n");
    assert_eq!(client.thinking().2, NODES);
    assert_eq!(client.messages, [""; 0]);
}

#[test]
fn one_that_resigns_plays_the_move_that_it_has_found() {
    let server = serve("resigns");
    let mut client = Client::of_fake(&server);
    // It does not wait for the end of its time.
    client.send("st 1000\n");
    for _ in 0..5 {
        assert_eq!(searched(&mut client), Some(NODES));
    }
    assert_eq!((client.messages.len(), server.failures()), (0, 0));
}

#[test]
fn one_that_announces_its_features_late_is_started_again() {
    let server = serve("announces_late");
    let mut client = Client::of_fake(&server);
    // Not the start position: without features there is no command to set it up.
    let fen = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1";
    let mut searches = 0;
    let begun = std::time::Instant::now();
    while client.position.fen() != fen || searched(&mut client) != Some(NODES) {
        client.send(&format!("force\nsetboard {fen}\nst 0.2\n"));
        client.position = farboard::chess::AnyPosition::from_fen(farboard::chess::Variant::NORMAL, fen)
            .expect("a right position");
        searches += 1;
        assert!(
            begun.elapsed() < super::hosting_server::TEST_TIMEOUT,
            "{searches} searches: {:?}",
            client.messages
        );
    }
}
