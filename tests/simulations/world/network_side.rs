//! The network's effects on connections, and input of shims.

use super::{Event, KEEPALIVE, World, connection_id};
use crate::world::network::{Direction, Piece};
use crate::world::server::ConnectionId;
use farboard::shim::relay::{ConnectionEnd, Event as ShimEvent};

impl World {
    pub(super) fn send(&mut self, id: ConnectionId, direction: Direction, piece: Piece) {
        let now = self.events.now();
        let Some(connection) = self.connections.get_mut(&id) else { return };
        for at in connection.send(direction, piece, now, &mut self.dice) {
            self.events.at(at, Event::Arrives(id, direction));
        }
    }

    pub(super) fn arrive_at_shim(&mut self, id: ConnectionId) {
        let now = self.events.now();
        let Some(connection) = self.connections.get_mut(&id) else { return };
        if connection.is_silent {
            return;
        }
        let (client, server) = (connection.client, connection.server);
        let attempt = id - connection_id(client, 0);
        match connection.arrived(Direction::Down, now) {
            None => {}
            Some(Piece::Bytes(bytes)) => {
                if !bytes.is_empty() {
                    self.notify_shim(client, ShimEvent::Received(attempt, bytes));
                }
                self.flush(server, id);
            }
            Some(Piece::End) => self.close(client, attempt, ConnectionEnd::InOrder),
            Some(Piece::Reset) => {
                self.close(client, attempt, ConnectionEnd::Broken("connection reset by peer".to_owned()));
            }
        }
    }

    fn close(&mut self, client: usize, attempt: u64, end: ConnectionEnd) {
        if attempt == self.clients[client].attempt && self.clients[client].lost_since.is_none() {
            self.clients[client].lose(self.events.now());
        }
        self.notify_shim(client, ShimEvent::Closed(attempt, end));
    }

    /// Breaks a connection: each side notices, and bytes under way may be lost.
    pub(super) fn break_off(&mut self, id: ConnectionId) {
        let now = self.events.now();
        let Some(connection) = self.connections.get_mut(&id) else { return };
        let client = connection.client;
        let (up, down) = connection.break_off(now, &mut self.dice);
        self.events.at(up, Event::Arrives(id, Direction::Up));
        self.events.at(down, Event::Arrives(id, Direction::Down));
        if id == connection_id(client, self.clients[client].attempt) {
            self.clients[client].lose(now);
        }
    }

    pub(super) fn silence(&mut self, id: ConnectionId) {
        let now = self.events.now();
        let Some(connection) = self.connections.get_mut(&id) else { return };
        if std::mem::replace(&mut connection.is_silent, true) {
            return;
        }
        let client = connection.client;
        self.events.at(now + KEEPALIVE, Event::GivesUp(id));
        self.clients[client].lose(now);
    }

    /// Keepalive notices that a connection is silent.
    pub(super) fn give_up(&mut self, id: ConnectionId) {
        let Some(connection) = self.connections.remove(&id) else { return };
        let (client, server) = (connection.client, connection.server);
        let now = self.events.now();
        if let Some(process) = &mut self.servers[server].process {
            process.remove(id, &mut self.archive, &mut self.defects, now);
        }
        let attempt = id - connection_id(client, 0);
        self.close(client, attempt, ConnectionEnd::Broken("timed out".to_owned()));
    }
}
