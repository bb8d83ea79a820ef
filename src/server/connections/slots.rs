//! The slots of connections, which are reused, and the registration of their sockets.
//!
//! The pool knows a connection by an owner number made of slot and generation, so that a late event
//! of a search never reaches the next connection in its slot.

use crate::server::connection::Connection;
use crate::server::searches::slot_of;
use mio::event::Source;
use mio::{Interest, Registry, Token};
use slab::Slab;
use std::io;
use std::ops::{Deref, DerefMut};

/// The connections by slot.
pub(in crate::server) struct Slots {
    connections: Slab<Connection>,
    registry: Registry,
    generation: u32,
}

impl Deref for Slots {
    type Target = Slab<Connection>;

    fn deref(&self) -> &Slab<Connection> {
        &self.connections
    }
}

impl DerefMut for Slots {
    fn deref_mut(&mut self) -> &mut Slab<Connection> {
        &mut self.connections
    }
}

impl Slots {
    pub(super) fn new(registry: Registry) -> Slots {
        Slots { connections: Slab::new(), registry, generation: 0 }
    }

    /// Returns the owner number of the next connection.
    pub(super) fn next_owner(&mut self) -> u64 {
        self.generation = self.generation.wrapping_add(1);
        u64::from(self.generation) << 32 | self.connections.vacant_key() as u64
    }

    /// Puts a connection with the next owner number into its slot.
    ///
    /// # Errors
    /// The system lacks resources.
    pub(super) fn insert(&mut self, mut connection: Connection) -> io::Result<usize> {
        let slot = slot_of(connection.owner);
        self.register(&mut connection.stream.socket, Token(slot), Interest::READABLE)?;
        Ok(self.connections.insert(connection))
    }

    pub(super) fn remove(&mut self, slot: usize) -> Connection {
        let mut connection = self.connections.remove(slot);
        self.deregister(&mut connection.stream.socket);
        if let Some(stream) = connection.rsh.as_mut().and_then(|rsh| rsh.signal_channel()) {
            self.deregister(stream);
        }
        connection
    }

    /// Has the system announce nothing more about a stream.
    pub(in crate::server) fn deregister(&self, stream: &mut impl Source) {
        if let Err(error) = self.registry.deregister(stream) {
            log::debug!("a socket stays registered: {error}");
        }
    }

    /// Returns the connection with this owner number, if it still exists.
    pub(super) fn of_owner(&mut self, owner: u64) -> Option<&mut Connection> {
        self.connections.get_mut(slot_of(owner)).filter(|connection| connection.owner == owner)
    }

    pub(super) fn taken(&self) -> Vec<usize> {
        self.connections.iter().map(|(slot, _)| slot).collect()
    }

    /// Has the system announce events of another stream of a connection.
    pub(in crate::server) fn register(
        &self,
        stream: &mut impl Source,
        token: Token,
        interest: Interest,
    ) -> io::Result<()> {
        self.registry.register(stream, token, interest)
    }

    /// Has the system announce room for output, exactly while output is left.
    ///
    /// # Errors
    /// The system lacks resources.
    pub(super) fn await_writable(&mut self, slot: usize) -> io::Result<()> {
        let connection = &mut self.connections[slot];
        let awaits_writable = !connection.is_written();
        if awaits_writable != connection.stream.awaits_room {
            let interest =
                if awaits_writable { Interest::READABLE | Interest::WRITABLE } else { Interest::READABLE };
            self.registry.reregister(&mut connection.stream.socket, Token(slot), interest)?;
            connection.stream.awaits_room = awaits_writable;
        }
        Ok(())
    }
}
