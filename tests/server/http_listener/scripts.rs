//! The feed for scripts: events, and games as PGN.

use super::Observed;
use super::web::Page;
use farboard::auth::Visibility;
use farboard::server::{ListenerPolicy, Setup};
use farboard::session::Profile;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::sync::Arc;

pub(super) fn watched_by(watch: Visibility) -> Observed {
    Observed::new(visible_to(watch))
}

fn visible_to(watch: Visibility) -> impl FnOnce(&mut Setup) {
    move |setup| setup.profile = Arc::new(Profile { watch, ..(*setup.profile).clone() })
}

#[test]
fn a_game_is_read_as_pgn_and_as_events() {
    let server = watched_by(Visibility::Everybody);
    let mut client = server.server.client();
    client.send("xboard\nprotover 2\nnew\nforce\ne2e4\ne7e5\nping 1\n");
    client.until("pong 1");
    let number = number_of_only_session(&server);
    let pgn = server.get(&format!("/game/{number}.pgn"));
    assert!(pgn.status == 200 && pgn.body.contains("1. e4 e5"), "{pgn:?}");
    assert_eq!(server.get("/game/999.pgn").status, 404);
    for (path, wanted) in
        [("/api/feed".to_owned(), "\"ply\":2"), (format!("/api/feed/{number}"), "\"san\":\"e5\"")]
    {
        let seen = events_until(&server, &path, wanted);
        assert!(seen.contains("\r\nContent-Type: text/event-stream\r\n"), "{seen}");
    }
}

#[test]
fn a_watcher_who_comes_late_learns_the_engines_scores() {
    let server = watched_by(Visibility::Everybody);
    let mut client = server.server.client();
    client.send("xboard\nprotover 2\nnew\nsd 3\nsetboard 4k3/8/8/8/8/8/R7/4K3 w - - 0 1\na2a7\n");
    client.until("move ");
    client.send("force\na7a6\nping 1\n");
    client.until("pong 1");
    let seen = events_until(&server, "/api/feed", "\"ply\":3");
    let path = format!("/game/{}.pgn", first_number(&seen));
    let seen = events_until(&server, &path.replace("/game", "/api/feed").replace(".pgn", ""), "\"ply\":3");
    assert!(seen.contains("\"scores\":{\"1\":{\"cp\":"), "{seen}");
    let pgn = server.get(&path).body;
    let (before, after) = pgn.split_once("{ [%eval ").expect("an evaluation");
    assert!(before.ends_with("1. Ra7 Kd8 ") || before.ends_with("1. Ra7 Kf8 "), "{pgn}");
    assert!(after.contains("] [%emt 0:00:0") && after.contains("} 2. Ra6 *"), "{pgn}");
}

#[test]
fn kicked_clients_watch_no_longer() {
    let control = std::env::temp_dir().join(format!("farboard-watch-{}", std::process::id()));
    let open = ListenerPolicy::open;
    let server = Observed::prepared(open(), open(), visible_to(Visibility::Everybody), |server| {
        server.make_control(&control).expect("a socket");
    });
    let (mut stream, _) = stream_until(&server, "/api/feed", "\ndata: ");
    let mut page = Page::watching(&server);
    let mut kick = Command::new(env!("CARGO_BIN_EXE_farboard"));
    let kick = kick.args(["kick", "127.0.0.1", "--for", "3600", "--control"]).arg(&control);
    assert!(kick.status().expect("it runs").success());
    stream.read_to_end(&mut Vec::new()).expect("the stream ends");
    let farewell = page.close_frame();
    assert!(farewell.reason.contains("ended your sessions"), "{farewell:?}");
    let refused = server.get("/api/feed");
    assert!(refused.status == 503 && refused.body.contains("ended your sessions"), "{refused:?}");
}

#[test]
fn watchers_see_what_the_client_does_and_that_it_has_gone() {
    let server = watched_by(Visibility::Everybody);
    let mut client = server.server.client();
    client.send("xboard\nprotover 2\nnew\nforce\nping 1\n");
    client.until("pong 1");
    let (mut stream, _) = stream_until(&server, "/api/feed", "\"ply\":0");
    // Without a search, as the engine does not play.
    client.send("e2e4\ne7e5\n");
    read_until(&mut stream, "\"ply\":2");
    let number = number_of_only_session(&server);
    client.send("quit\n");
    read_until(&mut stream, &format!("\"gone\":[{number}]"));
}

/// Reads events until one contains a text.
fn events_until(server: &Observed, path: &str, wanted: &str) -> String {
    stream_until(server, path, wanted).1
}

/// Reads events until one contains a text. Returns the stream as well.
fn stream_until(server: &Observed, path: &str, wanted: &str) -> (TcpStream, String) {
    let mut stream = server.connect();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("the server reads");
    let seen = read_until(&mut stream, wanted);
    (stream, seen)
}

/// Reads more events until one contains a text.
fn read_until(stream: &mut TcpStream, wanted: &str) -> String {
    let (mut seen, mut part) = (String::new(), [0; 4096]);
    while !seen.contains(wanted) {
        let count = stream.read(&mut part).expect("events");
        assert_ne!(count, 0, "the stream ends: {seen}");
        seen += &String::from_utf8_lossy(&part[..count]);
    }
    seen
}

/// Returns the number under which the only session can be watched.
fn number_of_only_session(server: &Observed) -> u64 {
    first_number(&events_until(server, "/api/feed", "\"ply\":2"))
}

/// Returns the first number of a session in events.
fn first_number(seen: &str) -> u64 {
    let (_, number) = seen.split_once("\"id\":").expect("a session");
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    number[..digits].parse().expect("a number")
}
