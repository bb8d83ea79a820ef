//! Responses to requests.

#[cfg(test)]
mod tests;

use super::door::{Audience, Door};
use super::event_stream::HEAD;
use super::host::{is_of_own_page, names_allowed_host};
use super::login::{LoggedIn, Login, LoginError, Logins, bears};
use super::pages::Pages;
use super::request::{LOGIN, Method, Request};
use super::response::{Response, Status};
use super::web_socket::switch;
use crate::metrics::text::{CONTENT_TYPE, Writer};
use crate::server::ListenerPolicy;
use crate::server::listen::descriptors::Headroom;
use crate::server::login::steps::refusal;
use crate::server::observe::metrics::Metrics;
use crate::server::outcome::Refusal;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// Maximum age of the metrics text. Writing it takes a tenth of a millisecond, which thousands of
/// requests per second must not cost each.
const TEXT_AGE: Duration = Duration::from_millis(250);

const LOGIN_PAGE: &str = "login.html";
/// The page for addresses that do not exist.
const MISSING_PAGE: &str = "missing.html";
/// A refused login, for the log.
const A_LOGIN: &str = "a login of a browser";

/// Longest turn of a healthy loop, which is woken more often than that.
const MAX_TURN: Duration = Duration::from_secs(15);

pub(super) struct Responder {
    metrics: Arc<Metrics>,
    writer: Writer,
    text: String,
    written: Option<Instant>,
    pages: Pages,
    logins: Logins,
    /// The answer to a login, if it is not a file.
    login_text: String,
    /// Whether only this machine can connect. A request that names another machine then comes from
    /// a web page that must not read the response.
    is_local: bool,
}

/// The consequence of a request.
#[derive(Debug)]
pub(super) enum Reply<'a> {
    Response(Response<'a>),
    /// The connection is for this from now on, after this text.
    Door(Door, String),
}

/// The target of a request.
enum Target<'a> {
    Health,
    Readiness,
    Metrics,
    Login,
    /// The challenge for the login page, and the ways to log in.
    Challenge,
    Socket,
    Feed,
    /// Server-sent events of a game, or of all sessions.
    Events(Option<u64>),
    Pgn(u64),
    /// A file, such as a stylesheet, that holds nothing secret.
    File(&'a str),
    /// A file that a person opens.
    Page(&'static str),
}

/// One line: why the server is healthy, or not.
type Condition = Result<&'static str, &'static str>;

impl Responder {
    /// Creates responses for a listener at this address.
    pub(super) fn new(metrics: Arc<Metrics>, writer: Writer, address: IpAddr) -> Responder {
        let is_local = address.to_canonical().is_loopback();
        let (pages, logins) = (Pages::new(), Logins::new());
        let [text, login_text] = [String::new(), String::new()];
        Responder { metrics, writer, text, written: None, pages, logins, login_text, is_local }
    }

    /// Responds to a request on a listener with this policy.
    pub(super) fn respond(&mut self, request: &Request, policy: &ListenerPolicy, now: Instant) -> Reply<'_> {
        let Some(target) = Target::of(&request.path) else {
            return Reply::Response(self.file(MISSING_PAGE, Status::NotFound, request));
        };
        let is_reading = matches!(request.method, Method::Get | Method::Head);
        let is_login = request.method == Method::Post && matches!(target, Target::Login);
        if !is_reading && !is_login {
            return plain(Status::MethodNotAllowed, "only GET and HEAD\n");
        }
        if target.is_for_own_hosts() && self.is_local && !names_allowed_host(request, &policy.allow_host) {
            return plain(
                Status::Misdirected,
                "the Host of this request is not a name of this machine: use localhost or 127.0.0.1, or add the name to \
                 allow_host below [http]\n",
            );
        }
        let wall_clock = SystemTime::now();
        let login = self.logins.of(request, policy, wall_clock);
        let is_open = policy.secret.is_none() && !policy.knows_users();
        let may_enter = is_open || login.is_some();
        let audience = || login.clone().map_or(Audience::Anyone, Audience::LoggedIn);
        Reply::Response(match target {
            // Health checks need no secret; they reveal one bit.
            Target::Health => condition(self.health()),
            Target::Readiness => condition(self.readiness()),
            Target::Metrics => self.metrics(request, policy, may_enter, now),
            Target::Login if is_open => redirect("/"),
            Target::Login => self.login(request, policy, wall_clock),
            Target::Challenge => self.challenge(policy, wall_clock),
            Target::Socket => match socket(request, may_enter) {
                Ok(accept) => {
                    return Reply::Door(Door::Session(login.and_then(Login::user)), switch(&accept));
                }
                Err(response) => response,
            },
            Target::Feed => match socket(request, may_enter) {
                Ok(accept) => return Reply::Door(Door::Feed(audience()), switch(&accept)),
                Err(response) => response,
            },
            Target::Events(_) | Target::Pgn(_) if !may_enter => {
                let text = "a login is required: Authorization: Bearer SECRET, or log in at /login\n";
                Response::plain(Status::Unauthorized, text).refused(Refusal::NoSecret, "a request for games")
            }
            Target::Events(_) | Target::Pgn(_) if request.method != Method::Get => {
                return plain(Status::MethodNotAllowed, "only GET\n");
            }
            Target::Events(id) => return Reply::Door(Door::Events(audience(), id), HEAD.to_owned()),
            Target::Pgn(id) => return Reply::Door(Door::Pgn(audience(), id), String::new()),
            Target::File(name) => self.file(name, Status::Ok, request),
            Target::Page(_) if !may_enter => redirect(&format!("{LOGIN}?to={}", request.path)),
            Target::Page(name) => self.file(name, Status::Ok, request),
        })
    }

    /// Responds with the metrics to clients with the secret. Without one, they are for this
    /// machine and for clients that have logged in.
    fn metrics(
        &mut self,
        request: &Request,
        policy: &ListenerPolicy,
        may_enter: bool,
        now: Instant,
    ) -> Response<'_> {
        let is_allowed = match &policy.secret {
            Some(secret) => bears(request, secret),
            None => self.is_local || may_enter,
        };
        if !is_allowed {
            let refusal = if request.bearer.is_some() { Refusal::WrongSecret } else { Refusal::NoSecret };
            let text = "the secret is required: Authorization: Bearer SECRET\n";
            return Response::plain(Status::Unauthorized, text).refused(refusal, "a request for metrics");
        }
        if self.written.is_none_or(|written| now.saturating_duration_since(written) >= TEXT_AGE) {
            self.text = self.writer.text();
            self.written = Some(now);
        }
        Response::new(Status::Ok, CONTENT_TYPE, self.text.as_bytes())
    }

    /// Responds with the form for a login, or to the form.
    fn login(&mut self, request: &Request, policy: &ListenerPolicy, now: SystemTime) -> Response<'_> {
        if request.method != Method::Post {
            return self.file(LOGIN_PAGE, Status::Ok, request);
        }
        if !is_of_own_page(request) {
            return foreign();
        }
        let refusal = match self.logins.log_in(&request.body, policy, now) {
            Ok(LoggedIn { cookie, page }) => {
                let response = redirect(if Target::is_page(&page) { &page } else { "/" });
                return Response { headers: (response.headers.into_owned() + &cookie).into(), ..response };
            }
            Err(LoginError::Secret) => {
                let form = self.file(LOGIN_PAGE, Status::Forbidden, request);
                return form.refused(Refusal::WrongSecret, A_LOGIN);
            }
            Err(error) => {
                self.login_text = format!("{error}\n");
                match error {
                    LoginError::Proof(error) => refusal(&error),
                    LoginError::Secret | LoginError::Challenge => Refusal::WrongUser,
                }
            }
        };
        Response::plain(Status::Forbidden, &self.login_text).refused(refusal, A_LOGIN)
    }

    fn challenge(&mut self, policy: &ListenerPolicy, now: SystemTime) -> Response<'_> {
        self.login_text = self.logins.challenge(policy, now);
        Response::new(Status::Ok, "application/json", self.login_text.as_bytes())
    }

    fn file(&self, name: &str, status: Status, request: &Request) -> Response<'_> {
        let file = self.pages.respond(name, status, request);
        file.unwrap_or_else(|| Response::plain(Status::NotFound, "not found\n"))
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

impl Target<'_> {
    /// Returns the target of this path; `None` if there is none.
    fn of(path: &str) -> Option<Target<'_>> {
        Some(match path {
            "/healthz" => Target::Health,
            "/readyz" => Target::Readiness,
            "/metrics" => Target::Metrics,
            LOGIN => Target::Login,
            "/login/challenge" => Target::Challenge,
            "/socket" => Target::Socket,
            "/feed" => Target::Feed,
            "/api/feed" => Target::Events(None),
            "/" => Target::Page("index.html"),
            "/play" => Target::Page("play.html"),
            "/analysis" => Target::Page("analysis.html"),
            _ => {
                let number = |text: &str| text.parse().ok();
                if let Some(name) = path.strip_prefix("/web/") {
                    Target::File(name)
                } else if let Some(id) = path.strip_prefix("/api/feed/") {
                    Target::Events(Some(number(id)?))
                } else {
                    let game = path.strip_prefix("/game/")?;
                    match game.strip_suffix(".pgn") {
                        Some(id) => Target::Pgn(number(id)?),
                        None => number(game).map(|_| Target::Page("game.html"))?,
                    }
                }
            }
        })
    }

    /// Returns true if a person opens this path.
    fn is_page(path: &str) -> bool {
        matches!(Target::of(path), Some(Target::Page(_)))
    }

    /// Returns true if only requests that name this machine are answered on a loopback address.
    fn is_for_own_hosts(&self) -> bool {
        !matches!(self, Target::Health | Target::Readiness)
    }
}

/// Returns the answer to the key of a request for a WebSocket, or why there is none.
fn socket(request: &Request, may_enter: bool) -> Result<String, Response<'static>> {
    if !is_of_own_page(request) {
        return Err(foreign());
    }
    if !may_enter {
        let response = Response::plain(Status::Unauthorized, "log in first, at /login\n");
        return Err(response.refused(Refusal::NoSecret, "a web page without a login"));
    }
    let accept = if request.method == Method::Get { request.upgrade.accept() } else { None };
    accept.ok_or_else(|| Response::plain(Status::UpgradeRequired, "only WebSockets, version 13\n"))
}

fn foreign() -> Response<'static> {
    let text = "refused: this request comes from a page of another site, or from no page\n";
    Response::plain(Status::Forbidden, text).refused(Refusal::Origin, "a page of another site")
}

fn redirect(path: &str) -> Response<'static> {
    let response = Response::plain(Status::SeeOther, "");
    Response { headers: format!("{}Location: {path}\r\n", response.headers).into(), ..response }
}

fn plain(status: Status, text: &'static str) -> Reply<'static> {
    Reply::Response(Response::plain(status, text))
}

fn condition(condition: Condition) -> Response<'static> {
    match condition {
        Ok(text) => Response::plain(Status::Ok, text),
        Err(text) => Response::plain(Status::Unavailable, text),
    }
}
