//! Responses to requests.

use super::request::{Method, Request};
use super::response::{Response, Status};
use crate::auth::Secret;
use crate::metrics::text::{CONTENT_TYPE, Writer};
use crate::server::ListenerPolicy;
use crate::server::listen::descriptors::Headroom;
use crate::server::observe::metrics::Metrics;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Maximum age of the metrics text. Writing it takes a tenth of a millisecond, which thousands of
/// requests per second must not cost each.
const TEXT_AGE: Duration = Duration::from_millis(250);

/// Longest turn of a healthy loop, which is woken more often than that.
const MAX_TURN: Duration = Duration::from_secs(15);

pub(super) struct Responder {
    metrics: Arc<Metrics>,
    writer: Writer,
    text: String,
    written: Option<Instant>,
    /// Whether only this machine can connect. A request that names another machine then comes from
    /// a web page that must not read the response.
    is_local: bool,
}

/// One line: why the server is healthy, or not.
type Condition = Result<&'static str, &'static str>;

impl Responder {
    /// Creates responses for a listener at this address.
    pub(super) fn new(metrics: Arc<Metrics>, writer: Writer, address: IpAddr) -> Responder {
        let is_local = address.to_canonical().is_loopback();
        Responder { metrics, writer, text: String::new(), written: None, is_local }
    }

    /// Responds to a request on a listener with this policy.
    pub(super) fn respond(
        &mut self,
        request: &Request,
        policy: &ListenerPolicy,
        now: Instant,
    ) -> Response<'_> {
        if request.method == Method::Other {
            return Response::plain(Status::MethodNotAllowed, "only GET and HEAD\n");
        }
        match request.path.as_str() {
            // Health checks need no secret; they reveal one bit.
            "/healthz" => condition(self.health()),
            "/readyz" => condition(self.readiness()),
            "/metrics" if self.is_local && !names_allowed_host(request, &policy.allow_host) => {
                Response::plain(
                    Status::Misdirected,
                    "the Host of this request is not a name of this machine: use localhost or 127.0.0.1, or add the name to \
                 allow_host below [http]\n",
                )
            }
            "/metrics" if policy.secret.as_ref().is_none_or(|secret| knows(request, secret)) => {
                self.metrics(now)
            }
            "/metrics" => Response::plain(
                Status::Unauthorized,
                "the secret is required: Authorization: Bearer SECRET\n",
            ),
            _ => Response::plain(Status::NotFound, "not found: only /metrics, /healthz and /readyz exist\n"),
        }
    }

    fn metrics(&mut self, now: Instant) -> Response<'_> {
        if self.written.is_none_or(|written| now.saturating_duration_since(written) >= TEXT_AGE) {
            self.text = self.writer.text();
            self.written = Some(now);
        }
        Response { status: Status::Ok, content_type: CONTENT_TYPE, body: &self.text }
    }

    fn health(&self) -> Condition {
        if self.metrics.since_last_turn() > MAX_TURN {
            return Err("the event loop does not respond\n");
        }
        Ok("ok\n")
    }

    fn readiness(&self) -> Condition {
        self.health()?;
        if self.metrics.is_draining() {
            return Err("no new sessions: the server is shutting down, or an administrator has drained it\n");
        }
        if self.metrics.is_full() {
            return Err("all session slots are taken\n");
        }
        if Headroom::now() < Headroom::Plenty {
            return Err("no file descriptors are left for further sessions\n");
        }
        Ok("ready\n")
    }
}

/// Returns true if `Host` is a name of this machine. Browsers always send it.
fn names_allowed_host(request: &Request, allowed: &[String]) -> bool {
    request.host.as_deref().is_none_or(|host| names_this_machine(host, allowed))
}

fn knows(request: &Request, secret: &Secret) -> bool {
    request.bearer.as_deref().is_some_and(|bearer| secret.is_same(bearer))
}

fn condition(condition: Condition) -> Response<'static> {
    match condition {
        Ok(text) => Response::plain(Status::Ok, text),
        Err(text) => Response::plain(Status::Unavailable, text),
    }
}

/// Returns true if a `Host` names this machine, with any port: a loopback address, `localhost`, the
/// machine's host name, or one of the names in `allowed`.
///
/// A web page can have a name of its own resolve to a loopback address, and a browser then lets it
/// read the responses of a server there. The browser's `Host` shows that name (DNS rebinding).
fn names_this_machine(host: &str, allowed: &[String]) -> bool {
    let name = without_port(host);
    if let Some(address) = address(name) {
        return address.to_canonical().is_loopback();
    }
    let name = name.strip_suffix('.').unwrap_or(name);
    let is = |known: &str| !known.is_empty() && name.eq_ignore_ascii_case(known);
    is("localhost")
        || allowed.iter().any(|known| is(known))
        || rustix::system::uname().nodename().to_str().is_ok_and(is)
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}

/// Parses an address as in a URL: IPv6 in brackets.
fn address(name: &str) -> Option<std::net::IpAddr> {
    match name.strip_prefix('[') {
        Some(rest) => rest.strip_suffix(']')?.parse::<std::net::Ipv6Addr>().ok().map(Into::into),
        None => name.parse::<std::net::Ipv4Addr>().ok().map(Into::into),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;
    use crate::metrics::text::{Exposed, Exposition};
    use crate::server::ServerLimits;
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
        Responder::new(Arc::new(Metrics::new(&ServerLimits::new(&config))), Writer::new(written), address)
    }

    fn request(path: &str) -> Request {
        Request { method: Method::Get, path: path.to_owned(), host: None, bearer: None, keeps_alive: true }
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
            let response = responder.respond(&request, &policy, Instant::now());
            assert_eq!(response.status, status, "{path} {host:?}");
        }
        // On a network address, `allow` decides.
        responder.is_local = false;
        let request = Request { host: Some("farboard.example".to_owned()), ..request("/metrics") };
        assert_eq!(responder.respond(&request, &policy, Instant::now()).status, Status::Ok);
    }

    #[test]
    fn a_loop_that_hangs_is_neither_healthy_nor_ready() {
        let mut responder = responder(Written::default());
        let now = Instant::now();
        let mut status = |path| responder.respond(&request(path), &ListenerPolicy::open(), now).status;
        assert_eq!((status("/healthz"), status("/readyz")), (Status::Ok, Status::Ok));
        responder.metrics = Arc::new(Metrics::silent_for(MAX_TURN + Duration::from_secs(1)));
        let mut status = |path| responder.respond(&request(path), &ListenerPolicy::open(), now).status;
        assert_eq!((status("/healthz"), status("/readyz")), (Status::Unavailable, Status::Unavailable));
        responder.metrics.beat();
        assert_eq!(responder.respond(&request("/healthz"), &ListenerPolicy::open(), now).status, Status::Ok);
    }

    #[test]
    fn thousands_of_requests_cost_one_text() {
        let written = Arc::new(AtomicU64::new(0));
        let mut responder = responder(Written(Arc::clone(&written)));
        let now = Instant::now();
        for millisecond in 0..1000 {
            let response = responder.respond(
                &request("/metrics"),
                &ListenerPolicy::open(),
                now + Duration::from_millis(millisecond),
            );
            assert!(response.body.ends_with("# EOF\n"), "{}", response.body);
        }
        assert_eq!(written.load(Ordering::Relaxed), 4);
    }

    #[test]
    fn this_machine_has_few_names() {
        let allowed = ["metrics.example".to_owned()];
        for host in [
            "localhost",
            "LocalHost:9254",
            "localhost.",
            "127.0.0.1",
            "127.0.0.1:9254",
            "127.9.9.9:1",
            "[::1]",
            "[::1]:9254",
            "[::ffff:127.0.0.1]:9254",
            "metrics.example:9254",
        ] {
            assert!(names_this_machine(host, &allowed), "{host}");
        }
        for host in [
            "",
            ":9254",
            "x",
            "evil.example",
            "evil.example:9254",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "192.0.2.1:9254",
            "::1",
            "[::2]:9254",
            "[::1",
            "localhost:9254:9254",
            "localhost:x",
        ] {
            assert!(!names_this_machine(host, &allowed), "{host}");
        }
        let own = rustix::system::uname().nodename().to_str().expect("a name").to_owned();
        assert!(names_this_machine(&format!("{own}:9254"), &[]));
    }
}
