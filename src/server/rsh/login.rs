//! The login of a remote shell client, from accept to session.
//!
//! WinBoard's window is frozen until the signal channel is connected, and shows only later output.
//! So the server connects back to refused clients too, and sends nothing before, except to clients
//! of another protocol.

use super::handshake::Handshake;
use super::{RshClient, SIGNAL_CHANNELS, SignalChannel, command, signal_channel};
use crate::server::admission::address_block;
use crate::server::connections::Connections;
use crate::server::listen::descriptors::Headroom;
use crate::server::outcome::{LimitReached, Refusal};
use mio::{Interest, Token};
use std::fmt::Display;
use std::io;
use std::time::{Duration, Instant};

const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// Time limit of the connection back. Without a firewall in between it takes milliseconds.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Sent to refused clients after the reason. Before an engine has introduced itself, GUIs show
/// nothing of its output but messages, and react to lines with one of six strings, of which this is
/// one: they give the engine up, quietly after a message. Without it they would wait, and later
/// complain of silence. A genuine client passes both lines on, while not every one shows the text
/// of the protocol's own error.
const PERMISSION_DENIED: &str = "Permission denied\n";

impl Connections {
    /// Begins the handshake; `full`: the limit for which the client will be refused.
    pub(in crate::server) fn begin_rsh_login(
        &mut self,
        slot: usize,
        full: Option<LimitReached>,
        now: Instant,
    ) {
        let connection = &mut self.slots[slot];
        connection.rsh =
            Some(Box::new(RshClient { login: Some(Handshake::default()), full, ..RshClient::default() }));
        connection.acknowledge_at_once();
        self.timers.main.set(slot, Some(now + HANDSHAKE_TIMEOUT));
    }

    /// Takes `count` bytes of the input buffer from a client without a session.
    pub(in crate::server) fn take_handshake(&mut self, slot: usize, count: usize, now: Instant) {
        let connection = &mut self.slots[slot];
        let Some(rsh) = &mut connection.rsh else { return };
        let Some(handshake) = &mut rsh.login else { return };
        let bytes = &self.input.buffer[..count];
        match handshake.push(bytes) {
            Ok(taken) => connection.input.lines.push(&bytes[taken..]),
            Err(error) => return self.refuse_rsh(slot, Refusal::Shell, &error, now),
        }
        match (handshake.port(), &rsh.signal_channel) {
            (Some(Some(port)), SignalChannel::Unknown) => self.connect_back(slot, port, now),
            (Some(None), SignalChannel::Unknown) => {
                rsh.signal_channel = SignalChannel::None;
                self.open_if_complete(slot, now);
            }
            _ => self.open_if_complete(slot, now),
        }
    }

    fn connect_back(&mut self, slot: usize, port: u16, now: Instant) {
        let connection = &self.slots[slot];
        let mut there = connection.peer;
        there.set_port(port);
        let here = connection.stream.socket.local_addr().map(|here| here.ip());
        let begun = here.and_then(|here| signal_channel::connect(here, there, connection.policy.status_byte));
        let begun = begun.and_then(|mut stream| {
            let interest = Interest::READABLE | Interest::WRITABLE;
            self.slots.register(&mut stream, Token(SIGNAL_CHANNELS.0 + slot), interest)?;
            Ok(stream)
        });
        let Some(rsh) = &mut self.slots[slot].rsh else { return };
        match begun {
            Ok(stream) => {
                match Headroom::beside(&stream) {
                    Headroom::Plenty => {}
                    Headroom::Reserve => {
                        rsh.full.get_or_insert(LimitReached::Descriptors);
                    }
                    Headroom::Last => {
                        drop(stream);
                        return self.refuse_rsh(slot, Refusal::Full, &LimitReached::Descriptors, now);
                    }
                }
                rsh.signal_channel = SignalChannel::Connecting(stream, port);
                self.timers.main.set(slot, Some(now + CONNECT_TIMEOUT));
            }
            Err(error) => self.cannot_connect_back(slot, port, &error, now),
        }
    }

    /// Handles an event of the signal channel: connected, failed, or input.
    pub(in crate::server) fn note_signal_channel(&mut self, slot: usize) {
        let now = Instant::now();
        let Some(rsh) = self.slots.get_mut(slot).and_then(|connection| connection.rsh.as_mut()) else {
            return;
        };
        let SignalChannel::Connecting(stream, port) = &rsh.signal_channel else {
            return self.take_signals(slot, now);
        };
        match (signal_channel::is_open(stream), *port) {
            (Ok(false), _) => {}
            (Ok(true), _) => {
                if let SignalChannel::Connecting(stream, _) = std::mem::take(&mut rsh.signal_channel) {
                    rsh.signal_channel = SignalChannel::Open(stream);
                }
                self.timers.main.set(slot, Some(now + HANDSHAKE_TIMEOUT));
                self.open_if_complete(slot, now);
                self.take_signals(slot, now);
                self.mark_ready(slot);
            }
            (Err(error), port) => {
                self.cannot_connect_back(slot, port, &error, now);
                self.flush(slot, now);
            }
        }
    }

    /// Opens the session once the handshake and the signal channel are complete.
    fn open_if_complete(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.slots[slot];
        let Some(rsh) = &mut connection.rsh else { return };
        let Some(handshake) = rsh.login.as_ref().filter(|handshake| handshake.is_complete()) else {
            return;
        };
        if matches!(rsh.signal_channel, SignalChannel::Unknown | SignalChannel::Connecting(..)) {
            return;
        }
        let forbidden = self.admission.check_commands(connection.peer.ip(), None, now).err();
        if let Some(full) = rsh.full.take().or(forbidden) {
            return self.refuse_rsh(slot, full.into(), &full, now);
        }
        let ((user, remote_user), command) = (handshake.users(), handshake.command());
        let peer = connection.peer;
        log::info!(from:% = address_block(peer.ip()); "{peer}: {user:?} as {remote_user:?} requests {command:?}");
        let default = self.sessions.profile_of(&connection.policy);
        match command::profile(&command, default, &self.sessions.named) {
            Ok(profile) => {
                rsh.login = None;
                if connection.policy.status_byte {
                    connection.output.push("\0", None);
                    rsh.pacer.wrote(now);
                }
                self.timers.main.set(slot, None);
                self.open_session(slot, profile, now);
                self.flush(slot, now);
            }
            Err(error) => self.refuse_rsh(slot, Refusal::Shell, &error, now),
        }
    }

    /// Refuses a client whose handshake or connection back takes too long.
    pub(in crate::server) fn time_out_rsh_login(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.slots[slot];
        match connection.rsh.as_ref().map(|rsh| &rsh.signal_channel) {
            Some(SignalChannel::Connecting(_, port)) => {
                let port = *port;
                self.cannot_connect_back(slot, port, &io::ErrorKind::TimedOut.into(), now);
            }
            _ => {
                self.refuse_rsh(slot, Refusal::Late, &"the request was not complete in time", now);
            }
        }
        self.flush(slot, now);
    }

    fn cannot_connect_back(&mut self, slot: usize, port: u16, error: &io::Error, now: Instant) {
        let why = if error.kind() == io::ErrorKind::PermissionDenied {
            "the server lacks the privilege to connect from a port below 1024 (CAP_NET_BIND_SERVICE), as status_byte \
             = true requires"
                .to_owned()
        } else {
            format!(
                "the server cannot connect back to port {port} of the client: {error}. A firewall or an address \
                 translation may be in the way; farboard-connect needs no connection back"
            )
        };
        self.refuse_rsh(slot, Refusal::Shell, &why, now);
    }

    /// Refuses a client so that its GUI shows the reason, and closes.
    fn refuse_rsh(&mut self, slot: usize, refusal: Refusal, why: &impl Display, now: Instant) {
        let connection = &mut self.slots[slot];
        self.observer.refused(connection.peer, refusal, why);
        if connection.policy.status_byte {
            connection.output.push("\0", None);
        }
        if let Some(rsh) = &mut connection.rsh {
            rsh.login = None;
            rsh.pacer.wrote(now);
            let refusal_line = connection.policy.protocol.refusal(&why.to_string());
            [refusal_line.text, PERMISSION_DENIED.to_owned()]
                .into_iter()
                .for_each(|line| rsh.pacer.push(line, None));
        }
        self.close(slot, now);
    }
}
