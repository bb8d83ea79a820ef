//! Pages in browsers: files, logins, and WebSockets with sessions behind them.

use super::scripts::watched_by;
use super::{Answer, Observed, answer, ask};
use crate::keys::secret;
use crate::test_server::allow_many_connections;
use crate::tls::Certificate;
use farboard::auth::Visibility;
use farboard::server::ListenerPolicy;
use rustls::pki_types::ServerName;
use rustls::{ClientConnection, StreamOwned};
use std::io::{Read, Write};
use std::net::TcpStream;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, Role};
use tungstenite::{Error, Message, WebSocket};

const GREETING: &str = "farboard-link 1\n";
const HELLO: &str = "{\"type\":\"hello\"}\n";
/// Sessions of pages.
const SESSIONS: &str = "farboard_sessions{protocol=\"web\",transport=\"plain\",user=\"\"}";

/// A request for a WebSocket, with these headers besides.
fn upgrade(host: &str, origin: &str, more: &str) -> String {
    format!(
        "GET /socket HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{more}\r\n"
    )
}

fn own_upgrade() -> String {
    upgrade("localhost:5280", "http://localhost:5280", "")
}

/// A page with its WebSocket.
pub(super) struct Page<S: Read + Write> {
    socket: WebSocket<S>,
    seen: String,
}

impl Page<TcpStream> {
    fn open(server: &Observed) -> Page<TcpStream> {
        Page::over(server.connect(), &own_upgrade())
    }

    /// A page that watches.
    pub(super) fn watching(server: &Observed) -> Page<TcpStream> {
        Page::over(server.connect(), &own_upgrade().replace("/socket", "/feed"))
    }
}

impl<S: Read + Write> Page<S> {
    fn over(mut stream: S, request: &str) -> Page<S> {
        stream.write_all(request.as_bytes()).expect("the server reads");
        let answer = answer(&mut stream);
        assert_eq!(answer.status, 101, "{answer:?}");
        assert!(answer.head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"), "{answer:?}");
        Page { socket: WebSocket::from_raw_socket(stream, Role::Client, None), seen: String::new() }
    }

    fn send(&mut self, text: &str) {
        self.socket.send(Message::Binary(text.as_bytes().to_vec().into())).expect("the server reads");
    }

    /// Begins a session by the link, as the page does.
    fn begin(&mut self) {
        self.send(GREETING);
        self.until(GREETING);
        self.send(&format!("new\ninput {} 0\n{HELLO}", HELLO.len()));
        self.until("\"type\":\"hello\"");
    }

    /// Reads until this text has come.
    fn until(&mut self, wanted: &str) {
        while !self.seen.contains(wanted) {
            match self.socket.read().unwrap_or_else(|error| panic!("{error}: {}", self.seen)) {
                Message::Binary(bytes) => self.seen += str::from_utf8(&bytes).expect("text"),
                Message::Ping(_) => {}
                other => panic!("{other:?} after {}", self.seen),
            }
        }
        let end = self.seen.find(wanted).expect("it was found") + wanted.len();
        self.seen.drain(..end);
    }

    /// Analyses a position, and returns the number under which the session can be watched.
    fn analyse(&mut self) -> u64 {
        let line = "{\"type\":\"analyse\",\"moves\":[\"e4\"]}\n";
        self.send(&format!("input {} 0\n{line}", line.len()));
        self.until("\"type\":\"game\",\"id\":");
        self.until("\"type\":\"game\",\"id\":");
        while !self.seen.contains(',') {
            let more = self.socket.read().expect("the rest of the message");
            self.seen += str::from_utf8(&more.into_data()).expect("text");
        }
        let (number, _) = self.seen.split_once(',').expect("a number");
        number.parse().expect("a number")
    }

    /// Reads until the server closes the WebSocket, and returns its code.
    fn close_code(&mut self) -> CloseCode {
        self.close_frame().code
    }

    /// Reads until the server closes the WebSocket.
    pub(super) fn close_frame(&mut self) -> CloseFrame {
        loop {
            match self.socket.read() {
                Ok(Message::Close(Some(frame))) => return frame,
                Ok(Message::Binary(bytes)) => self.seen += str::from_utf8(&bytes).expect("text"),
                Ok(_) => {}
                Err(error) => panic!("{error}: {}", self.seen),
            }
        }
    }
}

#[test]
fn a_page_has_a_session_until_it_closes() {
    let server = Observed::new(|_| {});
    let mut page = Page::open(&server);
    page.begin();
    server.number_until(SESSIONS, |count| count == 1.0);
    page.socket.close(None).expect("the server reads");
    // A server closes the connection after the close frames.
    let end = loop {
        if let Err(end) = page.socket.read() {
            break end;
        }
    };
    assert!(matches!(end, Error::ConnectionClosed), "{end}");
    server.number_until(SESSIONS, |count| count == 0.0);
    drop(Page::open(&server));
    server.number_until(SESSIONS, |count| count == 0.0);
}

#[test]
fn bytes_may_be_cut_anywhere() {
    let server = Observed::new(|_| {});
    let mut page = Page::open(&server);
    let text = format!("{GREETING}new\ninput {} 0\n{HELLO}", HELLO.len());
    text.chars().for_each(|letter| page.send(&letter.to_string()));
    page.send("");
    page.until("\"type\":\"hello\"");
    // A browser may send before the server has agreed.
    let mut stream = server.connect();
    let frame = [0x82, 0x80 + GREETING.len() as u8, 0, 0, 0, 0];
    let early = [own_upgrade().as_bytes(), &frame, GREETING.as_bytes()].concat();
    stream.write_all(&early).expect("it reads");
    assert_eq!(answer(&mut stream).status, 101);
    let mut page =
        Page { socket: WebSocket::from_raw_socket(stream, Role::Client, None), seen: String::new() };
    page.until(GREETING);
}

#[test]
fn pages_of_other_sites_have_no_socket() {
    let server = Observed::new(|_| {});
    for (host, origin, status) in [
        ("localhost:5280", "http://evil.example", 403),
        ("localhost:5280", "https://localhost:5281", 403),
        ("localhost:5280", "null", 403),
        ("evil.example", "http://evil.example", 421),
    ] {
        let answer = ask(&mut server.connect(), &upgrade(host, origin, ""));
        assert_eq!(answer.status, status, "{host} {origin}: {answer:?}");
    }
    server.number_until("farboard_refusals_total{cause=\"origin\"}", |count| count == 3.0);
    let plain = "GET /socket HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n\r\n";
    let answer = ask(&mut server.connect(), plain);
    assert!(answer.status == 426 && answer.head.contains("Sec-WebSocket-Version: 13\r\n"), "{answer:?}");
    server.number_until(SESSIONS, |count| count == 0.0);
}

#[test]
fn frames_against_the_rules_end_the_socket_with_the_reason() {
    let server = Observed::new(|_| {});
    let mut game = server.server.client();
    let masked = |head: &[u8], text: &[u8]| [head, &[0; 4], text].concat();
    let cases: [(Vec<u8>, CloseCode); 9] = [
        (vec![0x82, 1, b'x'], CloseCode::Protocol),
        (masked(&[0xC2, 0x81], b"x"), CloseCode::Protocol),
        (masked(&[0x83, 0x80], b""), CloseCode::Protocol),
        (masked(&[0x80, 0x80], b""), CloseCode::Protocol),
        (masked(&[0x09, 0x80], b""), CloseCode::Protocol),
        (masked(&[0x89, 0xFE, 0, 126], &[0; 126]), CloseCode::Protocol),
        (masked(&[0x81, 0x81], b"x"), CloseCode::Unsupported),
        (masked(&[0x82, 0xFF, 0, 0, 0, 0, 0, 8, 0, 1], b""), CloseCode::Size),
        (masked(&[0x82, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], b""), CloseCode::Size),
    ];
    for (number, (frame, code)) in cases.into_iter().enumerate() {
        let mut page = Page::open(&server);
        page.socket.get_mut().write_all(&frame).expect("it reads");
        assert_eq!(page.close_code(), code, "{frame:?}");
        let mut rest = Vec::new();
        page.socket.get_mut().read_to_end(&mut rest).expect("the connection ends");
        game.ping(number as u32);
    }
    // Parts without an end are too long together, too.
    let mut page = Page::open(&server);
    let part = masked(&[0x02, 0xFE, 0xFF, 0xFF], &[b'x'; 0xFFFF]);
    page.socket.get_mut().write_all(&part).expect("it reads");
    for _ in 0..8 {
        let part = masked(&[0x00, 0xFE, 0xFF, 0xFF], &[b'x'; 0xFFFF]);
        page.socket.get_mut().write_all(&part).expect("it reads");
    }
    assert_eq!(page.close_code(), CloseCode::Size);
    server.number_until(SESSIONS, |count| count == 0.0);
}

#[test]
fn many_pages_leave_room_for_requests() {
    allow_many_connections();
    let server = Observed::new(|_| {});
    let mut game = server.server.client();
    let mut pages: Vec<Page<TcpStream>> = (0..200).map(|_| Page::open(&server)).collect();
    pages.iter_mut().for_each(Page::begin);
    server.number_until(SESSIONS, |count| count == 200.0);
    game.ping(1);
    drop(pages);
    server.number_until(SESSIONS, |count| count == 0.0);
}

#[test]
fn a_page_without_a_slot_learns_why() {
    let server = Observed::new(|setup| setup.limits.sessions = 1);
    let mut first = Page::open(&server);
    first.begin();
    let mut second = Page::open(&server);
    assert_eq!(second.close_code(), CloseCode::Normal);
    assert!(second.seen.contains("\"type\":\"note\""), "{}", second.seen);
    server.number_until("farboard_refusals_total{cause=\"full\"}", |count| count == 1.0);
}

#[test]
fn a_page_that_does_not_read_is_closed() {
    let server = Observed::new(|_| {});
    let mut game = server.server.client();
    let mut page = Page::open(&server);
    page.begin();
    let hellos = HELLO.repeat(3000);
    for _ in 0..4 {
        page.send(&format!("input {} 0\n{hellos}", hellos.len()));
    }
    server.number_until("farboard_sessions_ended_total{cause=\"not-reading\"}", |count| count == 1.0);
    game.ping(1);
    server.number_until(SESSIONS, |count| count == 0.0);
}

#[test]
fn the_end_of_the_server_is_the_end_of_its_pages() {
    let server = Observed::new(|_| {});
    let mut page = Page::open(&server);
    page.begin();
    server.server.handle.stop();
    assert_eq!(page.close_code(), CloseCode::Normal);
}

#[test]
fn the_secret_opens_the_pages() {
    let policy = ListenerPolicy { secret: Some(secret()), ..ListenerPolicy::open() };
    let server = Observed::behind(policy, |_| {});
    let page = server.get("/play");
    assert!(page.status == 303 && page.head.contains("\r\nLocation: /login?to=/play\r\n"), "{page:?}");
    assert_eq!(ask(&mut server.connect(), &own_upgrade()).status, 401);
    assert_eq!(server.get("/login").status, 200);

    let log_in = |secret: &str| -> Answer {
        let form = format!("secret={secret}");
        let head = "POST /login HTTP/1.1\r\nHost: localhost:5280\r\nOrigin: http://localhost:5280";
        ask(&mut server.connect(), &format!("{head}\r\nContent-Length: {}\r\n\r\n{form}", form.len()))
    };
    assert_eq!(log_in("the+secret+of+other+tests").status, 403);
    let admitted = log_in("the+secret+of+these+tests");
    assert!(admitted.status == 303 && admitted.head.contains("; HttpOnly; SameSite=Strict"), "{admitted:?}");
    let cookie = admitted.head.split("Set-Cookie: ").nth(1).and_then(|value| value.split(';').next());
    let cookie = format!("Cookie: {}\r\n", cookie.expect("a cookie"));
    let request = format!("GET /play HTTP/1.1\r\nHost: localhost\r\n{cookie}\r\n");
    assert_eq!(ask(&mut server.connect(), &request).status, 200);
    let request = upgrade("localhost:5280", "http://localhost:5280", &cookie);
    Page::over(server.connect(), &request).begin();
}

#[test]
fn a_socket_inside_tls_is_the_same() {
    let certificate = Certificate::new("localhost");
    let server = Observed::behind(certificate.policy(), |_| {});
    let name = ServerName::try_from("localhost").expect("a name");
    let tls = ClientConnection::new(certificate.client(), name).expect("a configuration");
    let stream = StreamOwned::new(tls, server.connect());
    let mut page = Page::over(stream, &upgrade("localhost:1", "https://localhost:1", ""));
    page.begin();
    page.send(&format!("input {} 0\n{}", 100 * HELLO.len(), HELLO.repeat(100)));
    for _ in 0..100 {
        page.until("\"type\":\"hello\"");
    }
}

#[test]
fn browsers_keep_files_until_they_change() {
    let server = Observed::new(|_| {});
    let page = server.get("/");
    let header = |name: &str| {
        let line = page.head.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_else(|| panic!("{name}: {}", page.head)).to_owned()
    };
    assert_eq!((page.status, header("Content-Type: ").as_str()), (200, "text/html; charset=utf-8"));
    assert!(header("Content-Security-Policy: ").contains("frame-ancestors 'none'"));
    assert_eq!(header("X-Content-Type-Options: "), "nosniff");
    let tag = header("ETag: ");
    let mut stream = server.connect();
    let request = format!("GET / HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: {tag}\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it reads");
    // No body follows, and the connection serves the next request.
    stream.write_all(b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n").expect("it reads");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("two responses");
    assert!(text.starts_with("HTTP/1.1 304 ") && text.ends_with("\r\n\r\nok\n"), "{text}");
    assert_eq!(text.matches("<").count(), 0, "{text}");
}

#[test]
fn only_sessions_that_may_be_watched_are_found() {
    for (watch, status) in [(Visibility::Everybody, 200), (Visibility::Users, 404)] {
        let server = watched_by(watch);
        let mut page = Page::open(&server);
        page.begin();
        let number = page.analyse();
        assert_eq!(server.get(&format!("/game/{number}.pgn")).status, status, "{watch:?}");
    }
}
