//! Many clients, and their limits.

use crate::test_server::{Client, TestServer, allow_many_connections};

#[test]
fn five_hundred_sessions_each_with_its_own_position() {
    allow_many_connections();
    let server = TestServer::start();
    let mut clients: Vec<Client> = (0..500).map(|_| server.client()).collect();
    for (number, client) in clients.iter_mut().enumerate() {
        let position = position(number);
        client.send(format!("xboard\nprotover 2\nnew\nforce\nsetboard {position}\nping {number}\n"));
    }
    for (number, client) in clients.iter_mut().enumerate() {
        client.until(&format!("pong {number}"));
    }
    // Each session keeps its own position: a king step that is legal only there.
    for (number, client) in clients.iter_mut().enumerate() {
        let file = number % 8;
        let name = |file: usize| "abcdefgh".as_bytes()[file] as char;
        let to = if file < 7 { file + 1 } else { file - 1 };
        let wrong = (file + 3) % 8;
        client.send(format!(
            "{}1{}1\n{}1{}1\nping 1\n",
            name(wrong),
            name((wrong + 1) % 8),
            name(file),
            name(to)
        ));
        let refused = client.until("Illegal move");
        assert!(refused.contains(&format!("{}1", name(wrong))), "{refused}");
        assert_eq!(client.line().as_deref(), Some("pong 1"));
    }
}

/// King against king, White's on one file or another.
fn position(number: usize) -> String {
    let file = number % 8;
    let before = if file > 0 { file.to_string() } else { String::new() };
    let after = if file < 7 { (7 - file).to_string() } else { String::new() };
    format!("4k3/8/8/8/8/8/8/{before}K{after} w - - 0 {}", 1 + number)
}

#[test]
fn a_client_above_the_limit_is_refused_with_the_reason() {
    let server = TestServer::with(|setup| setup.limits.sessions = 2);
    let mut first = server.client();
    first.ping(1);
    let mut second = server.client();
    second.ping(1);
    let mut third = server.client();
    third.send("xboard\nprotover 2\n");
    let said = third.rest();
    assert!(
        matches!(&said[..], [line] if line.starts_with("tellusererror ") && line.contains("2 games")),
        "{said:?}"
    );
    first.ping(2);
    second.send("quit\n");
    assert!(second.rest().is_empty());
    drop(second);
    // The slot is free as soon as the server has noticed the end.
    let attempt = |_| {
        let mut client = server.client();
        client.send("ping 1\n");
        let said = client.line().expect("an answer");
        assert!(said == "pong 1" || said.contains("2 games"), "{said}");
        (said == "pong 1").then_some(client)
    };
    (0..).find_map(attempt).expect("there is no last attempt");
    first.ping(3);
}

#[test]
fn one_address_may_have_a_limit_of_its_own() {
    let server = TestServer::with(|setup| setup.limits.sessions_per_address = Some(1));
    let mut first = server.client();
    first.ping(1);
    let said = server.client().rest();
    assert!(said[0].contains("one address"), "{said:?}");
    // A flood of them is closed without a message, and does no harm.
    let others: Vec<Client> = (0..100).map(|_| server.client()).collect();
    first.ping(2);
    drop(others);
}
