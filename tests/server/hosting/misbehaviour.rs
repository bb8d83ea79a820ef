//! Whatever an engine does, moves come in time and analyses continue.

use super::hosting_server::{Client, HostingServer, exists, wait_until};
use std::time::Instant;

/// Sleep time of children that an engine leaves, by which they are found.
pub const SLEEP: &str = "98765.4321";

/// Plays some moves and analyses with a misbehaving engine, which is detected. Returns the messages
/// for the user.
fn endure(way: &str, settings: &str) -> Vec<String> {
    let server = HostingServer::with_fake(way, 2, settings);
    let mut client = Client::of_fake(&server);
    client.send("st 0.5\n");
    for _ in 0..3 {
        client.play("go\n");
    }
    client.send("analyze\n");
    client.thinking();
    client.send("exit\n");
    client.ping(1);
    // A second client meets the engine in its later state.
    let mut other = Client::of_fake(&server);
    other.send("analyze\n");
    other.thinking();
    if way != "behaves" {
        // An engine that keeps searching after the end is detected a moment later.
        wait_until("a failure is counted", || server.failures() > 0);
    }
    let processes: Vec<u32> = server.processes().iter().map(|row| row.process).collect();
    drop((other, server));
    wait_until("processes have ended with their server", || {
        !processes.iter().any(|&process| exists(process))
    });
    client.messages
}

#[test]
fn one_that_behaves() {
    assert_eq!(endure("behaves", ""), [""; 0]);
}

#[test]
fn one_that_dies_is_replaced_and_at_last_no_longer_used() {
    for way in ["dies_at_once", "dies"] {
        let messages = endure(way, "");
        assert!(
            messages.iter().any(|line| line.contains("The engine fake of this server")),
            "{way}: {messages:?}"
        );
    }
}

#[test]
fn one_that_does_not_answer() {
    for way in ["says_nothing", "is_never_ready", "searches_mutely", "hangs"] {
        endure(way, "");
    }
}

#[test]
fn one_that_does_not_stop() {
    endure("ignores_stop", "");
}

#[test]
fn one_that_talks_nonsense() {
    for way in ["talks_nonsense", "plays_illegally", "shows_illegal_moves", "names_no_move"] {
        endure(way, "");
    }
}

#[test]
fn one_that_prints_much_is_fine() {
    let server = HostingServer::with_patient_fake("prints_much", 1);
    let mut client = Client::of_fake(&server);
    client.send("option MultiPV=9\nanalyze\n");
    while client.thinking().0 < 3 {}
    client.send("exit\nst 1\n");
    client.play("go\n");
    assert_eq!((server.failures(), client.messages.len()), (0, 0), "{:?}", client.messages);
}

#[test]
fn one_that_prints_without_end() {
    for way in ["prints_without_end", "prints_one_line_without_end"] {
        endure(way, "");
    }
}

#[test]
fn one_that_eats_memory() {
    endure("eats_memory", "memory = 256");
}

#[test]
fn one_that_leaves_children() {
    let sleepers = || {
        let all = std::fs::read_dir("/proc").expect("a list of processes");
        let lines = all.flatten().filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
        lines.filter(|line| line.windows(SLEEP.len()).any(|part| part == SLEEP.as_bytes())).count()
    };
    for way in ["leaves_children", "leaves_sessions"] {
        endure(way, "");
        wait_until("children have ended with their engine", || sleepers() == 0);
    }
}

#[test]
fn one_that_fails_is_killed_and_replaced() {
    for way in ["says_nothing", "hangs", "ignores_stop", "plays_illegally"] {
        let server = HostingServer::with_fake(way, 1, "");
        let mut client = Client::of_fake(&server);
        let process = || server.processes().first().map(|row| row.process);
        client.send("analyze\n");
        let mut first = None;
        wait_until("a process is started", || {
            first = first.or_else(&process);
            first.is_some()
        });
        let first = first.expect("it was there");
        if ["ignores_stop", "plays_illegally"].contains(&way) {
            client.thinking();
            client.send("exit\n");
        }
        wait_until("it has ended for a failure", || !exists(first) && server.failures() > 0);
        client.send("exit\nanalyze\n");
        wait_until("there is another", || process().is_some_and(|process| process != first));
    }
}

#[test]
fn a_missing_program_is_refused_at_the_start_and_reported_later() {
    let (began, missing) = (Instant::now(), "[engine.fake]\ncommand = [\"no-such-engine\"]\n");
    let server = HostingServer::start(&format!(
        "{missing}[profile.fake]\nengine = \"fake\"\noptions = {{ Book = \"none\" }}\n"
    ));
    let mut client = Client::of_fake(&server);
    client.send("sd 3\n");
    client.play("go\n");
    client.play("go\n");
    assert!(
        client.messages.iter().any(|line| line.contains("Farboard's own engine")),
        "{:?}",
        client.messages
    );
    assert!(began.elapsed() < super::hosting_server::TEST_TIMEOUT);
}

#[test]
fn one_that_ignores_searchmoves_is_used_without_exclusions() {
    let server = HostingServer::with_patient_fake("ignores_searchmoves", 2);
    let mut client = Client::of_fake(&server);
    let first = client.position.coordinates(client.position.legal_moves()[0]);
    for _ in 0..6 {
        client.send(&format!("new\nexclude {first}\nanalyze\n"));
        client.thinking();
        client.send(&format!("exit\nnew\nst 1000\nsd 2\nexclude {first}\ngo\n"));
        assert_ne!(client.until(|line| line.starts_with("move ")), format!("move {first}"));
    }
    let messages = client.messages.iter().filter(|line| line.contains("cannot leave out moves")).count();
    assert_eq!((messages, client.messages.len()), (1, 1), "{:?}", client.messages);
    assert_eq!(server.failures(), 0);
    let mut other = Client::of_fake(&server);
    other.send("st 1000\nsd 2\ngo\n");
    other.until(|line| line == format!("move {first}"));
    assert_eq!(other.messages, [""; 0]);
}

#[test]
fn one_that_honours_searchmoves_is_used_with_exclusions() {
    let server = HostingServer::with_patient_fake("behaves", 1);
    let mut client = Client::of_fake(&server);
    let moves = client.position.legal_moves();
    let (first, second) = (client.position.coordinates(moves[0]), client.position.coordinates(moves[1]));
    client.send(&format!("st 1000\nsd 2\nexclude {first}\ngo\n"));
    client.until(|line| line == format!("move {second}"));
    assert_eq!(client.messages, [""; 0]);
}

#[test]
fn one_that_names_no_move_where_there_are_some_has_failed() {
    let server = HostingServer::with_fake("names_no_move", 1, "");
    let mut client = Client::of_fake(&server);
    client.send("analyze\n");
    client.thinking();
    assert_eq!(server.failures(), 3);
    assert!(
        client.messages.iter().any(|line| line.contains("fails in this position")),
        "{:?}",
        client.messages
    );
}

#[test]
fn repeated_failures_in_one_search_do_not_disable_it_for_others() {
    let server = HostingServer::with_fake("dies", 1, "");
    let mut client = Client::of_fake(&server);
    for failures in [3, 6, 9] {
        client.send("analyze\n");
        wait_until("three processes have failed", || server.failures() >= failures);
        client.send("exit\n");
        client.ping(1);
        assert_eq!(server.failures(), failures);
    }
    assert!(!client.messages.iter().any(|line| line.contains("is not used")), "three: {:?}", client.messages);
    client.send("analyze\n");
    client.until(|line| line.contains("is not used for a while"));
    assert_eq!(server.failures(), 10);
}
