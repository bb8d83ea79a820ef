//! What a client must show before its session begins: that it speaks TLS, and that it knows the secret.
//!
//! It has some seconds for that, and nothing here searches or keeps more than a line. A client that does not know what
//! is asked of it, as a GUI or a netcat, is told in one line, the first it gets.

use super::ListenerPolicy;
use super::access_log::{self, Refusal};
use super::connections::Connections;
use super::session_limits::LimitReached;
use super::tls_handshakes::{FinishedStep, HandshakeStep};
use crate::keys::greeting::{GreetingError, Next, ServerGreeting};
use crate::keys::{NoRandomness, Nonce};
use crate::protocol::framing::Frame;
use crate::protocol::http;
use crate::session::http_refusal;
use std::io;
use std::time::{Duration, Instant};

/// How long a client of the program may take to show all that is asked of it: far longer than a shim does.
pub(super) const TIMEOUT: Duration = Duration::from_secs(10);

/// What is still to be shown.
pub(super) struct Login {
    /// Comes after TLS; `None` where no secret is asked for.
    greeting: Option<ServerGreeting>,
}

impl Login {
    /// Whether the client was told the server's proof, and has not answered.
    pub(super) fn has_server_proof(&self) -> bool {
        self.greeting.as_ref().is_some_and(|greeting| !greeting.is_of_stranger())
    }

    /// What is asked of those who come there; `None` if nothing is.
    ///
    /// # Errors
    /// There is no random number for a challenge.
    pub(super) fn new(policy: &ListenerPolicy) -> Result<Option<Login>, NoRandomness> {
        if policy.secret.is_none() && policy.tls.is_none() {
            return Ok(None);
        }
        let greeting = policy.secret.as_ref().map(|_| Nonce::random().map(ServerGreeting::new));
        Ok(Some(Login { greeting: greeting.transpose()? }))
    }
}

/// How to connect to this policy with the shim.
fn shim_command(policy: &ListenerPolicy) -> String {
    let tls = if policy.tls.is_some() { " --tls FILE" } else { "" };
    let secret = if policy.secret.is_some() { " --secret-file FILE" } else { "" };
    format!("connect with farboard-connect{tls}{secret} HOST")
}

/// What a client is told that has not shown what was asked of it.
fn complaint(error: &GreetingError, is_stranger: bool, policy: &ListenerPolicy) -> String {
    match error {
        GreetingError::Version => {
            "this server knows only version 1 of the greeting, farboard-connect another: update the older"
                .to_owned()
        }
        GreetingError::Proof => {
            "the secret is not the one of this server: compare the first lines of the files given \
                                 with --secret-file"
                .to_owned()
        }
        GreetingError::Malformed | GreetingError::Refused(_) if is_stranger => {
            format!("this server asks for a secret: {}", shim_command(policy))
        }
        GreetingError::Malformed | GreetingError::Refused(_) => {
            "this line is no proof of the secret".to_owned()
        }
    }
}

fn refusal(error: &GreetingError) -> Refusal {
    match error {
        GreetingError::Version => Refusal::OtherVersion,
        GreetingError::Proof => Refusal::WrongSecret,
        GreetingError::Malformed | GreetingError::Refused(_) => Refusal::NoSecret,
    }
}

impl Connections {
    /// Asks a newcomer what its policy asks.
    pub(super) fn begin_login(&mut self, slot: usize, login: Login, now: Instant) {
        let connection = &mut self.slots[slot];
        connection.login = Some(Box::new(login));
        let peer = connection.peer;
        self.timers.set(slot, Some(now + self.limits.login_timeout));
        let random = self.seed();
        if let Some(victim) = self.pending_logins.add(slot, peer.ip(), random, now) {
            access_log::refused(self.slots[victim].peer, Refusal::Unproven, &LimitReached::Unproven);
            self.refuse_full(victim, LimitReached::Unproven, now);
        }
    }

    /// Has a step of a TLS handshake taken beside the loop.
    pub(super) fn begin_step(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.slots[slot];
        let (owner, address) = (connection.owner, connection.peer.ip());
        let Some((tls, wanted)) = connection.stream.take_step() else { return };
        if let Err(owner) = self.handshakes.begin(HandshakeStep { owner, address, tls, wanted }) {
            self.end_busy(owner, now);
        }
    }

    /// There are too many handshakes at once for this one. There is no way to tell the client, but that it ends.
    fn end_busy(&mut self, owner: u64, now: Instant) {
        let slot = owner as u32 as usize;
        let Some(connection) = self.slots.get(slot).filter(|connection| connection.owner == owner) else {
            return;
        };
        access_log::refused(connection.peer, Refusal::Busy, &"too many TLS handshakes at once");
        self.close_refused(slot, now);
        self.flush(slot, now);
    }

    /// Goes on with those of whose handshake a step was taken.
    pub(super) fn serve_handshakes(&mut self) {
        while let Some(FinishedStep { owner, tls, outcome }) = self.handshakes.take() {
            let slot = owner as u32 as usize;
            let connection = self.slots.get_mut(slot);
            let Some(connection) = connection.filter(|connection| connection.owner == owner) else {
                continue;
            };
            connection.stream.put_back(tls);
            self.guard_slot(slot, |connections| connections.end_step(slot, outcome, Instant::now()));
        }
    }

    fn end_step(&mut self, slot: usize, outcome: Result<(), rustls::Error>, now: Instant) {
        match outcome {
            Ok(()) => {
                if !self.slots[slot].stream.is_handshaking() {
                    self.pending_logins.renew(slot, now);
                }
                self.mark_ready(slot);
                self.flush(slot, now);
            }
            Err(error) => {
                // TLS has a word for it, which is worth a try.
                let _ = self.slots[slot].write(now);
                self.drop_broken(slot, &io::Error::new(io::ErrorKind::InvalidData, error));
            }
        }
    }

    /// Takes what a client has shown so far. What it has said after that is the session's.
    pub(super) fn serve_login(&mut self, slot: usize, now: Instant) {
        while let Some(connection) = self.slots.get_mut(slot)
            && let Some(login) = &mut connection.login
            && !connection.stream.is_handshaking()
        {
            let (Some(greeting), Some(secret)) = (&mut login.greeting, &connection.policy.secret) else {
                return self.finish_login(slot, now);
            };
            let is_stranger = greeting.is_of_stranger();
            let next = match connection.lines.next_line() {
                Some(Frame::Line(line)) if http::is_request(line, is_stranger) => {
                    return self.refuse_http(slot, now);
                }
                Some(Frame::Line(line)) => greeting.hear(line, secret),
                Some(Frame::TooLong) => Err(GreetingError::Malformed),
                // There is no session yet whose input it could want looked at.
                Some(Frame::Interrupt) => continue,
                None => return,
            };
            match next {
                Ok(Next::Say(line)) => connection.output.push(&line, None),
                Ok(Next::Begin(line)) => {
                    connection.output.push(line, None);
                    self.finish_login(slot, now);
                }
                Err(error) => {
                    let complaint = complaint(&error, is_stranger, &connection.policy);
                    self.refuse(slot, refusal(&error), complaint, now);
                }
            }
        }
    }

    fn finish_login(&mut self, slot: usize, now: Instant) {
        self.pending_logins.remove(slot);
        let connection = &mut self.slots[slot];
        connection.login = None;
        // Others may have taken the last place meanwhile.
        let peer = connection.peer.ip();
        match self.session_limits.admit(peer, self.sources.max_sessions_of(peer)) {
            Ok(()) => {
                connection.counts_as_session = true;
                self.timers.set(slot, None);
                self.begin_session(slot, now);
            }
            Err(full) => {
                access_log::refused(connection.peer, full.into(), &full);
                self.refuse_full(slot, full, now);
            }
        }
    }

    /// Tells a client in a line why its session does not begin, and closes.
    fn refuse(&mut self, slot: usize, refusal: Refusal, complaint: String, now: Instant) {
        access_log::refused(self.slots[slot].peer, refusal, &complaint);
        self.send_refusal(slot, complaint, now);
    }

    /// Tells a client of HTTP in its own way that it has come to the wrong place, and closes.
    fn refuse_http(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.slots[slot];
        access_log::refused(connection.peer, Refusal::Http, &"a request of HTTP");
        http_refusal().for_each(|line| connection.output.push(&line.text, None));
        self.close_refused(slot, now);
    }

    /// A client speaks plainly where TLS is asked for: it is told so, as plainly.
    pub(super) fn refuse_plain_text(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.slots[slot];
        connection.stream.drop_tls();
        if connection.is_closing() {
            // It was told already why it is turned away.
            return;
        }
        let complaint = format!("this server asks for TLS: {}", shim_command(&connection.policy));
        self.refuse(slot, Refusal::NoTls, complaint, now);
    }

    /// A client has sent its last before it was let in. The beginning of a line shows that it waits for something.
    pub(super) fn refuse_end(&mut self, slot: usize, now: Instant) {
        let connection = &self.slots[slot];
        if connection.lines.held() == 0 {
            connection.log_missing_proof();
            return self.close(slot, now);
        }
        let complaint = format!("this server asks for a secret: {}", shim_command(&connection.policy));
        self.refuse(slot, Refusal::NoSecret, complaint, now);
    }

    /// The time is over in which a client could show what is asked of it.
    pub(super) fn close_late(&mut self, slot: usize, now: Instant) {
        let connection = &self.slots[slot];
        if connection.stream.is_handshaking() {
            access_log::refused(connection.peer, Refusal::Late, &"it did not agree on TLS in time");
            return self.drop_broken(slot, &io::ErrorKind::TimedOut.into());
        }
        let complaint =
            format!("this server asks for a secret at once: {}", shim_command(&connection.policy));
        self.refuse(slot, Refusal::Late, complaint, now);
        self.flush(slot, now);
    }
}
