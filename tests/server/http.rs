//! HTTP requests to a session listener: a web page can make a browser send them to any address, and
//! must not play.

use crate::keys::secret;
use crate::test_server::{Client, TestServer};
use crate::tls::Certificate;
use farboard::protocol::http::REFUSAL;
use farboard::server::ListenerPolicy;
use std::io::Write;

/// A browser's request, whose body contains commands.
fn request(method: &str) -> String {
    format!("{method} / HTTP/1.1\r\nHost: 127.0.0.1:5254\r\nContent-Type: text/plain\r\n\r\n{BODY}")
}

/// The analysis would be silent, but the pings would be answered.
const BODY: &str = "new\nping 1\nping 2\n";

#[test]
fn a_request_ends_the_session_and_its_body_is_ignored() {
    let server = TestServer::start();
    for method in ["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE", "PATCH", "PROPFIND"]
    {
        let mut client = server.client();
        client.send(request(method));
        assert_eq!(client.rest(), REFUSAL, "{method}");
    }
}

#[test]
fn a_request_in_single_bytes_ends_it_too() {
    let server = TestServer::start();
    let mut client = server.client();
    for byte in request("POST").bytes() {
        // The server may close before the end.
        if client.stream().write_all(&[byte]).is_err() {
            break;
        }
    }
    assert_eq!(client.rest(), REFUSAL);
}

/// Sends a request target that exceeds the length of a line.
fn long_target(client: &mut Client) {
    client.send(format!("POST /{} HTTP/1.1\r\n", "x".repeat(20_000)));
}

#[test]
fn a_request_with_an_overlong_first_line_is_recognised_by_its_headers() {
    let server = TestServer::start();
    let mut client = server.client();
    long_target(&mut client);
    client.send(format!("host: farboard\r\n\r\n{BODY}"));
    let said = client.rest();
    assert!(said[0].starts_with("Error (line too long"), "{said:?}");
    assert_eq!(said[1..], REFUSAL);
}

#[test]
fn one_in_the_middle_of_a_session_ends_it_too() {
    let server = TestServer::start();
    let mut client = server.client();
    client.send("xboard\nedit\n");
    client.send(request("GET"));
    assert_eq!(client.rest(), REFUSAL);
}

#[test]
fn a_listener_with_a_secret_answers_alike() {
    let server =
        TestServer::behind(ListenerPolicy { secret: Some(secret()), ..ListenerPolicy::open() }, |_| {});
    let mut client = server.client();
    client.send(request("POST"));
    assert_eq!(client.rest(), REFUSAL);
}

#[test]
fn a_plain_request_to_a_tls_listener_is_refused_with_the_reason() {
    let certificate = Certificate::new("127.0.0.1");
    let server = TestServer::behind(certificate.policy(), |_| {});
    let mut client = server.client();
    client.send(request("POST"));
    let said = client.rest();
    assert!(
        matches!(&said[..], [line] if line.starts_with("tellusererror this server requires TLS")),
        "{said:?}"
    );
}
