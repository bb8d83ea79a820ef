use super::super::web_socket::Upgrade;
use super::*;
use crate::auth::{Nonce, Secret, UserKey, Users, web_claim};
use crate::config::Settings;
use crate::metrics::text::{Exposed, Exposition};
use crate::server::ServerLimits;
use data_encoding::HEXLOWER;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts how often the metrics are written.
#[derive(Default, Debug)]
struct Written(Arc<AtomicU64>);

impl Exposed for Written {
    fn expose(&self, to: &mut Exposition<'_>) -> std::fmt::Result {
        to.counter("written", "Times", self.0.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

fn responder(written: Written) -> Responder {
    let config = Settings::default().resolve().expect("the defaults are right");
    let address = IpAddr::from([127, 0, 0, 1]);
    let metrics = Arc::new(Metrics::new(&ServerLimits::new(&config)));
    Responder::new(metrics, Writer::new(written), address)
}

impl Responder {
    fn answer(&mut self, request: &Request, policy: &ListenerPolicy, now: Instant) -> Response<'_> {
        match self.respond(request, policy, now) {
            Reply::Response(response) => response,
            Reply::Door(door, _) => panic!("{door:?}"),
        }
    }
}

fn request(path: &str) -> Request {
    Request { path: path.to_owned(), ..Request::default() }
}

#[test]
fn metrics_are_for_requests_that_name_this_machine() {
    let allow_host = vec!["metrics.example".to_owned()];
    let policy = ListenerPolicy { allow_host, ..ListenerPolicy::open() };
    let mut responder = responder(Written::default());
    for (path, host, status) in [
        ("/metrics", None, Status::Ok),
        ("/metrics", Some("127.0.0.1:9254"), Status::Ok),
        ("/metrics", Some("metrics.example"), Status::Ok),
        ("/metrics", Some("evil.example:9254"), Status::Misdirected),
        ("/metrics?x", Some("evil.example"), Status::NotFound),
        ("/healthz", Some("evil.example"), Status::Ok),
    ] {
        let request = Request { host: host.map(str::to_owned), ..request(path) };
        let response = responder.answer(&request, &policy, Instant::now());
        assert_eq!(response.status, status, "{path} {host:?}");
    }
    // On a network address, `allow` decides.
    responder.is_local = false;
    let request = Request { host: Some("farboard.example".to_owned()), ..request("/metrics") };
    assert_eq!(responder.answer(&request, &policy, Instant::now()).status, Status::Ok);
}

#[test]
fn a_loop_that_hangs_is_neither_healthy_nor_ready() {
    let mut responder = responder(Written::default());
    let now = Instant::now();
    let mut status = |path| responder.answer(&request(path), &ListenerPolicy::open(), now).status;
    assert_eq!((status("/healthz"), status("/readyz")), (Status::Ok, Status::Ok));
    responder.metrics = Arc::new(Metrics::silent_for(MAX_TURN + Duration::from_secs(1)));
    let mut status = |path| responder.answer(&request(path), &ListenerPolicy::open(), now).status;
    assert_eq!((status("/healthz"), status("/readyz")), (Status::Unavailable, Status::Unavailable));
    responder.metrics.beat();
    assert_eq!(responder.answer(&request("/healthz"), &ListenerPolicy::open(), now).status, Status::Ok);
}

#[test]
fn thousands_of_requests_cost_one_text() {
    let written = Arc::new(AtomicU64::new(0));
    let mut responder = responder(Written(Arc::clone(&written)));
    let now = Instant::now();
    for millisecond in 0..1000 {
        let response = responder.answer(
            &request("/metrics"),
            &ListenerPolicy::open(),
            now + Duration::from_millis(millisecond),
        );
        assert!(response.body.ends_with(b"# EOF\n"));
    }
    assert_eq!(written.load(Ordering::Relaxed), 4);
}

const SECRET: &str = "the secret of this server";

fn with_secret() -> ListenerPolicy {
    let secret = Secret::new(SECRET.as_bytes()).expect("long enough");
    ListenerPolicy { secret: Some(secret), ..ListenerPolicy::open() }
}

/// A request of a page of this server.
fn of_page(path: &str) -> Request {
    let (host, origin) = (Some("localhost:5280".to_owned()), Some("http://localhost:5280".to_owned()));
    Request { host, origin, ..request(path) }
}

fn socket_request() -> Request {
    let key = Some("dGhlIHNhbXBsZSBub25jZQ==".to_owned());
    let upgrade = Upgrade { is_in_connection: true, is_to_web_socket: true, has_version: true, key };
    Request { upgrade, ..of_page("/socket") }
}

#[test]
fn paths_lead_to_files() {
    let mut responder = responder(Written::default());
    let (policy, now) = (ListenerPolicy::open(), Instant::now());
    for (path, status) in [
        ("/", Status::Ok),
        ("/play", Status::Ok),
        ("/analysis", Status::Ok),
        ("/game/17", Status::Ok),
        ("/web/index.html", Status::Ok),
        ("/login", Status::SeeOther),
        ("/game/", Status::NotFound),
        ("/game/x", Status::NotFound),
        ("/web/", Status::NotFound),
        ("/web/../Cargo.toml", Status::NotFound),
        ("/index.html", Status::NotFound),
        ("/socket", Status::UpgradeRequired),
    ] {
        assert_eq!(responder.answer(&of_page(path), &policy, now).status, status, "{path}");
        let posted = Request { method: Method::Post, ..of_page(path) };
        let refused = match status {
            _ if Target::of(path).is_none() => Status::NotFound,
            _ if path == LOGIN => Status::SeeOther,
            _ => Status::MethodNotAllowed,
        };
        assert_eq!(responder.answer(&posted, &policy, now).status, refused, "{path}");
    }
    let missing = responder.answer(&of_page("/nothing"), &policy, now);
    assert!(missing.body.starts_with(b"<!doctype html>"), "{:?}", missing.headers);
    let rebound = Request { host: Some("evil.example".to_owned()), ..request("/") };
    assert_eq!(responder.answer(&rebound, &policy, now).status, Status::Misdirected);
    let page = responder.answer(&of_page("/"), &policy, now);
    assert!(page.headers.contains("frame-ancestors 'none'"), "{}", page.headers);
}

#[test]
fn only_own_pages_open_sockets() {
    let mut responder = responder(Written::default());
    let (policy, now) = (ListenerPolicy::open(), Instant::now());
    let accepted = responder.respond(&socket_request(), &policy, now);
    assert!(
        matches!(accepted, Reply::Door(Door::Session(None), head) if head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
    );
    let host = |host: &str| Some(host.to_owned());
    let rebound =
        Request { host: host("evil.example"), origin: host("http://evil.example"), ..socket_request() };
    for (request, status) in [
        (Request { origin: None, ..socket_request() }, Status::Forbidden),
        (Request { origin: host("http://evil.example"), ..socket_request() }, Status::Forbidden),
        (Request { origin: host("http://localhost:80"), ..socket_request() }, Status::Forbidden),
        (Request { host: None, ..socket_request() }, Status::Forbidden),
        (rebound, Status::Misdirected),
        (Request { method: Method::Head, ..socket_request() }, Status::UpgradeRequired),
    ] {
        assert_eq!(responder.answer(&request, &policy, now).status, status, "{request:?}");
    }
}

#[test]
fn the_secret_opens_pages_and_sockets() {
    let mut responder = responder(Written::default());
    let (policy, now) = (with_secret(), Instant::now());
    let page = responder.answer(&of_page("/play"), &policy, now);
    assert!(
        page.status == Status::SeeOther && page.headers.contains("Location: /login?to=/play\r\n"),
        "{page:?}"
    );
    let refused = responder.answer(&socket_request(), &policy, now);
    assert_eq!((refused.status, refused.refusal.is_some()), (Status::Unauthorized, true));
    assert_eq!(responder.answer(&of_page("/login"), &policy, now).status, Status::Ok);

    let form = |body: String| Request { method: Method::Post, body: body.into_bytes(), ..of_page(LOGIN) };
    let right = form(format!("secret={}", SECRET.replace(' ', "+")));
    let foreign = Request { origin: Some("http://evil.example".to_owned()), ..right.clone() };
    for wrong in [form("secret=x".to_owned()), form(String::new()), foreign] {
        let response = responder.answer(&wrong, &policy, now);
        assert_eq!((response.status, response.refusal.is_some()), (Status::Forbidden, true));
        assert!(!response.headers.contains("Set-Cookie"), "{}", response.headers);
    }
    for (to, page) in
        [("/play", "/play"), ("//evil.example", "/"), ("http://evil.example", "/"), ("/login", "/")]
    {
        let body = [&right.body, format!("&to={to}").as_bytes()].concat();
        let response = responder.answer(&Request { body, ..right.clone() }, &policy, now);
        assert!(response.headers.contains(&format!("Location: {page}\r\n")), "{to}: {}", response.headers);
    }
    let admitted = responder.answer(&right, &policy, now);
    assert_eq!(admitted.status, Status::SeeOther);
    let cookies = cookie_of(&admitted);

    let page = Request { cookies: cookies.clone(), ..of_page("/play") };
    assert_eq!(responder.answer(&page, &policy, now).status, Status::Ok);
    let socket = Request { cookies, ..socket_request() };
    assert!(matches!(responder.respond(&socket, &policy, now), Reply::Door(Door::Session(None), _)));
    let metrics = responder.answer(&Request { path: "/metrics".to_owned(), ..page }, &policy, now);
    assert_eq!(metrics.status, Status::Unauthorized, "as before, it is for the secret itself");
}

/// The cookie of a response, as a browser sends it.
fn cookie_of(response: &Response<'_>) -> Option<String> {
    let cookie = response.headers.split("Set-Cookie: ").nth(1)?;
    cookie.split(';').next().map(str::to_owned)
}

/// Answers the listener's challenge for a page that has the key of `alice`.
fn proof(responder: &mut Responder, policy: &ListenerPolicy, key: &UserKey) -> Request {
    let asked = responder.answer(&of_page("/login/challenge"), policy, Instant::now());
    let answer: serde_json::Value = serde_json::from_slice(&asked.body).expect("JSON");
    let challenge = answer["challenge"].as_str().and_then(Nonce::read).expect("a challenge");
    let signature = HEXLOWER.encode(&key.sign(&web_claim("alice", "localhost", &challenge)));
    let body = format!("user=alice&host=localhost&challenge={challenge}&signature={signature}");
    Request { method: Method::Post, body: body.into_bytes(), ..of_page(LOGIN) }
}

#[test]
fn users_log_in_with_their_keys() {
    let (mut responder, now) = (responder(Written::default()), Instant::now());
    let key = UserKey::new("alice", Nonce([1; 32])).expect("a name");
    let users = Users::parse(key.public_line().as_bytes()).expect("users");
    let policy = ListenerPolicy { users: Some(Arc::new(users)), ..ListenerPolicy::open() };
    assert_eq!(responder.answer(&of_page("/"), &policy, now).status, Status::SeeOther);
    assert_eq!(responder.answer(&socket_request(), &policy, now).status, Status::Unauthorized);

    let stranger = UserKey::new("alice", Nonce([2; 32])).expect("a name");
    let wrong = proof(&mut responder, &policy, &stranger);
    let refused = responder.answer(&wrong, &policy, now);
    assert_eq!((refused.status, refused.refusal), (Status::Forbidden, Some((Refusal::WrongUser, A_LOGIN))));
    assert!(refused.body.starts_with(b"this server has no user with this name and key"));

    let right = proof(&mut responder, &policy, &key);
    let cookies = cookie_of(&responder.answer(&right, &policy, now));
    let again = responder.answer(&right, &policy, now);
    assert!(again.status == Status::Forbidden && again.body.starts_with(b"the challenge has expired"));
    let socket = Request { cookies: cookies.clone(), ..socket_request() };
    let reply = responder.respond(&socket, &policy, now);
    assert!(matches!(reply, Reply::Door(Door::Session(Some(user)), _) if user.name == "alice"));
    let pgn = Request { cookies, ..request("/game/17.pgn") };
    let reply = responder.respond(&pgn, &policy, now);
    assert!(matches!(reply, Reply::Door(Door::Pgn(Audience::LoggedIn(Login::User(_)), 17), _)));
}

#[test]
fn certificates_of_users_need_no_form() {
    let (mut responder, now) = (responder(Written::default()), Instant::now());
    let users = Arc::new(Users::parse(b"bob certificate\n").expect("users"));
    let policy = ListenerPolicy { users: Some(users), certificates: true, ..ListenerPolicy::open() };
    let with = |names: &[&str]| Request {
        certificate_names: names.iter().map(|&name| name.to_owned()).collect(),
        ..of_page("/play")
    };
    for (names, status) in
        [(&["bob"][..], Status::Ok), (&["carol"], Status::SeeOther), (&[], Status::SeeOther)]
    {
        assert_eq!(responder.answer(&with(names), &policy, now).status, status, "{names:?}");
    }
}

#[test]
fn metrics_of_users_are_for_this_machine() {
    let (mut responder, now) = (responder(Written::default()), Instant::now());
    let policy = ListenerPolicy { users: Some(Arc::default()), ..ListenerPolicy::open() };
    assert_eq!(responder.answer(&request("/metrics"), &policy, now).status, Status::Ok);
    responder.is_local = false;
    assert_eq!(responder.answer(&request("/metrics"), &policy, now).status, Status::Unauthorized);
}

#[test]
fn scripts_read_the_feed_and_games() {
    let (mut responder, now) = (responder(Written::default()), Instant::now());
    let anyone = Audience::Anyone;
    for (path, door) in [
        ("/api/feed", Door::Events(anyone.clone(), None)),
        ("/api/feed/17", Door::Events(anyone.clone(), Some(17))),
        ("/game/17.pgn", Door::Pgn(anyone, 17)),
    ] {
        let reply = responder.respond(&request(path), &ListenerPolicy::open(), now);
        assert!(matches!(reply, Reply::Door(found, _) if found == door), "{path}");
    }
    for path in ["/api/feed/", "/api/feed/x", "/game/.pgn", "/game/-1.pgn", "/game/1.pgn.pgn"] {
        let response = responder.answer(&request(path), &ListenerPolicy::open(), now);
        assert_eq!(response.status, Status::NotFound, "{path}");
    }
    let secret = Secret::new("a secret of many words".as_bytes()).expect("long enough");
    let head = Request { method: Method::Head, ..request("/game/17.pgn") };
    assert_eq!(responder.answer(&head, &ListenerPolicy::open(), now).status, Status::MethodNotAllowed);
    let policy = ListenerPolicy { secret: Some(secret.clone()), ..ListenerPolicy::open() };
    assert_eq!(responder.answer(&request("/api/feed"), &policy, now).status, Status::Unauthorized);
    let bearer = Request { bearer: Some(b"a secret of many words".to_vec()), ..request("/api/feed") };
    let reply = responder.respond(&bearer, &policy, now);
    assert!(matches!(reply, Reply::Door(Door::Events(Audience::LoggedIn(Login::Secret), None), _)));
}
