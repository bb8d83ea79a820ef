//! How many of its sessions a server should give away, so that a fleet behind a balancer evens out.
//!
//! The balancer tells each server in its health check how many sessions there are and how many servers take newcomers. A server with
//! more than its part asks some clients to move: a shim connects once more at a quiet moment, and the balancer finds the server
//! that has least.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// A twentieth more than its part is not worth a move.
const TOLERANCE: usize = 20;
/// Most sessions asked after one health check.
const MAX_AT_ONCE: usize = 16;
/// How long a session that was asked is expected to go. One that has not gone by then most likely has no shim.
const PATIENCE: Duration = Duration::from_secs(90);

/// Sessions that were asked to move, and are still expected to.
#[derive(Default, Debug)]
pub(super) struct Moves {
    asked: VecDeque<Instant>,
}

impl Moves {
    /// How many more of our `own` sessions to ask, if `all` are to be shared by `servers`.
    pub(super) fn wanted(&mut self, own: usize, all: usize, servers: usize, now: Instant) -> usize {
        while self.asked.front().is_some_and(|&at| now.saturating_duration_since(at) >= PATIENCE) {
            self.asked.pop_front();
        }
        if servers == 0 {
            return 0;
        }
        let part = all.div_ceil(servers);
        let excess = own.saturating_sub(part.saturating_add(part / TOLERANCE));
        excess.saturating_sub(self.asked.len()).min(MAX_AT_ONCE)
    }

    /// A session was asked.
    pub(super) fn ask(&mut self, now: Instant) {
        self.asked.push_back(now);
    }

    /// A session that was asked at this time has gone. One that took longer than was expected is counted no more.
    pub(super) fn gone(&mut self, asked: Instant) {
        if let Some(place) = self.asked.iter().position(|&at| at == asked) {
            self.asked.remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_more_than_our_part_is_given_away_once() {
        let now = Instant::now();
        let mut moves = Moves::default();
        for (own, all, servers, expected) in [
            (10, 20, 2, 0),
            (10, 20, 3, 3),
            (7, 20, 3, 0),
            (50, 100, 3, 15),
            (35, 100, 3, 0),
            (9, 9, 0, 0),
            (9, 9, 1, 0),
        ] {
            assert_eq!(
                moves.wanted(own, all, servers, now),
                expected,
                "{own} of {all} with {servers} servers"
            );
        }
        for _ in 0..3 {
            moves.ask(now);
        }
        assert_eq!(moves.wanted(10, 20, 3, now), 0);
        moves.gone(now);
        assert_eq!(moves.wanted(9, 20, 3, now), 0);
        // One that was asked at another time is not one of the two. They do not listen.
        moves.gone(now + PATIENCE);
        assert_eq!(moves.wanted(9, 20, 3, now + PATIENCE), 2);
    }

    /// Fleets of any size come to rest with about the same number of sessions each, and then nobody moves.
    #[test]
    fn a_fleet_evens_out_and_comes_to_rest() {
        let start = Instant::now();
        for (servers, sessions) in [(2, 3), (3, 20), (3, 200), (10, 1000), (7, 5)] {
            let mut own = vec![0; servers];
            own[0] = sessions;
            let mut moves: Vec<Moves> = (0..servers).map(|_| Moves::default()).collect();
            let mut last_move = 0;
            for turn in 0..1000 {
                let now = start + Duration::from_secs(2 * turn);
                for (server, moves) in moves.iter_mut().enumerate() {
                    for _ in 0..moves.wanted(own[server], sessions, servers, now) {
                        moves.ask(now);
                        own[server] -= 1;
                        moves.gone(now);
                        let least = (0..servers).min_by_key(|&other| own[other]).expect("a server");
                        own[least] += 1;
                        last_move = turn;
                    }
                }
            }
            let part = sessions.div_ceil(servers);
            assert!(own.iter().all(|&own| own <= part + part / TOLERANCE), "{own:?}");
            assert_eq!(own.iter().sum::<usize>(), sessions);
            assert!(last_move < 100, "{own:?} still move at turn {last_move}");
        }
    }
}
