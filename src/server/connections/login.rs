//! The login of a client: TLS, then the secret or the proof of a user. Before both a proxy may have to say whose connection it is
//! (`proxied`).
//!
//! It has a time limit, and nothing here searches or stores more than a line. A client that does not know what is asked for,
//! such as a GUI or netcat, is told in one line, the first that it gets.

use super::Connections;
use super::proxied::shows_header;
use crate::auth::User;
use crate::auth::handshake::HandshakeError;
use crate::protocol::framing::Frame;
use crate::protocol::http;
use crate::server::login::steps::{
    Login, LoginStep, error_reply, refusal, shim_command, user_of_certificate, wanted,
};
use crate::server::login::tls_handshakes::{FinishedStep, HandshakeStep};
use crate::server::observe::metrics::HandshakeLabel;
use crate::server::outcome::LimitReached;
use crate::server::outcome::Refusal;
use crate::session::http_refusal;
use std::io;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

impl Connections {
    /// Begins the login of a new_connection. If there are too many logins, another client loses its place.
    pub(super) fn begin_login(&mut self, slot: usize, login: Login, now: Instant) {
        let connection = &mut self.slots[slot];
        connection.login = Some(Box::new(login));
        let peer = connection.peer;
        self.timers.set(slot, Some(now + self.limits.login_timeout));
        let random = self.sessions.next_seed();
        if let Some(victim) = self.admission.pending_logins.add(slot, peer.ip(), random, now) {
            self.access_log.refused(self.slots[victim].peer, Refusal::Unproven, &LimitReached::Unproven);
            self.refuse_full(victim, LimitReached::Unproven, now);
        }
    }

    /// Hands a step of a TLS handshake to the thread beside the loop.
    pub(super) fn begin_step(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.slots[slot];
        let (owner, address) = (connection.owner, connection.peer.ip());
        let Some((tls, wanted)) = connection.stream.take_step() else { return };
        if let Err(owner) = self.handshakes.begin(HandshakeStep { owner, address, tls, wanted }) {
            self.end_busy(owner, now);
        }
    }

    /// Closes a connection whose handshake finds no place in the queue. Without TLS there is no way to tell the client why.
    fn end_busy(&mut self, owner: u64, now: Instant) {
        let slot = owner as u32 as usize;
        let Some(connection) = self.slots.get(slot).filter(|connection| connection.owner == owner) else {
            return;
        };
        self.metrics.handshakes.of(HandshakeLabel::Refused).add(1);
        self.access_log.refused(connection.peer, Refusal::Busy, &"too many TLS handshakes at once");
        self.close_refused(slot, now);
        self.flush(slot, now);
    }

    /// Goes on with the connections whose handshakes have advanced.
    pub(in crate::server) fn serve_handshakes(&mut self) {
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
                    self.metrics.handshakes.of(HandshakeLabel::Done).add(1);
                    self.admission.pending_logins.renew(slot, now);
                }
                self.mark_ready(slot);
                self.flush(slot, now);
            }
            Err(error) => {
                self.metrics.handshakes.of(HandshakeLabel::Failed).add(1);
                // TLS has an alert for it, which is worth a try.
                let _ = self.slots[slot].write(now);
                self.drop_broken(slot, &io::Error::new(io::ErrorKind::InvalidData, error));
            }
        }
    }

    /// Handles the login lines of a client. Lines after them are the session's.
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
            let next = match connection.lines.next_line() {
                Some(Frame::Line(line)) if http::is_request(line, is_stranger) => {
                    return self.refuse_http(slot, now);
                }
                Some(Frame::Line(line)) => {
                    let channel = connection.stream.channel();
                    login.hear(line, &connection.policy, channel, SystemTime::now())
                }
                Some(Frame::TooLong) => Err(HandshakeError::Malformed),
                // There is no session yet to interrupt.
                Some(Frame::Interrupt) => continue,
                None => return,
            };
            match next {
                Ok(LoginStep::Say(line)) => connection.output.push(&line, None),
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

    /// TLS is all that is asked for, or a certificate that was not shown.
    fn finish_without_handshake(&mut self, slot: usize, now: Instant) {
        let policy = &self.slots[slot].policy;
        if !policy.certificates {
            return self.finish_login(slot, None, now);
        }
        let error_reply = format!("this server asks for {}: {}", wanted(policy), shim_command(policy));
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

    fn finish_login(&mut self, slot: usize, user: Option<Arc<User>>, now: Instant) {
        self.admission.pending_logins.remove(slot);
        let connection = &mut self.slots[slot];
        connection.login = None;
        // Others may have taken the last place meanwhile.
        let address = connection.peer.ip();
        let allowed = self.admission.check_commands(address, user.as_deref(), now);
        match allowed.and_then(|()| self.admission.admit(address, slot, user.as_deref())) {
            Ok(()) => {
                if let Some(user) = &user {
                    connection.source = self.admission.sources.of_user(user);
                }
                connection.user = user;
                connection.counts_as_session = true;
                self.timers.set(slot, None);
                self.begin_session(slot, now);
            }
            Err(limit) => {
                self.access_log.refused(connection.peer, limit.into(), &limit);
                self.refuse_full(slot, limit, now);
            }
        }
    }

    /// Logs a refusal, tells the client, and closes.
    pub(super) fn refuse(&mut self, slot: usize, refusal: Refusal, error_reply: String, now: Instant) {
        self.access_log.refused(self.slots[slot].peer, refusal, &error_reply);
        self.send_refusal(slot, error_reply, now);
    }

    /// Refuses an HTTP request with an HTTP response.
    fn refuse_http(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.slots[slot];
        self.access_log.refused(connection.peer, Refusal::Http, &"a request of HTTP");
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
            // A health check may do without TLS, as it hears nothing that others may not hear.
            Some(Login::Probe) => return,
            Some(Login::Proxy(_) | Login::Keys(_)) => {}
        }
        if shows_header(connection.stream.socket()) {
            return self.refuse_stray_header(slot, now);
        }
        let error_reply = format!("this server asks for TLS: {}", shim_command(&connection.policy));
        self.refuse(slot, Refusal::NoTls, error_reply, now);
    }

    /// The input ended before the login was complete. The beginning of a line shows that the client waits for something.
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
        if connection.lines.held() == 0 {
            connection.log_missing_proof(&self.access_log);
            return self.close(slot, now);
        }
        let error_reply = format!(
            "this server asks for {}: {}",
            wanted(&connection.policy),
            shim_command(&connection.policy)
        );
        self.refuse(slot, Refusal::NoSecret, error_reply, now);
    }

    /// Refuses a client whose login takes too long.
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
            self.access_log.refused(connection.peer, Refusal::Late, &"it did not agree on TLS in time");
            return self.drop_broken(slot, &io::ErrorKind::TimedOut.into());
        }
        let error_reply = format!(
            "this server asks for {} at once: {}",
            wanted(&connection.policy),
            shim_command(&connection.policy)
        );
        self.refuse(slot, Refusal::Late, error_reply, now);
        self.flush(slot, now);
    }
}
