//! Access: address lists and secrets.

use crate::test_server::{Client, TEST_TIMEOUT, TestServer};
use farboard::auth::handshake::{Next, ServerHandshake, ShimHandshake};
use farboard::auth::{Nonce, Secret};
use farboard::server::{ListenerPolicy, Setup};
use std::time::{Duration, Instant};

/// The secret of the servers here.
pub fn secret() -> Secret {
    Secret::new(b"the secret of these tests").expect("long enough")
}

fn policy() -> ListenerPolicy {
    ListenerPolicy { secret: Some(secret()), ..ListenerPolicy::open() }
}

fn server() -> TestServer {
    TestServer::behind(policy(), |_| {})
}

/// A way to send text.
type Send = fn(&mut Client, &str);

fn at_once(client: &mut Client, text: &str) {
    client.send(text);
}

fn byte_by_byte(client: &mut Client, text: &str) {
    text.as_bytes().iter().for_each(|&byte| client.send([byte]));
}

/// Logs in as a shim with the right secret up to its proof, which is returned.
fn proof(client: &mut Client, send: Send, nonce: Nonce) -> String {
    try_proof(client, send, nonce).unwrap_or_else(|said| panic!("{said}"))
}

/// The same; an error is the server's reply instead of a challenge.
fn try_proof(client: &mut Client, send: Send, nonce: Nonce) -> Result<String, String> {
    let mut handshake = ShimHandshake::new(secret(), nonce);
    send(client, &handshake.first_line());
    let challenge = client.line().expect("a challenge");
    match handshake.hear(challenge.as_bytes()) {
        Ok(Next::Say(proof)) => Ok(proof),
        _ => Err(challenge),
    }
}

/// A client that was challenged in time, and its proof. On a busy machine its time may expire
/// before that; then there is another attempt.
fn challenged(server: &TestServer) -> (Client, String) {
    let attempt = |_| {
        let mut client = server.client();
        let said = try_proof(&mut client, at_once, nonce());
        match said {
            Ok(proof) => Some((client, proof)),
            Err(said) if said.contains("a secret at once") => None,
            Err(said) => panic!("{said}"),
        }
    };
    (0..).find_map(attempt).expect("there is no last attempt")
}

fn nonce() -> Nonce {
    Nonce::random().expect("a random number")
}

/// The text of the server's only line.
fn only_line(client: &mut Client) -> String {
    let said = client.rest();
    assert!(matches!(&said[..], [line] if line.starts_with("tellusererror ")), "{said:?}");
    said.concat()
}

#[test]
fn clients_with_the_secret_are_accepted() {
    let server = server();
    for send in [at_once as Send, byte_by_byte] {
        let mut client = server.client();
        let proof = proof(&mut client, send, nonce());
        send(&mut client, &proof);
        assert_eq!(client.line().as_deref(), Some("welcome"));
        send(&mut client, "xboard\nprotover 2\nnew\nsd 1\ngo\n");
        client.until("move ");
    }
}

#[test]
fn the_session_may_begin_in_the_segment_of_the_proof() {
    let server = server();
    let mut client = server.client();
    let proof = proof(&mut client, at_once, nonce());
    client.send(proof + "ping 1\nping 2\n");
    client.half_close();
    assert_eq!(client.rest(), ["welcome", "pong 1", "pong 2"]);
}

#[test]
fn clients_without_the_secret_are_refused() {
    let server = server();
    let other = Secret::new(b"another secret of tests").expect("long enough");
    let mut client = server.client();
    let mut handshake = ShimHandshake::new(other.clone(), nonce());
    client.send(handshake.first_line());
    let challenge = client.line().expect("a challenge");
    assert!(handshake.hear(challenge.as_bytes()).is_err(), "the shim notices first");
    // A careless program would reveal what a server with its own secret accepts from it.
    let server_nonce = challenge.split(' ').nth(2).and_then(Nonce::read).expect("a nonce");
    let mut accomplice = ServerHandshake::new(server_nonce);
    let Ok(Next::Say(challenge)) = accomplice.hear(handshake.first_line().trim_end().as_bytes(), &other)
    else {
        panic!("it knows a handshake");
    };
    let Ok(Next::Say(proof)) = handshake.hear(challenge.trim_end().as_bytes()) else { panic!("they agree") };
    client.send(proof + "ping 1\n");
    let said = only_line(&mut client);
    assert!(said.contains("secret") && !said.contains("pong"), "{said}");
}

#[test]
fn a_proof_is_good_for_one_connection() {
    let server = server();
    let nonce = nonce();
    let mut client = server.client();
    let proof = proof(&mut client, at_once, nonce);
    client.send(&proof);
    assert_eq!(client.line().as_deref(), Some("welcome"));
    let mut replayer = server.client();
    replayer.send(ShimHandshake::new(secret(), nonce).first_line());
    replayer.line().expect("a challenge");
    replayer.send(&proof);
    assert!(only_line(&mut replayer).contains("--secret-file"));
}

#[test]
fn a_plain_client_is_refused_with_one_line_of_advice() {
    let server = server();
    let explanation = |text: &[u8]| {
        let mut client = server.client();
        client.send(text);
        let said = only_line(&mut client);
        assert!(said.contains("farboard-connect --secret-file FILE"), "{said}");
    };
    for text in ["xboard\nprotover 2\nnew\n", "\n", "proof 00\n", "farboard-connect\n"] {
        explanation(text.as_bytes());
    }
    explanation(b"\xff\xfe\0\n");
    explanation(&[b'x'; 10_000]);
    let mut slow = server.client();
    byte_by_byte(&mut slow, "xboard\n");
    only_line(&mut slow);
    let mut piped = server.client();
    piped.send("ping 1");
    piped.half_close();
    only_line(&mut piped);
    let mut silent = server.client();
    silent.half_close();
    assert!(silent.rest().is_empty());
}

#[test]
fn another_version_is_distinguished_from_another_program() {
    let server = server();
    let mut client = server.client();
    client.send(format!("farboard-connect 4 {}\n", nonce()));
    assert!(only_line(&mut client).contains("versions 1 and 3"));
}

#[test]
fn the_server_does_not_speak_first() {
    let server = server();
    let mut client = server.client();
    let mut other = server.client();
    // This one is served after the first was.
    other.send("xboard\n");
    only_line(&mut other);
    assert!(!client.has_more_output());
    proof(&mut client, at_once, nonce());
}

#[test]
fn slow_handshakes_are_closed() {
    let server =
        TestServer::behind(policy(), |setup| setup.limits.login_timeout = Duration::from_millis(300));
    let mut silent = server.client();
    let mut half = server.client();
    half.send("farboard-connect 1");
    let (mut undecided, _) = challenged(&server);
    for client in [&mut silent, &mut half, &mut undecided] {
        only_line(client);
    }
    // More bytes do not buy more time.
    let trickling = server.client();
    let mut writer = trickling.stream().try_clone().expect("a connection");
    let trickle = std::thread::spawn(move || {
        while std::io::Write::write_all(&mut writer, b"x").is_ok() {
            std::thread::yield_now();
        }
    });
    let mut trickling = trickling;
    trickling.rest();
    drop(trickling);
    trickle.join().expect("no panic");
}

#[test]
fn accepted_clients_have_no_time_limit() {
    let server =
        TestServer::behind(policy(), |setup| setup.limits.login_timeout = Duration::from_millis(500));
    let mut client = (0..)
        .find_map(|_| {
            let (mut client, proof) = challenged(&server);
            client.send(proof);
            let said = client.line().expect("an answer");
            assert!(said == "welcome" || said.contains("a secret at once"), "{said}");
            (said == "welcome").then_some(client)
        })
        .expect("there is no last attempt");
    // This one came later, and its time has expired.
    only_line(&mut server.client());
    client.ping(1);
}

#[test]
fn pending_logins_take_no_session_slot() {
    let limit = |setup: &mut Setup| setup.limits.sessions = 1;
    let server = TestServer::behind(policy(), limit);
    let (mut silent, mut first, mut second) = (server.client(), server.client(), server.client());
    let [proof_of_first, proof_of_second] =
        [&mut first, &mut second].map(|client| proof(client, at_once, nonce()));
    first.send(proof_of_first + "ping 1\n");
    assert_eq!([first.line(), first.line()].map(Option::unwrap), ["welcome", "pong 1"]);
    // The only slot was taken while the second client was still logging in.
    second.send(proof_of_second + "ping 1\n");
    assert_eq!(second.line().as_deref(), Some("welcome"));
    assert!(only_line(&mut second).contains("full"));
    assert!(only_line(&mut server.client()).contains("full"));
    drop(first);
    let deadline = Instant::now() + TEST_TIMEOUT;
    loop {
        let mut next = server.client();
        next.send(ShimHandshake::new(secret(), nonce()).first_line());
        if next.line().is_some_and(|line| line.starts_with("farboard 1 ")) {
            break;
        }
        assert!(Instant::now() < deadline, "the place is not free");
    }
    // The client that has been logging in all the time is undisturbed.
    let proof = proof(&mut silent, at_once, nonce());
    silent.send(proof + "ping 1\n");
    assert_eq!([silent.line(), silent.line()].map(Option::unwrap), ["welcome", "pong 1"]);
}

#[test]
fn strangers_do_not_keep_out_clients_with_the_secret() {
    let limit = |setup: &mut Setup| (setup.limits.pending_logins, setup.limits.sessions) = (4, 10);
    let server = TestServer::behind(policy(), limit);
    let mut strangers: Vec<Client> = Vec::new();
    for _ in 0..3 {
        strangers.extend((0..6).map(|_| server.client()));
        let mut client = server.client();
        let proof = proof(&mut client, at_once, nonce());
        client.send(proof + "quit\n");
        assert_eq!(client.rest(), ["welcome"]);
    }
    // Other clients have taken the first one's slot already, and it is notified.
    assert!(only_line(&mut strangers[0]).contains("full"));
}

#[test]
fn draining_does_not_wait_for_handshakes() {
    let server = server();
    let mut client = server.client();
    proof(&mut client, at_once, nonce());
    server.handle.drain();
    assert!(client.rest().is_empty());
    drop(client);
    server.join();
}

#[test]
fn a_server_without_a_secret_proves_nothing() {
    let server = TestServer::start();
    let mut client = server.client();
    let mut handshake = ShimHandshake::new(secret(), nonce());
    client.send(handshake.first_line());
    let said = client.line().expect("an answer");
    assert!(handshake.hear(said.as_bytes()).is_err(), "{said}");
}

#[test]
fn addresses_that_are_not_allowed_are_closed_without_a_word() {
    let allow = vec!["192.0.2.0/24".parse().expect("a network")];
    let server = TestServer::behind(ListenerPolicy { allow, ..ListenerPolicy::open() }, |_| {});
    assert!(server.client().rest().is_empty());
    let allow = ["192.0.2.0/24", "127.0.0.0/8"].map(|text| text.parse().expect("a network")).to_vec();
    let server = TestServer::behind(ListenerPolicy { allow, ..ListenerPolicy::open() }, |_| {});
    server.client().ping(1);
}
