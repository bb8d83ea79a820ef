//! The login of a client: TLS, then the secret or the proof of a user. Behind a proxy, its header
//! comes first (`proxied`).
//!
//! It has a time limit, and no search and no storage beyond a line. A client that cannot log in,
//! such as a GUI or netcat, gets the reason in one line, its first.

use super::Connections;
use super::proxied::shows_header;
use crate::auth::User;
use crate::auth::handshake::HandshakeError;
use crate::protocol::framing::Frame;
use crate::protocol::http;
use crate::server::login::steps::{
    Login, LoginStep, demand, error_reply, refusal, requirement, user_of_certificate,
};
use crate::server::login::tls_handshakes::{FinishedStep, HandshakeStep};
use crate::server::observe::metrics::HandshakeLabel;
use crate::server::outcome::{LimitReached, Refusal};
use crate::server::searches::slot_of;
use crate::session::http_refusal;
use std::io;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

impl Connections {
    /// Begins a login. If there are too many, another client loses its permit.
    pub(super) fn begin_login(&mut self, slot: usize, login: Login, now: Instant) {
        let connection = &mut self.slots[slot];
        connection.login = Some(Box::new(login));
        let peer = connection.peer;
        self.timers.main.set(slot, Some(now + self.limits.login_timeout));
        let random = self.sessions.next_seed();
        if let Some(victim) = self.admission.pending_logins.add(slot, peer.ip(), random, now) {
            self.observer.refused(self.slots[victim].peer, Refusal::Unproven, &LimitReached::Unproven);
            self.refuse_full(victim, LimitReached::Unproven, now);
        }
    }

    /// Hands a step of a TLS handshake to the handshake thread.
    pub(super) fn begin_step(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.slots[slot];
        let (owner, address) = (connection.owner, connection.peer.ip());
        let Some((tls, wanted)) = connection.stream.take_step() else { return };
        if let Err(owner) = self.handshakes.begin(HandshakeStep { owner, address, tls, wanted }) {
            self.end_busy(owner, now);
        }
    }

    /// Closes a connection whose handshake does not fit in the queue. The client gets no reason.
    fn end_busy(&mut self, owner: u64, now: Instant) {
        let slot = slot_of(owner);
        let Some(connection) = self.slots.of_owner(owner) else { return };
        self.observer.counts.handshakes.of(HandshakeLabel::Refused).add(1);
        self.observer.refused(connection.peer, Refusal::Busy, &"too many TLS handshakes at once");
        self.close_refused(slot, now);
        self.flush(slot, now);
    }

    /// Continues the connections whose handshakes have advanced.
    pub(in crate::server) fn serve_handshakes(&mut self) {
        while let Some(FinishedStep { owner, tls, outcome }) = self.handshakes.take() {
            let slot = slot_of(owner);
            let Some(connection) = self.slots.of_owner(owner) else { continue };
            connection.stream.put_back(tls);
            self.guard_slot(slot, |connections| connections.end_step(slot, outcome, Instant::now()));
        }
    }

    fn end_step(&mut self, slot: usize, outcome: Result<(), rustls::Error>, now: Instant) {
        match outcome {
            Ok(()) => {
                if !self.slots[slot].stream.is_handshaking() {
                    self.observer.counts.handshakes.of(HandshakeLabel::Done).add(1);
                    self.admission.pending_logins.renew(slot, now);
                }
                self.mark_ready(slot);
                self.flush(slot, now);
            }
            Err(error) => {
                self.observer.counts.handshakes.of(HandshakeLabel::Failed).add(1);
                // Try to send the TLS alert.
                let _ = self.slots[slot].write(now);
                self.drop_broken(slot, &io::Error::new(io::ErrorKind::InvalidData, error));
            }
        }
    }

    /// Handles the login lines of a client. Lines after them belong to the session.
    pub(super) fn serve_login(&mut self, slot: usize, now: Instant) {
        while let Some(connection) = self.slots.get_mut(slot)
            && let Some(login) = &mut connection.login
            && !connection.stream.is_handshaking()
        {
            let login = match login.as_mut() {
                Login::Proxy(_) => return,
                Login::Probe => return self.serve_probe(slot, now),
                Login::Keys(login) => login,
            };
            if let Some(names) = Some(&connection.stream)
                .filter(|_| connection.policy.certificates)
                .and_then(|stream| stream.certificate_names())
            {
                return self.finish_with_certificate(slot, &names, now);
            }
            if !login.has_handshake() {
                return self.finish_without_handshake(slot, now);
            }
            let is_stranger = login.is_from_stranger();
            let next = match connection.input.lines.next_line() {
                Some(Frame::Line(line)) if http::is_request(line, is_stranger) => {
                    return self.refuse_http(slot, now);
                }
                Some(Frame::Line(line)) => {
                    let channel = connection.stream.channel();
                    login.handle_line(line, &connection.policy, channel, SystemTime::now())
                }
                Some(Frame::TooLong) => Err(HandshakeError::Malformed),
                // There is no session yet to interrupt.
                Some(Frame::Interrupt) => continue,
                None => return,
            };
            match next {
                Ok(LoginStep::Send(line)) => connection.output.push(&line, None),
                Ok(LoginStep::Begin(line, user)) => {
                    connection.output.push(line, None);
                    self.finish_login(slot, user, now);
                }
                Err(error) => {
                    let error_reply = error_reply(&error, is_stranger, &connection.policy);
                    self.refuse(slot, refusal(&error), error_reply, now);
                }
            }
        }
    }

    /// Completes a login that requires only TLS, or refuses a missing certificate.
    fn finish_without_handshake(&mut self, slot: usize, now: Instant) {
        let policy = &self.slots[slot].policy;
        if !policy.certificates {
            return self.finish_login(slot, None, now);
        }
        let error_reply = demand(requirement(policy), policy);
        self.refuse(slot, Refusal::NoCertificate, error_reply, now);
    }

    fn finish_with_certificate(&mut self, slot: usize, names: &[String], now: Instant) {
        match user_of_certificate(names, &self.slots[slot].policy, SystemTime::now()) {
            Ok(user) => self.finish_login(slot, Some(user), now),
            Err(error) => {
                let error_reply = format!("{error} (the certificate names {})", names.join(", "));
                self.refuse(slot, refusal(&error), error_reply, now);
            }
        }
    }

    pub(super) fn finish_login(&mut self, slot: usize, user: Option<Arc<User>>, now: Instant) {
        self.admission.pending_logins.remove(slot);
        let connection = &mut self.slots[slot];
        connection.login = None;
        // Other clients may have taken the last session slot meanwhile.
        let address = connection.peer.ip();
        let allowed = self.admission.check_commands(address, user.as_deref(), now);
        match allowed.and_then(|()| self.admission.admit(address, slot, user.as_deref())) {
            Ok(()) => {
                if let Some(user) = &user {
                    connection.source = self.admission.sources.of_user(user);
                }
                connection.user = user;
                connection.counted.as_session = true;
                self.timers.main.set(slot, None);
                self.begin_session(slot, now);
            }
            Err(limit) => {
                self.observer.refused(connection.peer, limit.into(), &limit);
                self.refuse_full(slot, limit, now);
            }
        }
    }

    /// Logs a refusal, sends it to the client, and closes.
    pub(super) fn refuse(&mut self, slot: usize, refusal: Refusal, error_reply: String, now: Instant) {
        self.observer.refused(self.slots[slot].peer, refusal, &error_reply);
        self.send_refusal(slot, error_reply, now);
    }

    fn refuse_http(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.slots[slot];
        self.observer.refused(connection.peer, Refusal::Http, &"an HTTP request");
        http_refusal().for_each(|line| connection.output.push(&line.text, None));
        self.close_refused(slot, now);
    }

    /// Refuses a client that sends plain text where TLS is required, in plain text.
    pub(super) fn refuse_plain_text(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.slots[slot];
        connection.stream.drop_tls();
        match connection.login.as_deref() {
            // It has been refused already.
            None => return,
            // Health checks may do without TLS: the response is not confidential.
            Some(Login::Probe) => return,
            Some(Login::Proxy(_) | Login::Keys(_)) => {}
        }
        if shows_header(&connection.stream.socket) {
            return self.refuse_stray_header(slot, now);
        }
        let error_reply = demand("TLS", &connection.policy);
        self.refuse(slot, Refusal::NoTls, error_reply, now);
    }

    /// Handles an end of input during the login. A client that has begun a line waits for a reply.
    pub(super) fn refuse_end(&mut self, slot: usize, now: Instant) {
        let connection = &self.slots[slot];
        match connection.login.as_deref() {
            Some(Login::Probe) => return self.close(slot, now),
            Some(Login::Proxy(reader)) => {
                let has_begun = reader.has_begun();
                return self.end_without_header(slot, has_begun, now);
            }
            Some(Login::Keys(_)) | None => {}
        }
        if connection.input.lines.held() == 0 {
            connection.log_missing_proof(&self.observer);
            return self.close(slot, now);
        }
        let error_reply = demand(requirement(&connection.policy), &connection.policy);
        self.refuse(slot, Refusal::NoSecret, error_reply, now);
    }

    pub(super) fn time_out_login(&mut self, slot: usize, now: Instant) {
        let connection = &self.slots[slot];
        match connection.login.as_deref() {
            Some(Login::Probe) => {
                self.close(slot, now);
                return self.flush(slot, now);
            }
            Some(Login::Proxy(_)) => return self.time_out_header(slot, now),
            Some(Login::Keys(_)) | None => {}
        }
        if connection.stream.is_handshaking() {
            self.observer.refused(connection.peer, Refusal::Late, &"no TLS handshake in time");
            return self.drop_broken(slot, &io::ErrorKind::TimedOut.into());
        }
        let what = format!("{} at once", requirement(&connection.policy));
        let error_reply = demand(&what, &connection.policy);
        self.refuse(slot, Refusal::Late, error_reply, now);
        self.flush(slot, now);
    }
}
