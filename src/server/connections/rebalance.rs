//! Asking clients to move when a balancer reports that this server has more than its share.

use super::Connections;
use crate::link::ServerFrame;
use crate::protocol::probe::Share;
use crate::server::balancer::moves::Balancer;
use crate::server::connection::{Connection, write};
use std::time::{Duration, Instant};

/// Time that a session is left alone after its arrival, as it may have moved here.
const MIN_STAY: Duration = Duration::from_secs(30);
/// Time that a session is left alone after it was asked.
const ASKED_AGAIN: Duration = Duration::from_secs(300);
/// Connections examined after one health check.
const MAX_LOOKED_AT: usize = 1024;

impl Connections {
    /// Asks some of a balancer's sessions to move, given its number of sessions and servers.
    pub(super) fn ask_to_share(&mut self, balancer: Balancer, share: Share, now: Instant) {
        let own =
            self.slots.iter().filter(|(_, connection)| connection.proxied.balancer == Some(balancer)).count();
        let moves = self.moves.of(balancer, now);
        let mut wanted = moves.wanted(own, share.sessions, share.servers, now);
        if wanted == 0 {
            return;
        }
        log::debug!("{own} of {} sessions are here: {wanted} are asked to move", share.sessions);
        let slots = self.slots.capacity().max(1);
        for _ in 0..slots.min(MAX_LOOKED_AT) {
            let slot = self.moves.next_slot(slots);
            if self.slots.get(slot).is_some_and(|connection| connection.may_be_asked(balancer, now)) {
                self.guard_slot(slot, |connections| connections.ask_to_move(slot, balancer, now));
                wanted -= 1;
            }
            if wanted == 0 {
                return;
            }
        }
    }

    fn ask_to_move(&mut self, slot: usize, balancer: Balancer, now: Instant) {
        let connection = &mut self.slots[slot];
        connection.proxied.asked_to_move = Some(now);
        write(&ServerFrame::Move, &mut connection.output);
        self.moves.of(balancer, now).ask(now);
        self.flush(slot, now);
    }
}

impl Connection {
    /// Returns true if the session came by this balancer, not recently, and a shim can move it.
    fn may_be_asked(&self, balancer: Balancer, now: Instant) -> bool {
        let is_recent = |at: Instant, time: Duration| now.saturating_duration_since(at) < time;
        self.proxied.balancer == Some(balancer)
            && !is_recent(self.since, MIN_STAY)
            && !self.proxied.asked_to_move.is_some_and(|at| is_recent(at, ASKED_AGAIN))
            && self.link.as_ref().is_some_and(|link| link.is_open())
            && self.session.as_ref().is_some_and(|session| session.may_move(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::test_server::{TestClient, TestServer};
    use std::net::{IpAddr, Ipv4Addr};

    const BALANCER: Balancer = (IpAddr::V4(Ipv4Addr::LOCALHOST), 1);

    fn crowd(count: usize) -> (TestServer, Vec<TestClient>) {
        let mut server = TestServer::new(|_| {});
        let mut clients: Vec<TestClient> = (0..count).map(|_| server.client()).collect();
        for client in &mut clients {
            client.send("farboard-link 1\nnew\ninput 14 0\nxboard\nping 1\n");
            server.hear(client, "pong 1");
            let slot = server.slot_of(client).expect("a session");
            let connection = &mut server.server.connections.slots[slot];
            connection.proxied.balancer = Some(BALANCER);
            connection.since =
                connection.since.checked_sub(MIN_STAY).expect("the machine has been up that long");
        }
        (server, clients)
    }

    fn asked(server: &mut TestServer, clients: &mut [TestClient]) -> usize {
        for client in &mut *clients {
            client.send("input 7 0\nping 2\n");
        }
        let mut asked = 0;
        for client in clients {
            loop {
                let line = server.hear(client, "");
                if line == "pong 2" {
                    break;
                }
                asked += usize::from(line.ends_with("move"));
            }
        }
        asked
    }

    #[test]
    fn the_excess_of_sessions_is_asked_to_move_and_each_once() {
        let (mut server, mut clients) = crowd(9);
        let now = Instant::now();
        let share = |sessions, servers| Share { sessions, servers };
        server.server.connections.ask_to_share(BALANCER, share(9, 1), now);
        server.server.connections.ask_to_share(BALANCER, share(20, 2), now);
        assert_eq!(asked(&mut server, &mut clients), 0);
        server.server.connections.ask_to_share(BALANCER, share(9, 2), now);
        assert_eq!(asked(&mut server, &mut clients), 4);
        server.server.connections.ask_to_share(BALANCER, share(9, 2), now);
        assert_eq!(asked(&mut server, &mut clients), 0, "they are on their way");
        server.server.connections.ask_to_share(BALANCER, share(9, 3), now);
        assert_eq!(asked(&mut server, &mut clients), 2);
        // The sessions asked before have not left; only three others can be asked.
        let later = now + ASKED_AGAIN / 2;
        server.server.connections.ask_to_share(BALANCER, share(9, 3), later);
        assert_eq!(asked(&mut server, &mut clients), 3);
        server.server.connections.ask_to_share(BALANCER, share(9, 3), later + Duration::from_secs(100));
        assert_eq!(asked(&mut server, &mut clients), 0);
        server.server.connections.ask_to_share(BALANCER, share(9, 3), later + ASKED_AGAIN);
        assert_eq!(asked(&mut server, &mut clients), 6);
    }

    #[test]
    fn new_sessions_and_sessions_of_other_ports_are_not_asked_to_move() {
        let (mut server, mut clients) = crowd(4);
        for (client, is_new) in clients.iter().zip([true, true, false, false]) {
            let slot = server.slot_of(client).expect("a session");
            let connection = &mut server.server.connections.slots[slot];
            if is_new {
                connection.since = Instant::now();
            } else {
                connection.proxied.balancer = Some((BALANCER.0, 2));
            }
        }
        server.server.connections.ask_to_share(BALANCER, Share { sessions: 2, servers: 3 }, Instant::now());
        assert_eq!(asked(&mut server, &mut clients), 0);
    }
}
