//! A connection: its stream, buffers, and session.

mod client_socket;
mod client_stream;
mod linked;
mod output_buffer;

pub(super) use client_socket::ClientSocket;
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
use crate::server::observe::metrics::{Metrics, SessionLabels};
use crate::server::observe::{Observer, SessionName};
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

/// Memory of a game that is not counted: enough for a thousand plies, and every session has one.
const FREE_GAME_BYTES: usize = 32 << 10;

/// Bytes held by buffers and long games, which each connection keeps up to date.
#[derive(Default)]
pub(super) struct BufferTotal {
    pub(super) bytes: usize,
}

impl BufferTotal {
    /// Replaces the `counted` bytes of a connection by `after`.
    pub(super) fn update(&mut self, counted: &mut usize, after: usize) {
        self.bytes = self.bytes + after - std::mem::replace(counted, after);
    }
}

/// A connection, from accept to close.
pub(super) struct Connection {
    pub(super) stream: ClientStream,
    pub(super) peer: SocketAddr,
    pub(super) since: Instant,
    pub(super) policy: Arc<ListenerPolicy>,
    /// Owner number in the pool, never used by another connection.
    pub(super) owner: u64,
    /// Source charged for its input and searches.
    pub(super) source: Source,
    pub(super) user: Option<Arc<User>>,
    /// The incomplete login; `None` once complete, or if none is required.
    pub(super) login: Option<Box<Login>>,
    /// `None` before the session begins, and after its end.
    pub(super) session: Option<Conversation>,
    /// Reason for the session's end, once it ends.
    pub(super) close_reason: CloseReason,
    pub(super) proxied: Proxied,
    pub(super) counted: Counted,
    pub(super) link: Option<Box<Linked>>,
    pub(super) input: InputState,
    pub(super) output: Output,
    /// Searches that were started and have not ended.
    pub(super) searches: Vec<SearchId>,
    pub(super) rsh: Option<Box<RshClient>>,
}

/// The proxy in front of a client.
#[derive(Default)]
pub(super) struct Proxied {
    /// Proxy that connected for the client, and the local port.
    pub(super) balancer: Option<Balancer>,
    /// When the client was last asked to move to another server.
    pub(super) asked_to_move: Option<Instant>,
}

/// Counts that include a connection.
#[derive(Default)]
pub(super) struct Counted {
    /// Whether the limits of sessions count it.
    pub(super) as_session: bool,
    /// Labels under which the metrics count its session.
    labels: Option<SessionLabels>,
    /// Bytes of its buffers that the total counts.
    pub(super) buffered: usize,
}

/// A client's input on its way to lines.
pub(super) struct InputState {
    /// Detects a PROXY protocol header in front of the client's first line.
    pub(super) opening: Opening,
    telnet: Telnet,
    pub(super) lines: LineSplitter,
    pub(super) has_spoken: bool,
    /// Whether the client's input has ended.
    pub(super) eof: bool,
    /// Since when its input has exceeded what can be handled, without output to it.
    pub(super) overloaded_since: Option<Instant>,
}

impl InputState {
    /// No input yet; lines have at most `line_limit` bytes.
    fn new(line_limit: usize) -> InputState {
        InputState {
            opening: Opening::default(),
            telnet: Telnet::default(),
            lines: LineSplitter::new(line_limit),
            has_spoken: false,
            eof: false,
            overloaded_since: None,
        }
    }
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
        if let Some(socket) = stream.socket.tcp()
            && let Err(error) = set_options(socket, limits.keepalive)
        {
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
            proxied: Proxied::default(),
            counted: Counted::default(),
            link: None,
            input: InputState::new(line_limit),
            output: Output::new(limits.output),
            searches: Vec::new(),
            rsh: None,
        }
    }

    /// Returns true if it has neither a session nor a login: only output is left.
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

    /// Checks that the connection is not reset. After the end of input, reading would not show it.
    ///
    /// # Errors
    /// The connection is broken.
    pub(super) fn check(&self) -> io::Result<()> {
        self.stream.socket.take_error()?.map_or(Ok(()), Err)
    }

    /// Returns true if a proxy has to name its client.
    pub(super) fn awaits_header(&self) -> bool {
        matches!(self.login.as_deref(), Some(Login::Proxy(_)))
    }

    /// Returns true for a remote shell client without a session yet.
    pub(super) fn is_rsh_login(&self) -> bool {
        self.rsh.as_ref().is_some_and(|rsh| rsh.is_logging_in())
    }

    /// Takes input. For clients without a link, telnet's own bytes are filtered out.
    pub(super) fn push_input(&mut self, bytes: &[u8]) {
        match &mut self.link {
            Some(link) => link.push(bytes),
            None => self.input.lines.fill(|buffer| self.input.telnet.filter(bytes, buffer)),
        }
    }

    pub(super) fn unhandled(&self) -> usize {
        self.input.lines.held() + self.link.as_ref().map_or(0, |link| link.held())
    }

    pub(super) fn send(&mut self, line: Line) {
        match (&mut self.rsh, &mut self.link) {
            (Some(rsh), _) => rsh.pacer.push(line.text, line.key),
            (None, Some(link)) => link.send(&line),
            (None, None) => self.output.push(&line.text, line.key),
        }
    }

    /// Returns the client's protocol, as far as it is known.
    pub(super) fn protocol(&self) -> Protocol {
        self.session.as_ref().map_or(self.policy.protocol, Conversation::protocol)
    }

    pub(super) fn unsent(&self) -> usize {
        let pending = self.link.as_ref().map_or(0, |link| link.unsent());
        self.output.bytes() + pending + self.rsh.as_ref().map_or(0, |rsh| rsh.pacer.bytes())
    }

    /// Returns the number of thinking lines dropped since the last call.
    pub(super) fn take_dropped(&mut self) -> u64 {
        let pending = self.link.as_mut().map_or(0, |link| link.take_dropped());
        self.output.take_dropped() + pending + self.rsh.as_mut().map_or(0, |rsh| rsh.pacer.take_dropped())
    }

    pub(super) fn drop_thinking(&mut self) {
        self.output.drop_thinking();
        if let Some(link) = &mut self.link {
            link.drop_thinking();
        }
    }

    /// Writes the last frame of its link, unless written already.
    pub(super) fn part(&mut self, parting: Parting) {
        if let Some(link) = &mut self.link {
            link.part(parting, &mut self.output, &self.input.lines);
        }
    }

    /// Returns the approximate memory of its buffers in bytes, and of a long game.
    pub(super) fn memory(&self) -> usize {
        let paced = self.rsh.as_ref().map_or(0, |rsh| rsh.pacer.bytes());
        let game = self.session.as_ref().map_or(0, Conversation::game_bytes).saturating_sub(FREE_GAME_BYTES);
        let linked = self.link.as_ref().map_or(0, |link| link.memory());
        self.output.memory() + paced + linked + self.input.lines.held() + self.stream.held() + game
    }

    /// Makes the system acknowledge input at once (TCP_QUICKACK). WinBoard sends a command in
    /// pieces, and its system holds each back until the previous one is acknowledged.
    pub(super) fn acknowledge_at_once(&self) {
        #[cfg(target_os = "linux")]
        if self.rsh.is_some()
            && let Err(error) = SockRef::from(&self.stream.socket).set_tcp_quickack(true)
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

    /// Returns true if nothing can be sent now.
    pub(super) fn is_written(&self) -> bool {
        self.output.is_empty() && self.stream.is_sent()
    }

    /// Returns true if nothing is left to send.
    pub(super) fn is_sent(&self) -> bool {
        self.is_written() && self.unsent() == 0
    }

    /// Takes the searches, which are to be stopped.
    pub(super) fn take_searches(&mut self) -> impl Iterator<Item = JobId> {
        let owner = self.owner;
        std::mem::take(&mut self.searches).into_iter().map(move |search| JobId { owner, search })
    }

    pub(super) fn user_name(&self) -> Option<&str> {
        self.user.as_ref().map(|user| user.name.as_str())
    }

    /// Returns the peer as a balancer, with the local port, which stands for a backend of the
    /// balancer.
    pub(super) fn balancer(&self) -> Balancer {
        let port = self.stream.socket.local_addr().map_or(0, |address| address.port());
        (self.peer.ip(), port)
    }

    /// Returns the session's name in the log.
    pub(super) fn name(&self) -> SessionName {
        SessionName { number: self.owner >> 32, peer: self.peer }
    }

    /// Logs that a client leaves without its proof, if it has the server's.
    pub(super) fn log_missing_proof(&self, metrics: &Metrics) {
        if self.login.as_ref().is_some_and(|login| login.has_server_proof()) {
            metrics.refused(self.peer, Refusal::NoProof, &"received the server's proof and sent none");
        }
    }

    pub(super) fn log_end(&self, metrics: &Metrics) {
        if let Some(session) = &self.session {
            metrics.ends(self.name(), self.since.elapsed(), self.close_reason, session.lag());
        }
    }

    pub(super) fn end_session(&mut self, observer: &mut Observer) {
        self.uncount(observer);
        self.log_end(observer);
        self.session = None;
    }

    /// Counts the session under its current labels, and what it has measured.
    pub(super) fn count(&mut self, observer: &mut Observer) {
        let Some(session) = &mut self.session else { return };
        let labels = SessionLabels::of(&self.policy, session.protocol());
        let before = self.counted.labels.replace(labels);
        if before != Some(labels) {
            let user = self.user.as_ref().map(|user| user.name.as_str());
            observer.session_changes(before, Some(labels), user);
        }
        observer.record(labels.protocol, session.take_measured());
    }

    pub(super) fn uncount(&mut self, observer: &mut Observer) {
        if let Some(labels) = self.counted.labels.take() {
            observer.session_changes(Some(labels), None, self.user_name());
        }
    }
}

/// Probes a client after `keepalive` of silence; drops it if sent data stays unacknowledged that
/// long. A client whose system responds may be silent without limit.
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
