//! One bound for the buffers and long games of all connections together.
//!
//! A client that does not read, ends no line, or sends a very long game costs memory up to its own
//! limit; many together must not take the memory of searches and table. When all together hold too
//! much, thinking lines are dropped, and then the connections that hold most are closed until an
//! eighth of the bound is free: that many bytes must come before this work is repeated, which
//! bounds its cost.

use super::Connections;
use crate::server::outcome::CloseReason;
use std::cmp::Reverse;

impl Connections {
    pub(super) fn update_buffer_total(&mut self, slot: usize) {
        if let Some(connection) = self.slots.get_mut(slot) {
            self.observer.counts.output_lines_dropped.add(connection.take_dropped());
            let now = connection.memory();
            self.buffer_total.update(&mut connection.counted.buffered, now);
        }
    }

    /// Makes room if all connections together hold too much.
    pub(in crate::server) fn enforce_buffer_limit(&mut self) {
        let max = self.limits.buffers;
        if self.buffer_total.bytes <= max {
            return;
        }
        let wanted = max - max / 8;
        let before = self.buffer_total.bytes;
        let slots = self.slots.taken();
        for &slot in &slots {
            self.slots[slot].drop_thinking();
            self.update_buffer_total(slot);
        }
        log::warn!(
            "unread output, unfinished input and long games of all clients take {before} of {max} bytes (max_buffers): \
             thinking lines were dropped, {} bytes remain",
            self.buffer_total.bytes
        );
        if self.buffer_total.bytes <= wanted {
            return;
        }
        let mut holders: Vec<(usize, usize)> =
            slots.into_iter().map(|slot| (self.slots[slot].counted.buffered, slot)).collect();
        holders.sort_unstable_by_key(|&(held, _)| Reverse(held));
        for (held, slot) in holders {
            if self.buffer_total.bytes <= wanted {
                return;
            }
            log::warn!(
                "{}: closed because it holds most memory: {held} bytes of {} of all clients (max_buffers)",
                self.slots[slot].peer,
                self.buffer_total.bytes
            );
            self.slots[slot].close_reason = CloseReason::Memory;
            self.remove(slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::protocol::LineKey;
    use crate::server::test_server::{TestClient, TestServer};

    /// Creates a server with this limit and four sessions in the slots 0 to 3.
    fn server(buffers: usize) -> (TestServer, Vec<TestClient>) {
        let mut server = TestServer::new(|setup| setup.limits.buffers = buffers);
        let mut clients: Vec<TestClient> = Vec::new();
        for slot in 0..4 {
            let mut client = server.client();
            client.send("ping 1\n");
            server.hear(&mut client, "pong 1");
            assert!(server.server.connections.slots.contains(slot));
            clients.push(client);
        }
        assert_eq!(server.server.connections.buffer_total.bytes, 0);
        (server, clients)
    }

    fn fill(server: &mut TestServer, slot: usize, lines: usize, thinking: bool) {
        let line = "x".repeat(999) + "\n";
        let connections = &mut server.server.connections;
        for depth in 0..lines {
            let key = thinking.then_some(LineKey(depth as u32, 1));
            connections.slots[slot].output.push(&line, key);
        }
        connections.update_buffer_total(slot);
    }

    fn left(server: &TestServer) -> Vec<usize> {
        server.server.connections.slots.iter().map(|(slot, _)| slot).collect()
    }

    #[test]
    fn thinking_lines_are_dropped_first_and_then_the_largest_connections() {
        let (mut server, clients) = server(80_000);
        fill(&mut server, 0, 50, true);
        fill(&mut server, 1, 20, false);
        server.server.connections.enforce_buffer_limit();
        assert_eq!(server.server.connections.slots[0].output.bytes(), 50_000, "there is room for that");
        fill(&mut server, 2, 15, false);
        server.server.connections.enforce_buffer_limit();
        assert_eq!(server.server.connections.slots[0].output.bytes(), 1000);
        assert_eq!(server.server.connections.observer.counts.output_lines_dropped.get(), 49);
        assert_eq!(left(&server), [0, 1, 2, 3]);
        fill(&mut server, 3, 60, false);
        server.server.connections.enforce_buffer_limit();
        assert_eq!(left(&server), [0, 1, 2]);
        let sum: usize = server.server.connections.slots.iter().map(|(_, one)| one.memory()).sum();
        assert_eq!(server.server.connections.buffer_total.bytes, sum);
        drop(clients);
    }

    #[test]
    fn a_very_long_game_counts_as_long_as_the_session_keeps_it() {
        let mut server = TestServer::new(|setup| setup.limits.buffers = 400_000);
        let mut clients: Vec<TestClient> = (0..4).map(|_| server.client()).collect();
        let game = |plies: usize| "g1f3 g8f6 f3g1 f6g8 ".repeat(plies / 4);
        for client in &mut clients {
            client.send("uci\n");
            server.hear(client, "uciok");
        }
        clients[0].send(&format!("position startpos moves {}\nisready\n", game(400)));
        server.hear(&mut clients[0], "readyok");
        assert_eq!(server.server.connections.buffer_total.bytes, 0, "a game like others");
        clients[0].send(&format!("position startpos moves {}\nisready\n", game(12_000)));
        server.hear(&mut clients[0], "readyok");
        let held = server.server.connections.buffer_total.bytes;
        assert!((100_000..200_000).contains(&held), "{held}");
        clients[0].send("position startpos\nisready\n");
        server.hear(&mut clients[0], "readyok");
        assert_eq!(server.server.connections.buffer_total.bytes, 0);
        for client in &mut clients {
            client.send(&format!("position startpos moves {}\n", game(12_000)));
        }
        server.until("too much is held", |server| left(server).len() < 4);
        assert!(server.server.connections.buffer_total.bytes <= 400_000);
    }

    #[test]
    fn an_unfinished_line_counts_and_everything_is_counted_out() {
        let (mut server, mut clients) = server(80_000);
        clients[0].send(&"x".repeat(5000));
        server.until("the input has arrived", |server| server.server.connections.buffer_total.bytes == 5000);
        clients[0].send("\nping 2\n");
        server.hear(&mut clients[0], "pong 2");
        assert_eq!(server.server.connections.buffer_total.bytes, 0);
        clients[1].send(&"x".repeat(700));
        fill(&mut server, 2, 3, false);
        drop(clients);
        server.until("all have disconnected", |server| server.server.connections.slots.is_empty());
        assert_eq!(server.server.connections.buffer_total.bytes, 0);
    }
}
