//! Few processes for many sessions.

use super::hosting_server::{Client, HostingServer, TEST_TIMEOUT, wait_until};
use super::program::Program;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Instant;

#[test]
fn analyses_are_counted_as_analyses() {
    let server = Program::start("behaves", "top");
    let mut clients = [server.analysis(), server.analysis()];
    for client in &mut clients {
        client.thinking();
    }
    let mut uci = TcpStream::connect(server.address).expect("a connection");
    let commands = "setoption name Profile value fake\nposition startpos\ngo infinite\n";
    uci.write_all(commands.as_bytes()).expect("a server that reads");
    wait_until("all three are there", || {
        let top = server.top();
        top.contains("\"analysis\":3") && top.matches("\"doing\":\"analysing\"").count() == 3
    });
}

#[test]
fn more_analyses_than_processes_all_progress_with_tables_of_their_own() {
    let server = HostingServer::with_fake("behaves", 2, "processes = 3");
    let mut clients = analyses_of_other_positions(8, &server);
    for client in &mut clients {
        let mut deepest = 0;
        while deepest < 12 {
            let (depth, score, _) = client.thinking();
            assert!(depth >= deepest, "lines below the depth that was shown before");
            assert_eq!(score, 1, "the fake engine counts the positions in its table");
            deepest = depth;
        }
    }
    let rows = server.processes();
    assert!(rows.len() <= 3 && rows.iter().all(|row| row.failures == 0), "{rows:?}");
}

#[test]
fn more_searches_to_a_depth_than_processes_end() {
    let server = HostingServer::with_patient_fake("pauses", 1);
    let deadline = Instant::now() + TEST_TIMEOUT;
    let clients: Vec<TcpStream> = (0..4)
        .map(|_| {
            let mut client = TcpStream::connect(server.running.address).expect("a connection");
            client.set_read_timeout(Some(TEST_TIMEOUT)).expect("a timeout");
            // Takes the fake engine 1.6 seconds, more than a turn.
            let commands = "setoption name Profile value fake\nposition startpos\ngo depth 8\n";
            client.write_all(commands.as_bytes()).expect("a server that reads");
            client
        })
        .collect();
    for client in clients {
        let deepest = BufReader::new(client)
            .lines()
            .map(|line| line.expect("a line in time"))
            // A search that begins anew without end reports its nodes again and again.
            .inspect(|_| assert!(Instant::now() < deadline, "not in time: a move"))
            .take_while(|line| !line.starts_with("bestmove "))
            .filter(|line| line.starts_with("info depth "))
            .last();
        assert!(deepest.as_ref().is_some_and(|line| line.starts_with("info depth 8 ")), "{deepest:?}");
    }
    assert!(server.processes().len() <= 3, "fewer than searches");
}

#[test]
fn tables_are_shared_where_the_configuration_says_so() {
    let server = HostingServer::with_fake("behaves", 1, "processes = 1\nshare_table = true");
    let mut clients = analyses_of_other_positions(3, &server);
    for client in &mut clients {
        while client.thinking().1 < 3 {}
    }
}

/// Up to eight analyses, each of another position.
fn analyses_of_other_positions(count: usize, server: &HostingServer) -> Vec<Client> {
    let of_pawn = |file: char| {
        let mut client = Client::of_fake(server);
        client.send(&format!("force\nusermove {file}2{file}3\nanalyze\n"));
        client
    };
    ('a'..='h').take(count).map(of_pawn).collect()
}

#[test]
fn the_next_position_of_a_session_finds_its_table() {
    let server = HostingServer::with_fake("behaves", 1, "");
    let mut client = Client::of_fake(&server);
    client.send("analyze\n");
    assert_eq!(client.thinking().1, 1);
    client.send("usermove e2e4\n");
    while client.thinking().1 < 2 {}
    assert_eq!(server.processes().len(), 1);
    client.send("option ClearHash\n");
    while client.thinking().1 != 1 {}
}

#[test]
fn a_clock_goes_before_analyses() {
    let server = HostingServer::with_fake("behaves", 1, "");
    let mut analyses: Vec<Client> = (0..4).map(|_| Client::of_fake(&server)).collect();
    for client in &mut analyses {
        client.send("analyze\n");
        client.thinking();
    }
    let mut player = Client::of_fake(&server);
    player.send("level 40 0:30 0\n");
    for _ in 0..6 {
        player.play("time 1000\notim 1000\ngo\n");
    }
    for client in &mut analyses {
        client.thinking();
    }
    let searching = || server.processes().iter().filter(|row| row.state == "searching").count();
    wait_until("no more processes search than there are tokens", || searching() <= 1);
    assert_eq!(player.messages, [""; 0]);
}

#[test]
fn a_clock_does_not_wait_for_a_process_that_is_prepared_for_an_analysis() {
    let server = HostingServer::with_fake("prepares_slowly", 1, "processes = 1");
    let mut analyses: Vec<Client> = (0..3).map(|_| Client::of_fake(&server)).collect();
    for client in &mut analyses {
        client.send("analyze\n");
    }
    analyses[0].thinking();
    // The only process is prepared for one analysis or another most of the time.
    let mut player = Client::of_fake(&server);
    player.send("st 5\n");
    for _ in 0..3 {
        player.send("go\n");
        let (_, score, nodes) = player.thinking();
        assert!(
            (1..=3).contains(&score) && nodes % 100 == 0,
            "the fake engine, with a table of this game alone"
        );
        player.play("");
    }
    for client in &mut analyses {
        client.thinking();
    }
    assert_eq!(player.messages, [""; 0]);
    assert!(server.processes().iter().all(|row| row.failures == 0));
}

#[test]
fn limits_and_pondering_end_where_they_should() {
    for way in ["behaves", "ignores_depth"] {
        let server = HostingServer::with_patient_fake(way, 2);
        let mut client = Client::of_fake(&server);
        client.send("sd 7\n");
        client.play("go\n");
        client.send("hard\nst 1\n");
        client.play("go\n");
        client.ping(7);
        assert_eq!(client.messages, [""; 0]);
        assert_eq!(server.failures(), 0);
    }
}

#[test]
fn a_search_with_a_depth_limit_reports_all_of_its_last_iteration() {
    let server = HostingServer::with_patient_fake("pauses", 1);
    let mut client = Client::of_fake(&server);
    client.send("option MultiPV=3\nst 1000\nsd 2\ngo\n");
    let moves = client.position.legal_moves();
    let (mut last, mut line) = (Vec::new(), String::new());
    while !line.starts_with("move ") {
        if let Some(pv) = line.strip_prefix("2 ").and_then(|rest| rest.split('\t').nth(1)) {
            last.push(client.position.parse_move(pv.trim()).expect("a legal move"));
        }
        line = client.until(|line| !line.is_empty());
    }
    assert_eq!(client.position.parse_move(&line["move ".len()..]), Ok(moves[1]), "the better one");
    assert!(moves[1..=3].iter().all(|mv| last.contains(mv)), "{last:?}");
    assert_eq!(client.messages, [""; 0]);
}

#[test]
fn unsupported_variants_are_reported_once_and_played_by_the_built_in_engine() {
    let server = HostingServer::with_fake("behaves", 2, "");
    let mut client = server.client();
    client.send("option Profile=fake\nnew\nvariant atomic\npost\nsd 2\ngo\n");
    client.until(|line| line.starts_with("move "));
    client.send("new\nvariant atomic\ngo\n");
    client.until(|line| line.starts_with("move "));
    let messages: Vec<&String> =
        client.messages.iter().filter(|line| line.contains("does not play atomic")).collect();
    assert_eq!(messages.len(), 1, "{:?}", client.messages);
    client.send("new\noption LimitStrength=1\nst 1\ngo\n");
    client.until(|line| line.starts_with("move "));
    assert!(
        client.messages.iter().any(|line| line.contains("plays at full strength only")),
        "{:?}",
        client.messages
    );
}
