//! One client: its stream, buffers, and session.

mod client_stream;
mod linked;
mod output_buffer;

pub(super) use client_stream::{ClientStream, ReadOutcome, Tls, nonblocking};
pub(super) use linked::{Linked, Parting, write};
pub(super) use output_buffer::Output;
pub use output_buffer::OutputLimits;

use crate::auth::User;
use crate::pool::{JobId, SearchId, Source};
use crate::protocol::Line;
use crate::protocol::framing::LineSplitter;
use crate::protocol::proxy::Opening;
use crate::protocol::telnet::Telnet;
use crate::server::balancer::moves::Balancer;
use crate::server::login::steps::Login;
use crate::server::observe::access_log::{AccessLog, SessionName};
use crate::server::observe::metrics::{Metrics, SessionLabels};
use crate::server::observe::user_metrics::UserMetrics;
use crate::server::outcome::{CloseReason, Refusal};
use crate::server::rsh::RshClient;
use crate::server::{ListenerPolicy, ServerLimits};
use crate::session::{Conversation, Protocol};
use mio::net::TcpStream;
use socket2::{SockRef, TcpKeepalive};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Memory of a game that is not counted: every session has a game, and one of a thousand plies is smaller.
const FREE_GAME_BYTES: usize = 32 << 10;

/// Bytes that the buffers and long games of all connections hold. Each connection keeps the total up to date.
#[derive(Default)]
pub(super) struct BufferTotal {
    bytes: usize,
}

impl BufferTotal {
    /// Counts `after` bytes instead of the `counted` ones of a connection.
    pub(super) fn update(&mut self, counted: &mut usize, after: usize) {
        self.bytes = self.bytes + after - std::mem::replace(counted, after);
    }

    /// The total.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// A connection, from the accept to the end.
pub(super) struct Connection {
    pub(super) stream: ClientStream,
    pub(super) peer: SocketAddr,
    /// When it was accepted.
    pub(super) since: Instant,
    /// The policy of the listener that accepted it.
    pub(super) policy: Arc<ListenerPolicy>,
    /// Its owner number in the pool, which no other connection has.
    pub(super) owner: u64,
    /// The source that is charged for its input and its searches.
    pub(super) source: Source,
    /// The user who has logged in by name.
    pub(super) user: Option<Arc<User>>,
    /// The login, as long as it is not complete; `None` also if none is required.
    pub(super) login: Option<Box<Login>>,
    /// `None` before the session begins, and after its end.
    pub(super) session: Option<Conversation>,
    /// Why the session ends, once it does.
    pub(super) close_reason: CloseReason,
    /// The proxy that has connected for the client, and the port here.
    pub(super) came_by: Option<Balancer>,
    /// When it was last asked to move to another server.
    pub(super) asked_to_move: Option<Instant>,
    /// Finds a header of the PROXY protocol in front of the client's first line.
    pub(super) opening: Opening,
    /// Whether it is counted as a session.
    pub(super) counts_as_session: bool,
    /// What its session is counted under, while there is one.
    counted_as: Option<SessionLabels>,
    /// A line of its session has come.
    pub(super) has_spoken: bool,
    /// The link that it speaks.
    pub(super) link: Option<Box<Linked>>,
    pub(super) lines: LineSplitter,
    telnet: Telnet,
    pub(super) output: Output,
    /// Bytes of its buffers, as last counted in the total.
    pub(super) buffered: usize,
    /// Searches that were started and have not ended.
    pub(super) searches: Vec<SearchId>,
    /// The client will send no more.
    pub(super) eof: bool,
    /// Since when its input has exceeded what can be handled, without anything being sent to it.
    pub(super) overloaded_since: Option<Instant>,
    /// The system was asked to announce room for output.
    pub(super) awaits_writable: bool,
    /// Our side is shut down; further input is discarded.
    pub(super) is_lingering: bool,
    /// The state of a remote shell client.
    pub(super) rsh: Option<Box<RshClient>>,
}

impl Connection {
    pub(super) fn new(
        stream: ClientStream,
        peer: SocketAddr,
        policy: Arc<ListenerPolicy>,
        owner: u64,
        source: Source,
        limits: &ServerLimits,
    ) -> Connection {
        if let Err(error) = set_options(stream.socket(), limits.keepalive) {
            log::debug!("{peer}: socket options: {error}");
        }
        let line_limit = policy.protocol.line_limit(limits.line);
        Connection {
            stream,
            peer,
            since: Instant::now(),
            policy,
            owner,
            source,
            user: None,
            login: None,
            session: None,
            close_reason: CloseReason::default(),
            came_by: None,
            asked_to_move: None,
            opening: Opening::default(),
            counts_as_session: false,
            counted_as: None,
            has_spoken: false,
            link: None,
            lines: LineSplitter::new(line_limit),
            telnet: Telnet::default(),
            output: Output::new(limits.output),
            buffered: 0,
            searches: Vec::new(),
            eof: false,
            overloaded_since: None,
            awaits_writable: false,
            is_lingering: false,
            rsh: None,
        }
    }

    /// Whether it has neither a session nor a login: only output is left.
    pub(super) fn is_closing(&self) -> bool {
        self.session.is_none() && self.login.is_none()
    }

    /// Reads once.
    ///
    /// # Errors
    /// The connection is broken.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> io::Result<ReadOutcome> {
        let found = self.stream.read(buffer);
        if let Ok(ReadOutcome::Bytes(_)) = found {
            self.acknowledge_at_once();
        }
        found
    }

    /// Checks that the connection is not reset. After the end of input reading would not tell.
    ///
    /// # Errors
    /// The connection is broken.
    pub(super) fn check(&self) -> io::Result<()> {
        self.stream.socket().take_error()?.map_or(Ok(()), Err)
    }

    /// Whether a proxy is to say for whom it has connected.
    pub(super) fn awaits_header(&self) -> bool {
        matches!(self.login.as_deref(), Some(Login::Proxy(_)))
    }

    /// Whether it is a remote shell client without a session yet.
    pub(super) fn is_rsh_login(&self) -> bool {
        self.rsh.as_ref().is_some_and(|rsh| rsh.is_logging_in())
    }

    /// Takes bytes that were read; those of lines without what telnet has put between them.
    pub(super) fn push_input(&mut self, bytes: &[u8]) {
        match &mut self.link {
            Some(link) => link.push(bytes),
            None => self.lines.fill(|buffer| self.telnet.filter(bytes, buffer)),
        }
    }

    /// Bytes that were read and are not handled.
    pub(super) fn unhandled(&self) -> usize {
        self.lines.held() + self.link.as_ref().map_or(0, |link| link.held())
    }

    /// Queues a line for the client.
    pub(super) fn send(&mut self, line: Line) {
        match (&mut self.rsh, &mut self.link) {
            (Some(rsh), _) => rsh.pacer.push(line.text, line.key),
            (None, Some(link)) => link.send(&line),
            (None, None) => self.output.push(&line.text, line.key),
        }
    }

    /// The protocol of the client, as far as it is known.
    pub(super) fn protocol(&self) -> Protocol {
        self.session.as_ref().map_or(self.policy.protocol, Conversation::protocol)
    }

    /// Bytes not sent.
    pub(super) fn unsent(&self) -> usize {
        let pending = self.link.as_ref().map_or(0, |link| link.unsent());
        self.output.bytes() + pending + self.rsh.as_ref().map_or(0, |rsh| rsh.pacer.bytes())
    }

    /// Thinking lines that were dropped since this was last asked.
    pub(super) fn take_dropped(&mut self) -> u64 {
        let pending = self.link.as_mut().map_or(0, |link| link.take_dropped());
        self.output.take_dropped() + pending + self.rsh.as_mut().map_or(0, |rsh| rsh.pacer.take_dropped())
    }

    /// Drops thinking lines that are followed by others.
    pub(super) fn drop_thinking(&mut self) {
        self.output.drop_thinking();
        if let Some(link) = &mut self.link {
            link.drop_thinking();
        }
    }

    /// Writes the last frame of its link, if it has one and has not done so.
    pub(super) fn part(&mut self, parting: Parting) {
        if let Some(link) = &mut self.link {
            link.part(parting, &mut self.output, &self.lines);
        }
    }

    /// Memory of its buffers in bytes, approximately, and of its game if that is long.
    pub(super) fn memory(&self) -> usize {
        let paced = self.rsh.as_ref().map_or(0, |rsh| rsh.pacer.bytes());
        let game = self.session.as_ref().map_or(0, Conversation::game_bytes).saturating_sub(FREE_GAME_BYTES);
        let linked = self.link.as_ref().map_or(0, |link| link.memory());
        self.output.memory() + paced + linked + self.lines.held() + self.stream.held() + game
    }

    /// Has the system acknowledge at once what was read (TCP_QUICKACK). WinBoard sends a command in pieces,
    /// and its system holds each back until the one before is acknowledged.
    pub(super) fn acknowledge_at_once(&self) {
        #[cfg(target_os = "linux")]
        if self.rsh.is_some()
            && let Err(error) = SockRef::from(self.stream.socket()).set_tcp_quickack(true)
        {
            log::debug!("{}: {error}", self.peer);
        }
    }

    /// Sends as much of the output as the socket takes.
    ///
    /// # Errors
    /// The connection is broken.
    pub(super) fn write(&mut self, now: Instant) -> io::Result<()> {
        if self.output.is_empty()
            && let Some(text) = self.rsh.as_mut().and_then(|rsh| rsh.pacer.write(now))
        {
            self.output.push(&text, None);
        }
        if self.output.is_empty() && self.stream.is_sent() {
            Ok(())
        } else {
            self.stream.write(&mut self.output)
        }
    }

    /// Whether nothing is left that could be sent now.
    pub(super) fn is_written(&self) -> bool {
        self.output.is_empty() && self.stream.is_sent()
    }

    /// Whether nothing is left to be sent.
    pub(super) fn is_sent(&self) -> bool {
        self.is_written() && self.unsent() == 0
    }

    /// Takes the searches that are to be stopped.
    pub(super) fn take_searches(&mut self) -> impl Iterator<Item = JobId> {
        let owner = self.owner;
        std::mem::take(&mut self.searches).into_iter().map(move |search| JobId { owner, search })
    }

    /// The name of the user who has logged in, if there is one.
    pub(super) fn user_name(&self) -> Option<&str> {
        self.user.as_ref().map(|user| user.name.as_str())
    }

    /// The other end of the connection, taken for a proxy, and the port here. A port stands for a backend of the proxy.
    pub(super) fn balancer(&self) -> Balancer {
        let port = self.stream.socket().local_addr().map_or(0, |address| address.port());
        (self.peer.ip(), port)
    }

    /// What the log calls its session.
    pub(super) fn name(&self) -> SessionName {
        SessionName { number: self.owner >> 32, peer: self.peer }
    }

    /// Logs that a client leaves without its proof, if it has heard the server's.
    pub(super) fn log_missing_proof(&self, access_log: &AccessLog) {
        if self.login.as_ref().is_some_and(|login| login.has_server_proof()) {
            access_log.refused(
                self.peer,
                Refusal::NoProof,
                &"it heard the server's proof and gave none of its own",
            );
        }
    }

    /// Logs the end of the session, if there is one.
    pub(super) fn log_end(&self, access_log: &AccessLog) {
        if let Some(session) = &self.session {
            access_log.ends(self.name(), self.since.elapsed(), self.close_reason, session.lag());
        }
    }

    /// Ends the session, if there is one.
    pub(super) fn end_session(&mut self, access_log: &AccessLog, metrics: &Metrics, users: &mut UserMetrics) {
        self.uncount(metrics, users);
        self.log_end(access_log);
        self.session = None;
    }

    /// Counts the session under what it has shown of itself, and what it has done.
    pub(super) fn count(&mut self, metrics: &Metrics, users: &mut UserMetrics) {
        let Some(session) = &mut self.session else { return };
        let labels = SessionLabels::of(&self.policy, session.protocol());
        let before = self.counted_as.replace(labels);
        if before != Some(labels) {
            let user = self.user.as_ref().map(|user| user.name.as_str());
            metrics.session_changes(before, Some(labels), user, users);
        }
        metrics.measured(labels.protocol, session.take_measured());
    }

    /// The session is counted no more.
    pub(super) fn uncount(&mut self, metrics: &Metrics, users: &mut UserMetrics) {
        if let Some(labels) = self.counted_as.take() {
            metrics.session_changes(Some(labels), None, self.user_name(), users);
        }
    }

    /// Shuts our side down and goes on reading: closing a socket with unread input would make the system
    /// reset the connection, and the client would lose its last lines. Does nothing as long as the socket has
    /// no room for that.
    pub(super) fn linger(&mut self) {
        match self.stream.finish() {
            Ok(finished) => self.is_lingering = finished,
            Err(error) => {
                self.is_lingering = true;
                log::debug!("{}: shutdown: {error}", self.peer);
            }
        }
    }
}

/// Probes a client after `keepalive` of silence; drops it if sent data stays unacknowledged that long. A
/// client whose system answers may be silent without limit.
fn set_options(stream: &TcpStream, keepalive: Duration) -> io::Result<()> {
    let socket = SockRef::from(stream);
    // Replies are short, and the client waits for each.
    socket.set_tcp_nodelay(true)?;
    // The system counts in whole seconds.
    let interval = (keepalive / 4).max(Duration::from_secs(1));
    socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(keepalive).with_interval(interval))?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(keepalive))?;
    Ok(())
}
