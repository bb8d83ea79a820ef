//! One bound for the buffers of all connections together.
//!
//! A client that does not read, or ends no line, costs memory up to a limit of its own; many of them together must not
//! take what the searches and the table need. When all together hold too much, thinking lines are dropped, and then those
//! connections are closed that hold most, until an eighth of the bound is free: so what this costs is shared by all the
//! bytes that it takes to come here again.

use super::access_log::Leaving;
use super::tenants::Tenants;
use std::cmp::Reverse;

/// The bytes of all connections, kept up to date by each for itself.
#[derive(Default)]
pub(super) struct Buffers {
    held: usize,
}

impl Buffers {
    /// A connection holds so many bytes now, and held so many when that was last said.
    pub(super) fn note(&mut self, before: &mut usize, now: usize) {
        self.held = self.held + now - std::mem::replace(before, now);
    }
}

impl Tenants {
    /// Notes what a connection holds.
    pub(super) fn count_buffers(&mut self, slot: usize) {
        if let Some(connection) = self.connections.get_mut(slot) {
            let now = connection.memory();
            self.buffers.note(&mut connection.held, now);
        }
    }

    /// Makes room if all connections together hold too much.
    pub(super) fn make_room(&mut self) {
        let most = self.limits.buffers;
        if self.buffers.held <= most {
            return;
        }
        let wanted = most - most / 8;
        let before = self.buffers.held;
        let slots: Vec<usize> = self.connections.iter().map(|(slot, _)| slot).collect();
        for &slot in &slots {
            self.connections[slot].output.shed();
            self.count_buffers(slot);
        }
        log::warn!(
            "clients leave {before} bytes unread together, of {most} (max_buffers): thinking lines were dropped, {} bytes \
             are left",
            self.buffers.held
        );
        if self.buffers.held <= wanted {
            return;
        }
        let mut holders: Vec<(usize, usize)> =
            slots.into_iter().map(|slot| (self.connections[slot].held, slot)).collect();
        holders.sort_unstable_by_key(|&(held, _)| Reverse(held));
        for (held, slot) in holders {
            if self.buffers.held <= wanted {
                return;
            }
            log::warn!(
                "{}: closed, as it leaves most unread: {held} bytes of the {} that all clients hold",
                self.connections[slot].peer,
                self.buffers.held
            );
            self.connections[slot].leaving = Leaving::Deaf;
            self.remove(slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::protocol::LineKey;
    use crate::server::stand::{Client, Stand};

    /// A server for that many bytes, with four sessions in the slots 0 to 3.
    fn stand(buffers: usize) -> (Stand, Vec<Client>) {
        let mut stand = Stand::new(|setup| setup.limits.buffers = buffers);
        let mut clients: Vec<Client> = Vec::new();
        for slot in 0..4 {
            let mut client = stand.client();
            client.send("ping 1\n");
            stand.hear(&mut client, "pong 1");
            assert!(stand.server.tenants.connections.contains(slot));
            clients.push(client);
        }
        assert_eq!(stand.server.tenants.buffers.held, 0);
        (stand, clients)
    }

    /// As many lines of a thousand bytes wait in that slot.
    fn fill(stand: &mut Stand, slot: usize, lines: usize, thinking: bool) {
        let line = "x".repeat(999) + "\n";
        let tenants = &mut stand.server.tenants;
        for depth in 0..lines {
            let key = thinking.then_some(LineKey(depth as u32, 1));
            tenants.connections[slot].output.push(&line, key);
        }
        tenants.count_buffers(slot);
    }

    fn left(stand: &Stand) -> Vec<usize> {
        stand.server.tenants.connections.iter().map(|(slot, _)| slot).collect()
    }

    #[test]
    fn thinking_lines_go_first_and_then_who_holds_most() {
        let (mut stand, clients) = stand(80_000);
        fill(&mut stand, 0, 50, true);
        fill(&mut stand, 1, 20, false);
        stand.server.tenants.make_room();
        assert_eq!(stand.server.tenants.connections[0].output.bytes(), 50_000, "there is room for that");
        fill(&mut stand, 2, 15, false);
        stand.server.tenants.make_room();
        assert_eq!(stand.server.tenants.connections[0].output.bytes(), 1000);
        assert_eq!(left(&stand), [0, 1, 2, 3]);
        fill(&mut stand, 3, 60, false);
        stand.server.tenants.make_room();
        assert_eq!(left(&stand), [0, 1, 2]);
        let sum: usize = stand.server.tenants.connections.iter().map(|(_, one)| one.memory()).sum();
        assert_eq!(stand.server.tenants.buffers.held, sum);
        drop(clients);
    }

    #[test]
    fn an_unfinished_line_counts_and_everything_is_counted_out() {
        let (mut stand, mut clients) = stand(80_000);
        clients[0].send(&"x".repeat(5000));
        stand.until("it is there", |stand| stand.server.tenants.buffers.held == 5000);
        clients[0].send("\nping 2\n");
        stand.hear(&mut clients[0], "pong 2");
        assert_eq!(stand.server.tenants.buffers.held, 0);
        clients[1].send(&"x".repeat(700));
        fill(&mut stand, 2, 3, false);
        drop(clients);
        stand.until("nobody is there", |stand| stand.server.tenants.is_empty());
        assert_eq!(stand.server.tenants.buffers.held, 0);
    }
}
