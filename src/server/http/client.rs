//! One client of the listener for HTTP: requests in, answers out, one after the other.

use super::answers::Answers;
use super::policy::CurrentPolicy;
use super::request::{BadRequest, MAX_HEAD, Method, Request};
use super::response::{Response, Status};
use crate::metrics::Counters;
use crate::server::ListenerPolicy;
use crate::server::connection::{ClientStream, ReadOutcome};
use crate::server::connection::{Output, OutputLimits};
use crate::server::observe::access_log::AccessLog;
use crate::server::outcome::Refusal;
use mio::net::TcpStream;
use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// How long a client may take for a request once it has begun, for its first one, and to read an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a connection may stay open between requests; longer than Prometheus waits between two.
const IDLE: Duration = Duration::from_secs(120);
/// How long a client may take to close after an answer that is the last.
const LINGER: Duration = Duration::from_secs(1);
/// Requests answered in one turn, so that others have theirs.
const REQUESTS_PER_TURN: usize = 16;

/// What a turn of a client has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TurnEnd {
    /// Nothing can be done until the system says so.
    Waits,
    /// There is more to do.
    Goes,
    /// The connection is over.
    Over,
}

/// What is shared by the clients in a turn.
pub(super) struct Context<'a> {
    pub(super) policy: &'a mut CurrentPolicy,
    pub(super) answers: &'a mut Answers,
    pub(super) answered: &'a Counters<Status>,
    pub(super) access_log: &'a AccessLog,
    pub(super) buffer: &'a mut [u8],
}

/// A client.
pub(super) struct HttpClient {
    pub(super) stream: ClientStream,
    pub(super) peer: SocketAddr,
    has_tls: bool,
    /// What was read of the next request.
    input: Vec<u8>,
    output: Output,
    /// The last answer is under way.
    is_last: bool,
    /// Everything is sent and our side is shut.
    is_shut: bool,
    /// The socket may have input, or context for output.
    pub(super) ready: bool,
    /// When what it does now began: a wait, a request, or an answer.
    pub(super) since: Instant,
    state: ClientState,
}

/// What a client does. Each has its time limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ClientState {
    /// It has sent nothing since its last answer.
    Idle,
    /// It sends a request, or owes its first.
    Asking,
    /// It reads an answer.
    Reading,
    /// It has heard all.
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
            stream: ClientStream::new(stream, policy.tls.as_ref())?,
            peer,
            has_tls: policy.tls.is_some(),
            input: Vec::new(),
            // There is one answer at a time.
            output: Output::new(OutputLimits { soft: usize::MAX, hard: usize::MAX }),
            is_last: false,
            is_shut: false,
            ready: true,
            since: now,
            state: ClientState::Asking,
        })
    }

    /// When it is closed unless it does something else by then.
    pub(super) fn deadline(&self) -> Instant {
        self.since
            + match self.state {
                ClientState::Idle => IDLE,
                ClientState::Asking | ClientState::Reading => PATIENCE,
                ClientState::Leaving => LINGER,
            }
    }

    /// Whether nothing is under way.
    pub(super) fn is_idle(&self) -> bool {
        self.state == ClientState::Idle
    }

    fn begin(&mut self, state: ClientState, now: Instant) {
        if self.state != state {
            (self.state, self.since) = (state, now);
        }
    }

    /// Sends, reads and answers as much as is possible and fair.
    ///
    /// # Errors
    /// The connection is broken.
    pub(super) fn turn(&mut self, context: &mut Context<'_>, now: Instant) -> io::Result<TurnEnd> {
        for _ in 0..REQUESTS_PER_TURN {
            self.stream.write(&mut self.output)?;
            if !self.output.is_empty() || !self.stream.is_sent() {
                return Ok(TurnEnd::Waits);
            }
            if self.is_last {
                return self.leave(context.buffer, now);
            }
            match (self.input.is_empty(), self.state) {
                (false, _) => self.begin(ClientState::Asking, now),
                (true, ClientState::Reading) => self.begin(ClientState::Idle, now),
                // A new_connection owes its first request.
                (true, _) => {}
            }
            match Request::parse(&self.input) {
                Ok(Some((request, length))) => {
                    self.input.drain(..length);
                    if !self.may_ask(context) {
                        return Ok(TurnEnd::Over);
                    }
                    self.answer(&request, context, now);
                }
                Ok(None) => match self.read(context, now)? {
                    TurnEnd::Goes => {}
                    end => return Ok(end),
                },
                Err(error) => self.refuse(error, context, now),
            }
        }
        Ok(TurnEnd::Goes)
    }

    /// Reads once.
    fn read(&mut self, context: &mut Context<'_>, now: Instant) -> io::Result<TurnEnd> {
        let most = context.buffer.len().min(2 * MAX_HEAD);
        match self.stream.read(&mut context.buffer[..most])? {
            ReadOutcome::Bytes(count) => {
                self.input.extend_from_slice(&context.buffer[..count]);
                self.begin(ClientState::Asking, now);
            }
            ReadOutcome::Overhead(_) => {}
            ReadOutcome::Handshake => self.step()?,
            ReadOutcome::NotTls => {
                self.stream.drop_tls();
                self.send(&Response::plain(Status::BadRequest, "this listener asks for TLS\n"), false, true);
                context.answered.of(Status::BadRequest).add(1);
                self.begin(ClientState::Reading, now);
            }
            ReadOutcome::Nothing => return Ok(TurnEnd::Waits),
            ReadOutcome::End => return Ok(TurnEnd::Over),
        }
        Ok(TurnEnd::Goes)
    }

    /// A step of a TLS handshake. It may take milliseconds, of this thread.
    fn step(&mut self) -> io::Result<()> {
        let Some((mut tls, _)) = self.stream.take_step() else { return Ok(()) };
        let outcome = tls.step();
        self.stream.put_back(tls);
        outcome.map_err(|error| {
            // TLS has an alert for it, which is worth a try.
            let _ = self.stream.write(&mut self.output);
            io::Error::new(io::ErrorKind::InvalidData, error)
        })
    }

    /// Whether it would be let in as a new_connection: the policy may be another one by now. Nobody else gets a word.
    fn may_ask(&self, context: &mut Context<'_>) -> bool {
        let policy = context.policy.get();
        let refused = if !policy.admits(self.peer.ip()) {
            Some((Refusal::NotAllowed, "not in the list of those allowed any more"))
        } else if policy.tls.is_some() && !self.has_tls {
            Some((Refusal::NoTls, "it came before this listener asked for TLS"))
        } else {
            None
        };
        if let Some((refusal, why)) = refused {
            context.access_log.refused(self.peer, refusal, &why);
        }
        refused.is_none()
    }

    fn answer(&mut self, request: &Request, context: &mut Context<'_>, now: Instant) {
        let response = context.answers.answer(request, context.policy.get(), now);
        context.answered.of(response.status).add(1);
        if response.status == Status::Unauthorized {
            let refusal = if request.bearer.is_some() { Refusal::WrongSecret } else { Refusal::NoSecret };
            context.access_log.refused(self.peer, refusal, &"a request for numbers");
        }
        self.send(&response, request.keeps_alive, request.method != Method::Head);
        self.begin(ClientState::Reading, now);
    }

    /// Answers what is no request. Where the next one would begin is unknown.
    fn refuse(&mut self, error: BadRequest, context: &mut Context<'_>, now: Instant) {
        let response = Response::from(error);
        context.answered.of(response.status).add(1);
        self.input = Vec::new();
        self.send(&response, false, true);
        self.begin(ClientState::Reading, now);
    }

    fn send(&mut self, response: &Response<'_>, keeps_alive: bool, with_body: bool) {
        self.output.push(&response.head(keeps_alive), None);
        if with_body {
            self.output.push(response.body, None);
        }
        self.is_last = !keeps_alive;
    }

    /// Shuts our side, and reads what the client still says: closing would make the system reset the connection, and the client
    /// would lose the answer.
    fn leave(&mut self, buffer: &mut [u8], now: Instant) -> io::Result<TurnEnd> {
        if !self.is_shut {
            self.is_shut = self.stream.finish()?;
            if !self.is_shut {
                return Ok(TurnEnd::Waits);
            }
            self.begin(ClientState::Leaving, now);
        }
        match self.stream.read(buffer)? {
            ReadOutcome::Bytes(_) | ReadOutcome::Overhead(_) => Ok(TurnEnd::Goes),
            ReadOutcome::Nothing => Ok(TurnEnd::Waits),
            ReadOutcome::End | ReadOutcome::Handshake | ReadOutcome::NotTls => Ok(TurnEnd::Over),
        }
    }
}
