//! A client of the HTTP listener: requests in, responses out, one after the other.

use super::door::Door;
use super::relays::KICKED;
use super::request::{BadRequest, MAX_HEAD, Method, Request};
use super::responder::{Reply, Responder};
use super::response::{Response, Status};
use super::service::CurrentPolicy;
use crate::metrics::Counters;
use crate::server::ListenerPolicy;
use crate::server::admission::Bans;
use crate::server::connection::{ClientSocket, ClientStream, Output, OutputLimits, ReadOutcome};
use crate::server::observe::metrics::Metrics;
use crate::server::outcome::Refusal;
use mio::net::TcpStream;
use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// Time for a client to send its first or a begun request, and to read a response.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time that a connection may stay open between requests; longer than Prometheus's interval.
const IDLE: Duration = Duration::from_secs(120);
/// Time for a client to close after the last response.
const LINGER: Duration = Duration::from_secs(1);
/// Requests answered per turn, so that other clients get theirs.
const REQUESTS_PER_TURN: usize = 16;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TurnEnd {
    /// Nothing can be done until the next event.
    Waiting,
    Continue,
    /// The connection has become a WebSocket: see [`HttpClient::into_socket`].
    Upgraded(Door),
    Ended,
}

pub(super) struct Context<'a> {
    pub(super) policy: &'a mut CurrentPolicy,
    pub(super) responder: &'a mut Responder,
    pub(super) responses: &'a Counters<Status>,
    pub(super) metrics: &'a Metrics,
    pub(super) bans: &'a Bans,
    /// Whether there is room for another WebSocket.
    pub(super) has_room: bool,
    pub(super) buffer: &'a mut [u8],
}

pub(super) struct HttpClient {
    stream: ClientStream,
    pub(super) peer: SocketAddr,
    has_tls: bool,
    /// The part of the next request that has been read.
    input: Vec<u8>,
    output: Output,
    /// Whether the last response is being sent.
    is_last: bool,
    /// Whether the socket may have input, or room for output.
    pub(super) ready: bool,
    pub(super) since: Instant,
    state: ClientState,
}

/// The state of a client. Each state has its time limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ClientState {
    /// It has sent nothing since its last response.
    Idle,
    /// It sends a request, or has to send its first.
    Requesting,
    Reading,
    /// Everything is sent and the sending side is shut down.
    Leaving,
}

impl HttpClient {
    /// # Errors
    /// TLS cannot be set up.
    pub(super) fn new(
        stream: TcpStream,
        peer: SocketAddr,
        policy: &ListenerPolicy,
        now: Instant,
    ) -> Result<HttpClient, rustls::Error> {
        Ok(HttpClient {
            stream: ClientStream::new(stream.into(), policy.tls.as_ref())?,
            peer,
            has_tls: policy.tls.is_some(),
            input: Vec::new(),
            // There is one response at a time.
            output: Output::new(OutputLimits { soft: usize::MAX, hard: usize::MAX }),
            is_last: false,
            ready: true,
            since: now,
            state: ClientState::Requesting,
        })
    }

    /// Returns when the client is closed unless its state changes before.
    pub(super) fn deadline(&self) -> Instant {
        self.since
            + match self.state {
                ClientState::Idle => IDLE,
                ClientState::Requesting | ClientState::Reading => PATIENCE,
                ClientState::Leaving => LINGER,
            }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.state == ClientState::Idle
    }

    fn begin(&mut self, state: ClientState, now: Instant) {
        if self.state != state {
            (self.state, self.since) = (state, now);
        }
    }

    /// Returns the socket, for the system's events.
    pub(super) fn socket(&mut self) -> &mut ClientSocket {
        &mut self.stream.socket
    }

    /// Returns the parts of a connection that has become a WebSocket: its stream, what is to be
    /// sent, and what has been read.
    pub(super) fn into_socket(self) -> (ClientStream, Output, Vec<u8>) {
        (self.stream, self.output, self.input)
    }

    /// Sends, reads and responds as much as is possible and fair.
    ///
    /// # Errors
    /// The connection is broken.
    pub(super) fn turn(&mut self, context: &mut Context<'_>, now: Instant) -> io::Result<TurnEnd> {
        for _ in 0..REQUESTS_PER_TURN {
            self.stream.write(&mut self.output)?;
            if !self.output.is_empty() || !self.stream.is_sent() {
                return Ok(TurnEnd::Waiting);
            }
            if self.is_last {
                return self.leave(context.buffer, now);
            }
            match (self.input.is_empty(), self.state) {
                (false, _) => self.begin(ClientState::Requesting, now),
                (true, ClientState::Reading) => self.begin(ClientState::Idle, now),
                // A new client has to send its first request.
                (true, _) => {}
            }
            match Request::parse(&self.input) {
                Ok(Some((mut request, length))) => {
                    self.input.drain(..length);
                    if !self.is_still_allowed(context) {
                        return Ok(TurnEnd::Ended);
                    }
                    if context.policy.get().certificates {
                        request.certificate_names = self.stream.certificate_names().unwrap_or_default();
                    }
                    match self.respond(&request, context, now) {
                        TurnEnd::Upgraded(door) => return Ok(TurnEnd::Upgraded(door)),
                        TurnEnd::Waiting | TurnEnd::Continue | TurnEnd::Ended => {}
                    }
                }
                Ok(None) => match self.read(context, now)? {
                    TurnEnd::Continue => {}
                    end => return Ok(end),
                },
                Err(error) => self.refuse(error, context, now),
            }
        }
        Ok(TurnEnd::Continue)
    }

    fn read(&mut self, context: &mut Context<'_>, now: Instant) -> io::Result<TurnEnd> {
        let most = context.buffer.len().min(2 * MAX_HEAD);
        match self.stream.read(&mut context.buffer[..most])? {
            ReadOutcome::Bytes(count) => {
                self.input.extend_from_slice(&context.buffer[..count]);
                self.begin(ClientState::Requesting, now);
            }
            ReadOutcome::Overhead(_) => {}
            ReadOutcome::Handshake => self.step()?,
            ReadOutcome::NotTls => {
                self.stream.drop_tls();
                self.send(&Response::plain(Status::BadRequest, "this listener requires TLS\n"), false, true);
                context.responses.of(Status::BadRequest).add(1);
                self.begin(ClientState::Reading, now);
            }
            ReadOutcome::Nothing => return Ok(TurnEnd::Waiting),
            ReadOutcome::End => return Ok(TurnEnd::Ended),
        }
        Ok(TurnEnd::Continue)
    }

    /// Takes a step of a TLS handshake, which may take milliseconds of this thread.
    fn step(&mut self) -> io::Result<()> {
        let Some((mut tls, _)) = self.stream.take_step() else { return Ok(()) };
        let outcome = tls.step();
        self.stream.put_back(tls);
        outcome.map_err(|error| {
            // Try to send the TLS alert.
            let _ = self.stream.write(&mut self.output);
            io::Error::new(io::ErrorKind::InvalidData, error)
        })
    }

    /// Re-checks the policy, which may have been reloaded. A refused client gets no response.
    fn is_still_allowed(&self, context: &mut Context<'_>) -> bool {
        let policy = context.policy.get();
        let refused = if !policy.admits(self.peer.ip()) {
            Some((Refusal::NotAllowed, "the address is no longer in the allow list"))
        } else if policy.tls.is_some() && !self.has_tls {
            Some((Refusal::NoTls, "connected before this listener required TLS"))
        } else {
            None
        };
        if let Some((refusal, why)) = refused {
            context.metrics.refused(self.peer, refusal, &why);
        }
        refused.is_none()
    }

    fn respond(&mut self, request: &Request, context: &mut Context<'_>, now: Instant) -> TurnEnd {
        let is_banned = |door: &Door| {
            let client = door.audience().map(|audience| audience.banned_as(self.peer.ip()));
            client.is_some_and(|client| context.bans.seconds_left(&client, now).is_some())
        };
        let response = match context.responder.respond(request, context.policy.get(), now) {
            Reply::Door(..) if !context.has_room => {
                Response::plain(Status::Unavailable, "too many pages are open\n")
            }
            Reply::Door(door, _) if is_banned(&door) => {
                Response::plain(Status::Unavailable, KICKED).refused(Refusal::Kicked, "a page that watches")
            }
            Reply::Door(door, head) => {
                context.responses.of(door.status()).add(1);
                // An empty text would never be sent.
                if !head.is_empty() {
                    self.output.push(&head, None);
                }
                return TurnEnd::Upgraded(door);
            }
            Reply::Response(response) => response,
        };
        context.responses.of(response.status).add(1);
        if let Some((refusal, why)) = response.refusal {
            context.metrics.refused(self.peer, refusal, &why);
        }
        self.send(&response, request.keeps_alive, request.method != Method::Head);
        self.begin(ClientState::Reading, now);
        TurnEnd::Continue
    }

    /// Responds to a malformed request. Where the next one would begin is unknown.
    fn refuse(&mut self, error: BadRequest, context: &mut Context<'_>, now: Instant) {
        let response = Response::from(error);
        context.responses.of(response.status).add(1);
        self.input = Vec::new();
        self.send(&response, false, true);
        self.begin(ClientState::Reading, now);
    }

    fn send(&mut self, response: &Response<'_>, keeps_alive: bool, with_body: bool) {
        self.output.push(&response.head(keeps_alive), None);
        if with_body && response.has_body() {
            self.output.push_bytes(response.body.to_vec());
        }
        self.is_last = !keeps_alive;
    }

    /// Shuts down the sending side and reads what the client still sends.
    fn leave(&mut self, buffer: &mut [u8], now: Instant) -> io::Result<TurnEnd> {
        if self.state != ClientState::Leaving {
            self.stream.linger()?;
            if !self.stream.is_shut() {
                return Ok(TurnEnd::Waiting);
            }
            self.begin(ClientState::Leaving, now);
        }
        match self.stream.read(buffer)? {
            ReadOutcome::Bytes(_) | ReadOutcome::Overhead(_) => Ok(TurnEnd::Continue),
            ReadOutcome::Nothing => Ok(TurnEnd::Waiting),
            ReadOutcome::End | ReadOutcome::Handshake | ReadOutcome::NotTls => Ok(TurnEnd::Ended),
        }
    }
}
