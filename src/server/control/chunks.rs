//! A command for many sessions, executed in chunks so that games are not delayed.

use crate::server::connection::Connection;
use crate::server::connections::Connections;
use crate::server::outcome::CloseReason;
use crate::session::Protocol;
use std::time::Instant;

/// Sessions handled, or listed, for one control client in one turn of the loop.
pub(super) const SESSIONS_PER_TURN: usize = 64;

pub(super) enum Act {
    /// Ends the session with this message.
    Kick(String),
    /// Shows this message.
    Message(String),
}

pub(super) struct Chunks {
    act: Act,
    /// Slots and owner numbers of the sessions that existed when the command came.
    left: std::vec::IntoIter<(usize, u64)>,
    done: usize,
}

impl Chunks {
    /// Plans an action for the sessions in these slots.
    pub(super) fn new(act: Act, slots: &[usize], connections: &Connections) -> Chunks {
        let owners = slots.iter().filter_map(|&slot| Some((slot, connections.slots.get(slot)?.owner)));
        Chunks { act, left: owners.collect::<Vec<_>>().into_iter(), done: 0 }
    }

    /// Handles the next chunk. Returns the number of sessions affected once all are done.
    pub(super) fn advance(&mut self, connections: &mut Connections, now: Instant) -> Option<usize> {
        for (slot, owner) in self.left.by_ref().take(SESSIONS_PER_TURN) {
            // The session may have ended meanwhile, and its slot been reused.
            let is_same = |there: &Connection| there.owner == owner && there.session.is_some();
            if !connections.slots.get(slot).is_some_and(is_same) {
                continue;
            }
            connections.guard_slot(slot, |connections| {
                if self.act.on(slot, connections, now) {
                    self.done += 1;
                }
            });
        }
        self.left.as_slice().is_empty().then_some(self.done)
    }
}

impl Act {
    /// Acts on a session. Returns false if the client cannot be notified.
    fn on(&self, slot: usize, connections: &mut Connections, now: Instant) -> bool {
        let connection = &mut connections.slots[slot];
        let protocol = connection.protocol();
        match self {
            Act::Kick(why) => {
                connection.close_reason = CloseReason::Kicked;
                connection.send(protocol.refusal(why));
                connections.close(slot, now);
            }
            // A client that has not spoken yet may not display messages.
            Act::Message(_) if protocol == Protocol::Auto => return false,
            Act::Message(text) => connection.send(protocol.message(text)),
        }
        connections.flush(slot, now);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::test_server::{TestClient, TestServer};

    fn crowd(count: usize) -> (TestServer, Vec<TestClient>, Vec<usize>) {
        let mut server = TestServer::new(|setup| setup.limits.sessions = 2 * count);
        let mut clients: Vec<TestClient> = (0..count).map(|_| server.client()).collect();
        for client in &mut clients {
            client.send("xboard\nping 1\n");
            server.hear(client, "pong 1");
        }
        let slots = clients.iter().map(|client| server.slot_of(client).expect("a session")).collect();
        (server, clients, slots)
    }

    #[test]
    fn a_message_for_many_is_sent_in_chunks() {
        let (mut server, mut clients, slots) = crowd(2 * SESSIONS_PER_TURN + 2);
        let connections = &mut server.server.connections;
        let mut chunks = Chunks::new(Act::Message("tea".to_owned()), &slots, connections);
        let now = Instant::now();
        assert_eq!(chunks.advance(connections, now), None);
        let (first, others) = clients.split_at_mut(SESSIONS_PER_TURN);
        for client in first {
            assert_eq!(server.hear(client, ""), "telluser tea");
        }
        for client in &mut *others {
            client.send("ping 2\n");
            assert_eq!(server.hear(client, ""), "pong 2");
        }
        let connections = &mut server.server.connections;
        assert_eq!(chunks.advance(connections, now), None);
        assert_eq!(chunks.advance(connections, now), Some(clients.len()));
        for client in &mut clients[SESSIONS_PER_TURN..] {
            assert_eq!(server.hear(client, ""), "telluser tea");
        }
    }

    #[test]
    fn sessions_that_begin_after_the_command_are_left_alone() {
        let (mut server, mut clients, slots) = crowd(SESSIONS_PER_TURN + 1);
        let connections = &mut server.server.connections;
        let mut chunks = Chunks::new(Act::Kick("Tea.".to_owned()), &slots, connections);
        assert_eq!(chunks.advance(connections, Instant::now()), None);
        let (last, last_slot) = (clients.pop().expect("a client"), slots[SESSIONS_PER_TURN]);
        drop(last);
        server.until("the client has disconnected", |server| {
            !server.server.connections.slots.contains(last_slot)
        });
        let mut new_connection = server.client();
        new_connection.send("xboard\nping 1\n");
        server.hear(&mut new_connection, "pong 1");
        let slot = server.slot_of(&new_connection).expect("a session");
        let reused = Chunks { left: vec![(slot, 0)].into_iter(), done: 0, act: Act::Kick("Tea.".to_owned()) };
        for mut chunks in [chunks, reused] {
            let kicked = chunks.advance(&mut server.server.connections, Instant::now());
            assert_eq!(kicked.map(|count| count % SESSIONS_PER_TURN), Some(0));
        }
        new_connection.send("ping 2\n");
        assert_eq!(server.hear(&mut new_connection, ""), "pong 2");
    }
}
