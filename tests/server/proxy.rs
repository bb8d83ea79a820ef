//! Connections of a proxy: its header counts on listeners that trust it, and nowhere else.

use crate::keys::secret;
use crate::program::Program;
use crate::test_server::{Client, TEST_TIMEOUT, TestServer};
use crate::tls::{Certificate, Secure, connect};
use farboard::auth::Nonce;
use farboard::auth::handshake::{Next, ShimHandshake};
use farboard::config::Network;
use farboard::server::ListenerPolicy;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

/// The proxy of these tests.
const PROXY: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 5));

fn networks(texts: &[&str]) -> Vec<Network> {
    texts.iter().map(|text| text.parse().expect("a network")).collect()
}

/// A policy that trusts the proxy.
fn policy() -> ListenerPolicy {
    ListenerPolicy { proxy: networks(&["127.0.0.5"]), ..ListenerPolicy::open() }
}

/// A connection of the proxy.
fn proxied(server: &TestServer) -> Client {
    Client::connect_from(PROXY, server.address)
}

fn version_1(client: &str) -> Vec<u8> {
    format!("PROXY TCP4 {client} 192.0.2.200 40000 5254\r\n").into_bytes()
}

fn version_2(command: u8, body: &[u8]) -> Vec<u8> {
    let family = if body.is_empty() { 0 } else { 0x11 };
    let length = u16::try_from(body.len()).expect("a short body").to_be_bytes();
    [b"\r\n\r\n\0\r\nQUIT\n".as_slice(), &[command, family], &length, body].concat()
}

fn version_2_for(client: &str) -> Vec<u8> {
    let client: Ipv4Addr = client.parse().expect("an address");
    version_2(0x21, &[&client.octets()[..], &[192, 0, 2, 200, 0x9c, 0x40, 0x14, 0x86]].concat())
}

fn local() -> Vec<u8> {
    version_2(0x20, b"")
}

/// The only line of a refusal.
fn refusal(client: &mut Client) -> String {
    let said = client.rest();
    assert!(matches!(&said[..], [line] if line.starts_with("tellusererror ")), "{said:?}");
    said.concat()
}

#[test]
fn sessions_begin_behind_headers_of_both_versions_in_any_segments() {
    let server = TestServer::behind(policy(), |_| {});
    for header in [version_1("192.0.2.1"), version_2_for("192.0.2.1"), b"PROXY UNKNOWN\r\n".to_vec()] {
        let mut client = proxied(&server);
        client.send([header.as_slice(), b"xboard\nping 1\n"].concat());
        client.until("pong 1");
        let mut client = proxied(&server);
        header.iter().chain(b"xboard\nping 2\n").for_each(|&byte| client.send([byte]));
        client.until("pong 2");
    }
    // Other clients connect as before.
    server.client().ping(1);
}

#[test]
fn lists_and_limits_apply_to_the_client() {
    let allow = networks(&["192.0.2.0/24"]);
    let server = TestServer::behind(ListenerPolicy { allow, ..policy() }, |setup| {
        setup.limits.sessions_per_address = Some(1);
    });
    let mut first = proxied(&server);
    first.send(version_1("192.0.2.1"));
    first.ping(1);
    for header in [version_1("192.0.2.1"), version_2_for("192.0.2.1")] {
        let mut second = proxied(&server);
        second.send(header);
        let said = refusal(&mut second);
        assert!(said.contains("at most 1 games at one time to one address"), "{said}");
    }
    let mut other = proxied(&server);
    other.send(version_2_for("192.0.2.2"));
    other.ping(1);
    for stranger in [version_1("198.51.100.1"), version_2_for("198.51.100.1")] {
        let mut client = proxied(&server);
        client.send(stranger);
        assert!(client.rest().is_empty());
    }
    // A client that does not come from the proxy is on no list, nor is one that the proxy does not
    // name.
    assert!(server.client().rest().is_empty());
    let mut unknown = proxied(&server);
    unknown.send("PROXY UNKNOWN\r\n");
    assert!(unknown.rest().is_empty());
    // Its slot is free as soon as the server has noticed its end.
    drop(first);
    let deadline = Instant::now() + TEST_TIMEOUT;
    loop {
        let mut next = proxied(&server);
        next.send([version_1("192.0.2.1").as_slice(), b"ping 1\n"].concat());
        if next.line().as_deref() == Some("pong 1") {
            break;
        }
        assert!(Instant::now() < deadline, "its slot is still taken");
    }
}

#[test]
fn a_proxy_without_a_header_is_refused_with_the_reason() {
    let server = TestServer::behind(policy(), |_| {});
    for text in ["xboard\n", "\r\nxboard\n", "PROXIMA\n"] {
        let mut client = proxied(&server);
        client.send(text);
        let said = refusal(&mut client);
        assert!(said.contains("connections from 127.0.0.5 must begin with a PROXY header"), "{said}");
    }
    for (text, why) in [
        ("PROXY TCP4 192.0.2.1 1 2\r\n", "its line is wrong"),
        ("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\n", "its line is wrong"),
    ] {
        let mut client = proxied(&server);
        client.send(text);
        let said = refusal(&mut client);
        assert!(said.contains("is invalid") && said.contains(why), "{said}");
    }
    let mut client = proxied(&server);
    client.send("PROXY TCP4 192.0.2.1");
    client.half_close();
    let said = refusal(&mut client);
    assert!(said.contains("is incomplete"), "{said}");
    // A port check may connect and say nothing.
    let mut client = proxied(&server);
    client.half_close();
    assert!(client.rest().is_empty());
    let server = TestServer::behind(policy(), |setup| {
        setup.limits.login_timeout = Duration::from_millis(50);
    });
    let said = refusal(&mut proxied(&server));
    assert!(said.contains("must begin with a PROXY header"), "{said}");
}

#[test]
fn a_header_from_another_address_is_refused() {
    let open = TestServer::start();
    let guarded = TestServer::behind(ListenerPolicy { secret: Some(secret()), ..policy() }, |_| {});
    let certificate = Certificate::new("127.0.0.1");
    let inside_tls = TestServer::behind(certificate.policy(), |_| {});
    for (server, others) in [(&open, "no proxies"), (&guarded, "other proxies"), (&inside_tls, "no proxies")]
    {
        for header in [version_1("192.0.2.1"), version_2_for("192.0.2.1"), local()] {
            let mut client = server.client();
            client.send([header.as_slice(), b"xboard\nping 1\n"].concat());
            let said = refusal(&mut client);
            assert!(said.contains("a PROXY header from 127.0.0.1 is not accepted"), "{said}");
            assert!(said.contains(others), "{said}");
        }
    }
    let mut client = open.client();
    version_1("192.0.2.1").iter().for_each(|&byte| {
        // The server may have closed before the last byte.
        let _ = client.stream().write_all(&[byte]);
    });
    assert!(refusal(&mut client).contains("is not accepted"));
}

#[test]
fn tls_and_the_secret_come_behind_the_header() {
    let certificate = Certificate::new("127.0.0.1");
    let policy =
        ListenerPolicy { secret: Some(secret()), proxy: networks(&["127.0.0.0/8"]), ..certificate.policy() };
    let server = TestServer::behind(policy, |_| {});
    for header in [version_1("192.0.2.1"), version_2_for("192.0.2.1")] {
        let mut socket = connect(&server);
        header.iter().for_each(|byte| socket.write_all(&[*byte]).expect("the server reads"));
        let mut client = Secure::new(socket, certificate.client());
        let mut handshake = ShimHandshake::new(secret(), Nonce::random().expect("a random number"));
        client.send(&handshake.first_line());
        let challenge = client.line().expect("a challenge");
        let Ok(Next::Say(proof)) = handshake.hear(challenge.as_bytes()) else { panic!("{challenge}") };
        client.send(&(proof + "ping 1\n"));
        assert_eq!((client.line().as_deref(), client.line().as_deref()), (Some("welcome"), Some("pong 1")));
    }
    // Errors are in plain text: a client without a header does not speak TLS yet.
    let mut client = server.client();
    client.send("xboard\n");
    assert!(refusal(&mut client).contains("must begin with a PROXY header"));
    let mut client = server.client();
    client.send([version_1("192.0.2.1").as_slice(), b"xboard\n"].concat());
    let said = refusal(&mut client);
    assert!(said.contains("requires TLS"), "{said}");
}

#[test]
fn a_health_check_of_the_proxy_needs_no_session_and_no_key() {
    let certificate = Certificate::new("127.0.0.1");
    let full = |setup: &mut farboard::server::Setup| setup.limits.sessions = 1;
    let plain = TestServer::behind(policy(), full);
    let guarded = TestServer::behind(ListenerPolicy { secret: Some(secret()), ..policy() }, full);
    let inside_tls = TestServer::behind(
        ListenerPolicy { secret: Some(secret()), proxy: networks(&["127.0.0.0/8"]), ..certificate.policy() },
        full,
    );
    for server in [&plain, &guarded, &inside_tls] {
        // More than the limit of sessions; they receive answers only.
        let mut probes: Vec<Client> = (0..3).map(|_| proxied(server)).collect();
        for probe in &mut probes {
            probe.send([local().as_slice(), b"xboard\nprotover 2\ngo\nping 7\n"].concat());
            assert_eq!(probe.line().as_deref(), Some("pong 7"));
            probe.send("isready\n");
            assert_eq!(probe.line().as_deref(), Some("readyok"));
        }
        for probe in &mut probes {
            probe.half_close();
            assert!(probe.rest().is_empty());
        }
    }
    let mut socket = connect(&inside_tls);
    socket.write_all(&local()).expect("the server reads");
    let mut probe = Secure::new(socket, certificate.client());
    probe.send("ping 8\n");
    assert_eq!(probe.line().as_deref(), Some("pong 8"));
    // A slot for a session stays free all the time.
    let mut client = proxied(&plain);
    client.send(version_1("192.0.2.1"));
    client.ping(1);
}

#[test]
fn the_log_has_the_client_and_no_health_check() {
    let mut program = Program::farboard(&[
        "--listen",
        "127.0.0.1:0",
        "--table",
        "1",
        "--log",
        "info",
        "--proxy",
        "127.0.0.5",
        "--drain-seconds",
        "0",
    ]);
    let address = program.address();
    let connect = || Client::connect_from(PROXY, address);
    program.logged("listens on");
    for _ in 0..3 {
        let mut probe = connect();
        probe.send([local().as_slice(), b"ping 1\n"].concat());
        probe.until("pong 1");
        probe.half_close();
        probe.rest();
    }
    let mut client = connect();
    client.send([version_2_for("192.0.2.7").as_slice(), b"ping 1\n"].concat());
    client.until("pong 1");
    let log = program.logged(" begins: ");
    assert!(log.contains("begins: 192.0.2.7 port 40000 (auto), 1 in all"), "{log}");
    assert_eq!(log.lines().count(), 1, "{log}");
    client.send("quit\n");
    client.rest();
    let log = program.logged(" ends: ");
    assert!(log.contains("ends: 192.0.2.7 port 40000 after "), "{log}");
    let mut client = connect();
    client.send("xboard\n");
    client.rest();
    let log = program.logged("refused");
    assert!(log.contains("refused 127.0.0.5 port ") && log.contains(" (proxy): "), "{log}");
}

#[test]
fn slow_headers_take_only_slots_of_pending_logins() {
    let server = TestServer::behind(policy(), |setup| {
        setup.limits.pending_logins = 3;
        setup.limits.login_timeout = TEST_TIMEOUT;
    });
    let mut slow: Vec<Client> = (0..5).map(|_| proxied(&server)).collect();
    slow.iter_mut().for_each(|client| {
        let _ = client.stream().write_all(b"PROXY ");
    });
    let mut client = proxied(&server);
    client.send(version_1("192.0.2.1"));
    client.ping(1);
}
