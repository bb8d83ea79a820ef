//! Broken and malicious HTTP clients beside a game.

use super::{Observed, ask, number};
use crate::test_server::TEST_TIMEOUT;
use socket2::{Domain, Socket, Type};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// The response to these bytes.
fn reply(server: &Observed, bytes: &[u8]) -> String {
    let mut stream = server.connect();
    stream.write_all(bytes).expect("it reads");
    stream.shutdown(std::net::Shutdown::Write).expect("a connection");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("the connection ends");
    text
}

#[test]
fn garbage_is_answered_once_and_closed() {
    let server = Observed::new(|_| {});
    let mut game = server.server.client();
    let long = b"GET /".iter().copied().chain(std::iter::repeat_n(b'x', 100_000)).collect::<Vec<u8>>();
    let headers = format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(1000));
    let body = b"POST /metrics HTTP/1.1\r\nContent-Length: 1000000\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n";
    for (number, (bytes, status)) in [
        (&b"xboard\nprotover 2\nping 1\n"[..], "400"),
        (b"\0\xff\xfe\r\n\r\n", "400"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "400"),
        (b"GET / HTTP/9.9\r\n\r\n", "400"),
        (b"GET /healthz HTTP/1.1\r\nA B: c\r\n\r\n", "400"),
        (&long, "431"),
        (headers.as_bytes(), "431"),
        (body, "413"),
    ]
    .into_iter()
    .enumerate()
    {
        let text = reply(&server, bytes);
        assert!(text.starts_with(&format!("HTTP/1.1 {status} ")), "{text}");
        assert_eq!(text.matches("HTTP/1.1").count(), 1, "{text}");
        game.ping(number as u32);
    }
    assert_eq!(reply(&server, b""), "");
    assert_eq!(reply(&server, b"GET /healthz HT"), "");
    server.number_until("farboard_http_requests_total{status=\"400\"}", |count| count == 5.0);
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn unfinished_requests_keep_no_other_client_out() {
    let server = Observed::new(|_| {});
    let mut game = server.server.client();
    // Far more than there are slots.
    let slow: Vec<TcpStream> = (0..300)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(b"GET /metrics HTTP/1.1\r\nX: ").expect("it reads");
            stream
        })
        .collect();
    for number in 0..5 {
        assert_eq!(server.get("/readyz").status, 200);
        game.ping(number);
    }
    drop(slow);
}

/// A client with this source address that leaves its request incomplete.
#[cfg(target_os = "linux")]
fn unfinished(server: &Observed, address: [u8; 4]) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
    socket.bind(&std::net::SocketAddr::from((address, 0)).into()).expect("an address of this machine");
    socket.connect(&server.http.into()).expect("a connection");
    let mut stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(TEST_TIMEOUT)).expect("a timeout");
    stream.write_all(b"GET /healthz HTTP/1.1\r\n").expect("it reads");
    stream
}

#[cfg(target_os = "linux")]
#[test]
fn an_address_that_keeps_connecting_only_displaces_itself() {
    let server = Observed::new(|_| {});
    let mut slow = unfinished(&server, [127, 0, 0, 2]);
    let flood: Vec<TcpStream> = (0..400).map(|_| unfinished(&server, [127, 0, 0, 3])).collect();
    // The oldest of them are closed, and the slow client is older.
    for stream in &flood[..100] {
        let closed = (&mut &*stream).read(&mut [0; 100]);
        assert!(matches!(closed, Ok(0) | Err(_)), "{closed:?}");
        let is_late = closed.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock);
        assert!(!is_late, "it is not closed");
    }
    let answer = ask(&mut slow, "Host: localhost\r\n\r\n");
    assert_eq!(answer.status, 200);
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn a_web_page_with_another_host_name_reads_no_metrics() {
    let server = Observed::new(|_| {});
    let request = |path: &str| format!("GET {path} HTTP/1.1\r\nHost: evil.example:9254\r\n\r\n");
    let refused = ask(&mut server.connect(), &request("/metrics"));
    assert_eq!(refused.status, 421);
    assert!(refused.body.contains("allow_host") && !refused.body.contains("farboard_"), "{refused:?}");
    assert_eq!(ask(&mut server.connect(), &request("/readyz")).status, 200);
    assert_eq!(server.get("/metrics").status, 200);
}

#[test]
fn clients_that_never_read_are_closed_and_keep_no_other_client_out() {
    let server = Observed::new(|_| {});
    let mut game = server.server.client();
    let request = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1000);
    let deaf: Vec<_> = (0..300)
        .map(|_| {
            let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
            socket.set_recv_buffer_size(4096).expect("an option");
            socket.connect(&server.http.into()).expect("a connection");
            let mut stream = TcpStream::from(socket);
            stream.set_write_timeout(Some(TEST_TIMEOUT)).expect("a timeout");
            let request = request.clone();
            std::thread::spawn(move || {
                let deadline = Instant::now() + TEST_TIMEOUT;
                while stream.write_all(request.as_bytes()).is_ok() {
                    assert!(Instant::now() < deadline, "the server reads it");
                }
            })
        })
        .collect();
    for number in 0..5 {
        assert_eq!(server.get("/healthz").status, 200);
        game.ping(number);
    }
    deaf.into_iter().for_each(|client| client.join().expect("it was closed"));
    game.ping(9);
}

/// Signals the end of the test, however it ends.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn many_requests_from_many_clients_are_answered_beside_a_game_that_makes_its_moves() {
    const MOVES: u32 = 20;
    let server = Observed::new(|_| {});
    let is_over = AtomicBool::new(false);
    let answered = [(); 8].map(|()| AtomicU64::new(0));
    let counts = || answered.each_ref().map(|count| count.load(Ordering::Relaxed));
    std::thread::scope(|scope| {
        let _end = End(&is_over);
        for count in &answered {
            let mut stream = server.connect();
            let is_over = &is_over;
            scope.spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    assert_eq!(ask(&mut stream, "GET /metrics HTTP/1.1\r\n\r\n").status, 200);
                    count.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let mut game = server.server.client();
        game.send("xboard\nprotover 2\neasy\n");
        let deadline = Instant::now() + TEST_TIMEOUT;
        for _ in 0..MOVES {
            let before = counts();
            // It has an hour, so the move comes from the finished search and not from its deadline.
            game.send("new\noption Book=none\nsd 1\nst 3600\ngo\n");
            game.until("move ");
            while counts().iter().zip(before).any(|(&after, before)| after == before) {
                assert!(Instant::now() < deadline, "requests wait for the game: {before:?}, {:?}", counts());
                std::thread::yield_now();
            }
        }
    });
    let asked: u64 = counts().iter().sum();
    server.number_until("farboard_http_requests_total{status=\"200\"}", |count| count >= asked as f64);
    let moves = f64::from(MOVES);
    server.number_until("farboard_moves_total{protocol=\"xboard\"}", |count| count == moves);
    server.number_until("farboard_move_overrun_seconds_count", |count| count == moves);
    let numbers = server.get("/metrics").body;
    assert_eq!(
        number(&numbers, "farboard_move_overrun_seconds_sum"),
        Some(0.0),
        "a move came after its time"
    );
}
