//! From the accept to the session.
//!
//! WinBoard's window is frozen until the connection back is there, and shows only what is said after that. So even who is
//! turned away is connected to first. Nothing is said before, but to those who are no clients of a remote shell at all.

use super::handshake::Handshake;
use super::{BACK, Back, Visit, back, command};
use crate::server::access_log::{self, Refusal};
use crate::server::census::Full;
use crate::server::descriptors::Room;
use crate::server::network::network_of;
use crate::server::tenants::Tenants;
use mio::{Interest, Token};
use std::fmt::Display;
use std::io;
use std::time::{Duration, Instant};

/// For what a client says first.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// For the connection back to it. In a network without a firewall in between it takes milliseconds.
const CONNECT: Duration = Duration::from_secs(5);

/// What a remote shell says besides to those that it turns away. GUIs show nothing of what an engine says before it has
/// introduced itself, but for messages and what has one of six strings in it. On the latter they give the engine up,
/// quietly if a message came before; without it they would wait, and later complain of its silence. A genuine client
/// passes both on, while of the error that its protocol has for this not every one shows the text.
const DENIED: &str = "Permission denied\n";

impl Tenants {
    /// Begins to listen to what a newcomer asks for; `full` is why it will not get it.
    pub(in crate::server) fn begin_visit(&mut self, slot: usize, full: Option<Full>, now: Instant) {
        let connection = &mut self.connections[slot];
        connection.visit =
            Some(Box::new(Visit { arriving: Some(Handshake::default()), full, ..Visit::default() }));
        connection.hasten();
        self.timers.set(slot, Some(now + HANDSHAKE));
    }

    /// Takes so many bytes of the buffer from a client that has no session yet.
    pub(in crate::server) fn take_handshake(&mut self, slot: usize, count: usize, now: Instant) {
        let connection = &mut self.connections[slot];
        let Some(visit) = &mut connection.visit else { return };
        let Some(handshake) = &mut visit.arriving else { return };
        let bytes = &self.buffer[..count];
        match handshake.push(bytes) {
            Ok(taken) => connection.lines.push(&bytes[taken..]),
            Err(error) => return self.turn_away(slot, Refusal::Shell, &error, now),
        }
        match (handshake.port(), &visit.back) {
            (Some(Some(port)), Back::Unknown) => self.connect_back(slot, port, now),
            (Some(None), Back::Unknown) => {
                visit.back = Back::None;
                self.open_if_arrived(slot, now);
            }
            _ => self.open_if_arrived(slot, now),
        }
    }

    fn connect_back(&mut self, slot: usize, port: u16, now: Instant) {
        let connection = &mut self.connections[slot];
        let Some(visit) = &mut connection.visit else { return };
        let mut there = connection.peer;
        there.set_port(port);
        let here = connection.wire.socket().local_addr().map(|here| here.ip());
        let begun = here.and_then(|here| back::connect(here, there, connection.door.status_byte));
        let begun = begun.and_then(|mut stream| {
            let interest = Interest::READABLE | Interest::WRITABLE;
            self.registry.register(&mut stream, Token(BACK.0 + slot), interest)?;
            Ok(stream)
        });
        match begun {
            Ok(stream) => {
                match Room::beside(&stream) {
                    Room::Plenty => {}
                    Room::Reserve => {
                        visit.full.get_or_insert(Full::Descriptors);
                    }
                    Room::Last => {
                        drop(stream);
                        return self.turn_away(slot, Refusal::Full, &Full::Descriptors, now);
                    }
                }
                visit.back = Back::Connecting(stream, port);
                self.timers.set(slot, Some(now + CONNECT));
            }
            Err(error) => self.cannot_connect_back(slot, port, &error, now),
        }
    }

    /// Something has come through the connection back, or it stands, or it failed.
    pub(in crate::server) fn note_back(&mut self, slot: usize) {
        let now = Instant::now();
        let Some(visit) = self.connections.get_mut(slot).and_then(|connection| connection.visit.as_mut())
        else {
            return;
        };
        let Back::Connecting(stream, port) = &visit.back else { return self.take_signals(slot, now) };
        match (back::is_open(stream), *port) {
            (Ok(false), _) => {}
            (Ok(true), _) => {
                if let Back::Connecting(stream, _) = std::mem::take(&mut visit.back) {
                    visit.back = Back::Open(stream);
                }
                self.timers.set(slot, Some(now + HANDSHAKE));
                self.open_if_arrived(slot, now);
                self.take_signals(slot, now);
                self.list(slot);
            }
            (Err(error), port) => {
                self.cannot_connect_back(slot, port, &error, now);
                self.settle(slot, now);
            }
        }
    }

    /// Opens the session if all that it needs is there.
    fn open_if_arrived(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.connections[slot];
        let Some(visit) = &mut connection.visit else { return };
        let Some(handshake) = visit.arriving.as_ref().filter(|handshake| handshake.is_complete()) else {
            return;
        };
        if matches!(visit.back, Back::Unknown | Back::Connecting(..)) {
            return;
        }
        if let Some(full) = visit.full.take() {
            return self.turn_away(slot, full.into(), &full, now);
        }
        let ((user, remote_user), command) = (handshake.users(), handshake.command());
        let peer = connection.peer;
        log::info!(from:% = network_of(peer.ip()); "{peer}: {user:?} as {remote_user:?} asks for {command:?}");
        let default = self.profiles.of(&connection.door);
        match command::profile(&command, default, &self.profiles.named) {
            Ok(profile) => {
                visit.arriving = None;
                if connection.door.status_byte {
                    connection.output.push("\0", None);
                    visit.pace.wrote(now);
                }
                self.timers.set(slot, None);
                self.open_session(slot, profile, now);
                self.settle(slot, now);
            }
            Err(error) => self.turn_away(slot, Refusal::Shell, &error, now),
        }
    }

    /// The time for what was to come next is over.
    pub(in crate::server) fn end_arrival(&mut self, slot: usize, now: Instant) {
        let connection = &mut self.connections[slot];
        match connection.visit.as_ref().map(|visit| &visit.back) {
            Some(Back::Connecting(_, port)) => {
                let port = *port;
                self.cannot_connect_back(slot, port, &io::ErrorKind::TimedOut.into(), now);
            }
            _ => {
                self.turn_away(slot, Refusal::Late, &"the server was not told in time what is wanted", now);
            }
        }
        self.settle(slot, now);
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
        self.turn_away(slot, Refusal::Shell, &why, now);
    }

    /// Says why there will be no session, so that the GUI shows it, and ends the connection.
    fn turn_away(&mut self, slot: usize, refusal: Refusal, why: &impl Display, now: Instant) {
        let connection = &mut self.connections[slot];
        access_log::refused(connection.peer, refusal, why);
        if connection.door.status_byte {
            connection.output.push("\0", None);
        }
        if let Some(visit) = &mut connection.visit {
            visit.arriving = None;
            visit.pace.wrote(now);
            let told = connection.door.protocol.refusal(&why.to_string());
            [told.text, DENIED.to_owned()].into_iter().for_each(|line| visit.pace.push(line, None));
        }
        self.close(slot, now);
    }
}
