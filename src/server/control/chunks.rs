//! An order for many sessions, obeyed in chunks so that the games do not wait.

use crate::server::connection::Connection;
use crate::server::connections::Connections;
use crate::server::outcome::CloseReason;
use crate::session::Protocol;
use std::time::Instant;

/// Sessions that are served, or told of, for one client in one turn of the loop.
pub(super) const SESSIONS_PER_TURN: usize = 64;

/// What is done to a session.
pub(super) enum Act {
    /// End it, and say this.
    Kick(String),
    /// Say this.
    Message(String),
}

/// What is left to do of an order.
pub(super) struct Chunks {
    act: Act,
    /// The slots of the sessions that were there when the order came, and their owner numbers.
    left: std::vec::IntoIter<(usize, u64)>,
    done: usize,
}

impl Chunks {
    /// The same for all sessions in these slots.
    pub(super) fn new(act: Act, slots: &[usize], connections: &Connections) -> Chunks {
        let owners = slots.iter().filter_map(|&slot| Some((slot, connections.slots.get(slot)?.owner)));
        Chunks { act, left: owners.collect::<Vec<_>>().into_iter(), done: 0 }
    }

    /// Does it to some more. Returns for how many sessions it was done, once that is all.
    pub(super) fn go_on(&mut self, connections: &mut Connections, now: Instant) -> Option<usize> {
        for (slot, owner) in self.left.by_ref().take(SESSIONS_PER_TURN) {
            // It may have ended meanwhile, and another one may have its slot.
            let is_meant = |there: &Connection| there.owner == owner && there.session.is_some();
            if !connections.slots.get(slot).is_some_and(is_meant) {
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
    /// Does it to a session that is there. False if it cannot be told.
    fn on(&self, slot: usize, connections: &mut Connections, now: Instant) -> bool {
        let connection = &mut connections.slots[slot];
        let protocol = connection.protocol();
        match self {
            Act::Kick(why) => {
                connection.close_reason = CloseReason::Kicked;
                connection.send(protocol.refusal(why));
                connections.close(slot, now);
            }
            // Nobody knows what a client shows that has said nothing.
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

    /// A server with as many clients, and their slots.
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
    fn a_message_for_many_is_told_in_portions() {
        let (mut server, mut clients, slots) = crowd(2 * SESSIONS_PER_TURN + 2);
        let connections = &mut server.server.connections;
        let mut chunks = Chunks::new(Act::Message("tea".to_owned()), &slots, connections);
        let now = Instant::now();
        assert_eq!(chunks.go_on(connections, now), None);
        let (first, others) = clients.split_at_mut(SESSIONS_PER_TURN);
        for client in first {
            assert_eq!(server.hear(client, ""), "telluser tea");
        }
        // Nothing is on its way to the others, as they have heard all that there is.
        for client in &mut *others {
            client.send("ping 2\n");
            assert_eq!(server.hear(client, ""), "pong 2");
        }
        let connections = &mut server.server.connections;
        assert_eq!(chunks.go_on(connections, now), None);
        assert_eq!(chunks.go_on(connections, now), Some(clients.len()));
        for client in &mut clients[SESSIONS_PER_TURN..] {
            assert_eq!(server.hear(client, ""), "telluser tea");
        }
    }

    #[test]
    fn who_has_come_after_the_order_is_not_meant() {
        let (mut server, mut clients, slots) = crowd(SESSIONS_PER_TURN + 1);
        let connections = &mut server.server.connections;
        let mut chunks = Chunks::new(Act::Kick("Tea.".to_owned()), &slots, connections);
        assert_eq!(chunks.go_on(connections, Instant::now()), None);
        let (last, last_slot) = (clients.pop().expect("a client"), slots[SESSIONS_PER_TURN]);
        drop(last);
        server.until("it is gone", |server| !server.server.connections.slots.contains(last_slot));
        // The first free slot is the next one's, whoever has had it.
        let mut new_connection = server.client();
        new_connection.send("xboard\nping 1\n");
        server.hear(&mut new_connection, "pong 1");
        let slot = server.slot_of(&new_connection).expect("a session");
        let reused = Chunks { left: vec![(slot, 0)].into_iter(), done: 0, act: Act::Kick("Tea.".to_owned()) };
        for mut chunks in [chunks, reused] {
            let kicked = chunks.go_on(&mut server.server.connections, Instant::now());
            assert_eq!(kicked.map(|count| count % SESSIONS_PER_TURN), Some(0));
        }
        new_connection.send("ping 2\n");
        assert_eq!(server.hear(&mut new_connection, ""), "pong 2");
    }
}
