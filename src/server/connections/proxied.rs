//! Connections made by a proxy: its header precedes everything else, even TLS. From then on the
//! connection is the client's, for lists, limits, shares and the log.
//!
//! A connection of the proxy itself is a health check. It is answered without a session, a secret
//! or a log line.

use super::Connections;
use crate::protocol::framing::Frame;
use crate::protocol::probe;
use crate::protocol::proxy::{Header, HeaderError, Opening};
use crate::server::ListenerPolicy;
use crate::server::connection::ClientSocket;
use crate::server::connection::nonblocking;
use crate::server::event_loop::input_turns::TurnBudget;
use crate::server::login::steps::Login;
use crate::server::outcome::Refusal;
use std::io::{self, Read};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

/// Bytes needed to recognize a header.
const BEGINNING: usize = 12;

impl Connections {
    /// Reads a part of the header, and nothing behind it. Returns false if nothing has arrived.
    pub(super) fn read_header(&mut self, slot: usize, turn: &mut TurnBudget) -> io::Result<bool> {
        let connection = &mut self.slots[slot];
        let buffer = &mut self.input.buffer[..turn.bytes];
        let socket = &mut connection.stream.socket;
        let Some(seen) = nonblocking(|| socket.peek(buffer))? else { return Ok(false) };
        let Some(Login::Proxy(reader)) = connection.login.as_deref_mut() else { return Ok(true) };
        if seen == 0 {
            connection.input.eof = true;
            connection.check()?;
            self.handle_end_of_input(slot, turn.now);
            return Ok(false);
        }
        match reader.push(&buffer[..seen]) {
            Ok(taken) => {
                let header = reader.header();
                // The bytes were just peeked.
                socket.read_exact(&mut buffer[..taken])?;
                turn.bytes -= taken;
                if let Some(header) = header {
                    self.take_header(slot, header, turn.now);
                }
            }
            Err(error) => self.refuse_header(slot, error, turn.now),
        }
        Ok(true)
    }

    /// Continues with the client named by the proxy.
    fn take_header(&mut self, slot: usize, header: Header, now: Instant) {
        let connection = &mut self.slots[slot];
        let proxy = connection.balancer();
        match header {
            Header::Local => {
                // It keeps the time limit of a login.
                connection.login = Some(Box::new(Login::Probe));
                self.admission.pending_logins.remove(slot);
                return self.take_probe_permit(slot, now);
            }
            Header::Unknown => {}
            Header::Client(address) => {
                log::debug!("{}: connected for {address}", connection.peer);
                connection.peer = address;
                connection.source = self.admission.sources.of(address.ip(), connection.owner);
            }
        }
        connection.login = None;
        connection.proxied.balancer = Some(proxy);
        let (peer, policy) = (connection.peer, Arc::clone(&connection.policy));
        self.admission.pending_logins.remove(slot);
        self.timers.main.set(slot, None);
        if !policy.admits(peer.ip()) {
            self.observer.refused(peer, Refusal::NotAllowed, &"the address is not in the allow list");
            return self.remove(slot);
        }
        match self.admission.check(peer.ip(), policy.knows_users(), now) {
            Ok(()) => self.begin(slot, &policy, now),
            Err(limit) => {
                self.observer.refused(peer, limit.into(), &limit);
                self.refuse_full(slot, limit, now);
            }
        }
    }

    fn refuse_header(&mut self, slot: usize, error: HeaderError, now: Instant) {
        let error_reply = match error {
            HeaderError::Missing => missing(self.slots[slot].peer.ip()),
            error => format!("the PROXY header of this connection is invalid: {error}"),
        };
        self.refuse_in_plain_text(slot, error_reply, now);
    }

    /// Handles an end of input before the header is complete. A client without input only probed.
    pub(super) fn end_without_header(&mut self, slot: usize, has_begun: bool, now: Instant) {
        if !has_begun {
            return self.close(slot, now);
        }
        self.refuse_in_plain_text(slot, "the PROXY header of this connection is incomplete".to_owned(), now);
    }

    pub(super) fn time_out_header(&mut self, slot: usize, now: Instant) {
        let error_reply = missing(self.slots[slot].peer.ip());
        self.refuse_in_plain_text(slot, error_reply, now);
        self.flush(slot, now);
    }

    /// Refuses a client that sends a header although it is not a configured proxy.
    pub(super) fn refuse_stray_header(&mut self, slot: usize, now: Instant) {
        let connection = &self.slots[slot];
        let error_reply = stray(connection.peer.ip(), &connection.policy);
        self.refuse_in_plain_text(slot, error_reply, now);
    }

    fn refuse_in_plain_text(&mut self, slot: usize, error_reply: String, now: Instant) {
        let stream = &mut self.slots[slot].stream;
        if stream.is_handshaking() {
            stream.drop_tls();
        }
        self.refuse(slot, Refusal::Proxy, error_reply, now);
    }

    pub(super) fn serve_probe(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.slots[slot];
        let mut share = None;
        while let Some(frame) = connection.input.lines.next_line() {
            let Frame::Line(line) = frame else { continue };
            share = probe::share(line).or(share);
            if let Some(answer) = probe::answer(line) {
                connection.output.push(&answer.text, None);
            }
        }
        if let Some(share) = share {
            let balancer = self.slots[slot].balancer();
            self.ask_to_share(balancer, share, now);
        }
    }
}

fn missing(proxy: IpAddr) -> String {
    format!(
        "connections from {proxy} must begin with a PROXY header because the listener's setting proxy names it: let the proxy send one \
         (HAProxy: send-proxy-v2), or remove its address from that setting"
    )
}

fn stray(client: IpAddr, policy: &ListenerPolicy) -> String {
    let others = if policy.proxy.is_empty() { "no proxies" } else { "other proxies" };
    format!(
        "a PROXY header from {client} is not accepted: the listener's setting proxy names {others}. Add the address there \
         (proxy = [\"{client}\"]), or let the proxy send none"
    )
}

/// Returns true if the bytes waiting in a socket begin like a header.
pub(super) fn shows_header(socket: &ClientSocket) -> bool {
    let mut beginning = [0; BEGINNING];
    let seen = socket.peek(&mut beginning).unwrap_or(0);
    Opening::default().shows_header(&beginning[..seen])
}
