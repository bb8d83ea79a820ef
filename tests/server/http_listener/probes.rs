//! `/healthz` and `/readyz`, and requests in general.

use super::{Observed, answer, ask};
use std::io::{Read, Write};

#[test]
fn a_server_with_free_slots_is_healthy_and_ready() {
    let server = Observed::new(|_| {});
    for (path, body) in [("/healthz", "ok\n"), ("/readyz", "ready\n"), ("/readyz?verbose", "ready\n")] {
        let answer = server.get(path);
        assert_eq!((answer.status, answer.body.as_str()), (200, body), "{path}");
        assert!(answer.head.contains("\r\nContent-Type: text/plain"), "{}", answer.head);
    }
    assert_eq!(server.get("/nothing").status, 404);
    assert_eq!(server.get("/metrics/").status, 404);
}

#[test]
fn a_full_server_is_healthy_and_not_ready() {
    let server = Observed::new(|setup| setup.limits.sessions = 1);
    let mut client = server.server.client();
    client.ping(1);
    let answer = server.until("/readyz", |answer| answer.status == 503);
    assert_eq!(answer.body, "all session slots are taken\n");
    assert_eq!(server.get("/healthz").status, 200);
    drop(client);
    server.until("/readyz", |answer| answer.status == 200);
}

#[test]
fn a_draining_server_is_healthy_and_not_ready() {
    let server = Observed::new(|setup| setup.limits.drain = crate::test_server::TEST_TIMEOUT);
    let mut client = server.server.client();
    client.send("xboard\nst 3000\ngo\n");
    client.status();
    server.server.handle.drain();
    let answer = server.until("/readyz", |answer| answer.status == 503);
    assert!(answer.body.starts_with("no new sessions"), "{}", answer.body);
    assert_eq!(server.get("/healthz").status, 200);
    server.number_until("farboard_draining", |draining| draining == 1.0);
    client.send("quit\n");
    server.server.join();
}

#[test]
fn a_connection_may_send_many_requests_and_pipeline_them() {
    let server = Observed::new(|_| {});
    let mut stream = server.connect();
    for _ in 0..100 {
        let answer = ask(&mut stream, "GET /healthz HTTP/1.1\r\n\r\n");
        assert!(answer.head.contains("keep-alive"), "{}", answer.head);
    }
    let requests = "GET /healthz HTTP/1.1\r\n\r\n".repeat(200) + "GET /readyz HTTP/1.0\r\n\r\n";
    stream.write_all(requests.as_bytes()).expect("it reads");
    for _ in 0..200 {
        assert_eq!(answer(&mut stream).body, "ok\n");
    }
    let last = answer(&mut stream);
    assert!(last.body == "ready\n" && last.head.contains("Connection: close"), "{last:?}");
    assert_eq!(stream.read(&mut [0]).expect("the end"), 0);
}

#[test]
fn a_request_may_arrive_in_single_bytes() {
    let server = Observed::new(|_| {});
    let mut stream = server.connect();
    stream.set_nodelay(true).expect("an option");
    for byte in b"GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n" {
        stream.write_all(&[*byte]).expect("it reads");
    }
    assert_eq!(answer(&mut stream).body, "ready\n");
}

#[test]
fn head_requests_and_unsafe_methods() {
    let server = Observed::new(|_| {});
    let mut stream = server.connect();
    stream.write_all(b"HEAD /healthz HTTP/1.1\r\nConnection: close\r\n\r\n").expect("it reads");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    assert!(text.contains("Content-Length: 3\r\n") && text.ends_with("\r\n\r\n"), "{text}");
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let refusal = ask(&mut server.connect(), &format!("{method} /metrics HTTP/1.1\r\n\r\n"));
        assert_eq!(refusal.status, 405, "{method}");
        assert!(refusal.head.contains("\r\nAllow: GET, HEAD\r\n"), "{}", refusal.head);
    }
}
