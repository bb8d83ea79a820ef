//! The feed for scripts: events, and games as PGN.

use super::Observed;
use farboard::auth::Visibility;
use farboard::server::Setup;
use farboard::session::Profile;
use std::io::{Read, Write};
use std::sync::Arc;

fn watched_by(watch: Visibility) -> Observed {
    Observed::new(|setup: &mut Setup| setup.profile = Arc::new(Profile { watch, ..(*setup.profile).clone() }))
}

#[test]
fn a_game_is_read_as_pgn_and_as_events() {
    let server = watched_by(Visibility::Everybody);
    let mut client = server.server.client();
    client.send("xboard\nprotover 2\nnew\nforce\ne2e4\ne7e5\nping 1\n");
    client.until("pong 1");
    let pgn = server.get("/game/1.pgn");
    assert!(pgn.status == 200 && pgn.body.contains("1. e4 e5"), "{pgn:?}");
    assert_eq!(server.get("/game/999.pgn").status, 404);
    for (path, wanted) in [("/api/feed", "\"ply\":2"), ("/api/feed/1", "\"san\":\"e5\"")] {
        let mut stream = server.connect();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("the server reads");
        let (mut seen, mut part) = (String::new(), [0; 4096]);
        while !seen.contains(wanted) {
            let count = stream.read(&mut part).expect("events");
            assert_ne!(count, 0, "{path}: the stream ends: {seen}");
            seen += &String::from_utf8_lossy(&part[..count]);
        }
        assert!(seen.contains("\r\nContent-Type: text/event-stream\r\n"), "{seen}");
    }
}

#[test]
fn sessions_that_may_not_be_watched_are_not_found() {
    let server = watched_by(Visibility::Users);
    let mut client = server.server.client();
    client.send("xboard\nprotover 2\nnew\nforce\ne2e4\nping 1\n");
    client.until("pong 1");
    assert_eq!(server.get("/game/1.pgn").status, 404);
}
