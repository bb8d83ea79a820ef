//! The number of sessions that a server gives away, so that a fleet behind a balancer evens out.
//!
//! The balancer reports in each health check how many sessions there are and how many servers
//! accept new ones. A server with more than its share asks some clients to move: a shim reconnects
//! at a quiet moment, and the balancer picks the server with fewest sessions.
//!
//! The balancer may divide otherwise, by weights and the load that agents report. Then moved
//! sessions come back and would be asked again indefinitely. So each round of moves is judged, and
//! a server whose sessions come back rests.

use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// An excess of a twentieth is not worth a move.
const TOLERANCE: usize = 20;
/// Most sessions asked after one health check; once as many have left, a round can be judged.
const MAX_AT_ONCE: usize = 16;
/// Time for a session to leave after it was asked. One that stays longer probably has no shim.
const PATIENCE: Duration = Duration::from_secs(90);
/// Back-off after a round that moved no sessions; doubles with each such round in a row.
const FIRST_REST: Duration = Duration::from_secs(600);
const LONGEST_REST: Duration = Duration::from_secs(32 * 600);
/// Balancers that are remembered. The configuration limits which addresses can be one.
const MAX_BALANCERS: usize = 64;

/// A balancer's address, and the port it connects to.
pub(in crate::server) type Balancer = (IpAddr, u16);

/// Moves by balancer; balancers know nothing of each other.
#[derive(Default, Debug)]
pub(in crate::server) struct MovesByBalancer {
    moves: BTreeMap<Balancer, Moves>,
    /// The slot looked at last.
    slot: usize,
}

impl MovesByBalancer {
    pub(in crate::server) fn of(&mut self, balancer: Balancer, now: Instant) -> &mut Moves {
        if self.moves.len() >= MAX_BALANCERS && !self.moves.contains_key(&balancer) {
            let silent =
                self.moves.iter().min_by_key(|(_, moves)| moves.last_report).map(|(&silent, _)| silent);
            silent.and_then(|silent| self.moves.remove(&silent));
        }
        let moves = self.moves.entry(balancer).or_default();
        moves.last_report = Some(now);
        moves
    }

    /// Returns the slot to look at next; they take turns.
    pub(in crate::server) fn next_slot(&mut self, slots: usize) -> usize {
        self.slot = (self.slot + 1) % slots;
        self.slot
    }

    /// Notes that a session of this balancer, asked at this time, has left.
    pub(in crate::server) fn gone(&mut self, balancer: Balancer, asked: Instant) {
        if let Some(moves) = self.moves.get_mut(&balancer) {
            moves.gone(asked);
        }
    }
}

/// Sessions of one balancer that were asked to move, and the results.
#[derive(Default, Debug)]
pub(in crate::server) struct Moves {
    /// When each session that may still leave was asked.
    asked: VecDeque<Instant>,
    round: Option<Round>,
    /// Rests since the last useful round.
    rests: u32,
    /// No session is asked before this.
    resting: Option<Instant>,
    /// Number of servers in the balancer's last report.
    servers: usize,
    last_report: Option<Instant>,
}

#[derive(Clone, Copy, Debug)]
struct Round {
    began: Instant,
    /// Sessions on this server when the round began.
    own: usize,
    /// Sessions of them that were asked and have left.
    left: usize,
}

impl Moves {
    /// Returns how many more of the `own` sessions to ask, if `servers` share `all`.
    pub(in crate::server) fn wanted(
        &mut self,
        own: usize,
        all: usize,
        servers: usize,
        now: Instant,
    ) -> usize {
        while self.asked.front().is_some_and(|&at| now.saturating_duration_since(at) >= PATIENCE) {
            self.asked.pop_front();
        }
        if std::mem::replace(&mut self.servers, servers) != servers {
            // The balancer divides anew.
            (self.round, self.rests, self.resting) = (None, 0, None);
        }
        self.judge(own, now);
        if servers == 0 || self.resting.is_some_and(|until| now < until) {
            return 0;
        }
        let part = all.div_ceil(servers);
        let excess = own.saturating_sub(part.saturating_add(part / TOLERANCE));
        let wanted = excess.saturating_sub(self.asked.len()).min(MAX_AT_ONCE);
        if wanted > 0 {
            self.round.get_or_insert(Round { began: now, own, left: 0 });
        }
        wanted
    }

    /// Ends a round that can be judged, and rests if fewer than half of the departures were of use.
    fn judge(&mut self, own: usize, now: Instant) {
        let Some(round) = self.round else { return };
        let is_over = round.left >= MAX_AT_ONCE
            || self.asked.is_empty()
            || now.saturating_duration_since(round.began) >= PATIENCE;
        if !is_over {
            return;
        }
        self.round = None;
        let fewer = round.own.saturating_sub(own);
        if round.left == 0 {
            // Inconclusive.
        } else if 2 * fewer >= round.left {
            self.rests = 0;
        } else {
            let rest = (FIRST_REST * (1 << self.rests.min(8))).min(LONGEST_REST);
            log::debug!(
                "{} sessions moved away, {fewer} fewer are here; no further moves for {} s",
                round.left,
                rest.as_secs()
            );
            self.rests += 1;
            self.resting = now.checked_add(rest);
        }
    }

    pub(in crate::server) fn ask(&mut self, now: Instant) {
        self.asked.push_back(now);
    }

    /// Notes that a session asked at this time has left. One that took too long no longer counts.
    pub(in crate::server) fn gone(&mut self, asked: Instant) {
        if let Some(place) = self.asked.iter().position(|&at| at == asked) {
            self.asked.remove(place);
            self.round.iter_mut().for_each(|round| round.left += 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_excess_over_the_fair_share_is_given_away_once() {
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
        moves.gone(now + PATIENCE);
        assert_eq!(moves.wanted(9, 20, 3, now + PATIENCE), 2);
    }

    /// Simulates a fleet behind a balancer with these weights and all sessions on the first server.
    /// Returns the sessions of each server at the end, and the turns, of two seconds each, in which
    /// sessions moved.
    fn simulate(weights: &[usize], sessions: usize, turns: u64) -> (Vec<usize>, Vec<u64>) {
        let start = Instant::now();
        let servers = weights.len();
        let mut own = vec![0; servers];
        own[0] = sessions;
        let mut moves: Vec<Moves> = (0..servers).map(|_| Moves::default()).collect();
        let mut moved = Vec::new();
        for turn in 0..turns {
            let now = start + Duration::from_secs(2 * turn);
            for (server, moves) in moves.iter_mut().enumerate() {
                for _ in 0..moves.wanted(own[server], sessions, servers, now) {
                    moves.ask(now);
                    let load = |&other: &usize| own[other] * 1_000_000 / weights[other];
                    let least = (0..servers).min_by_key(load).expect("a server");
                    own[least] += 1;
                    own[server] -= 1;
                    moves.gone(now);
                    moved.push(turn);
                }
            }
        }
        (own, moved)
    }

    #[test]
    fn a_fleet_evens_out_and_comes_to_rest() {
        for (servers, sessions) in [(2, 3), (3, 20), (3, 200), (10, 1000), (7, 5)] {
            let (own, moved) = simulate(&vec![1; servers], sessions, 1000);
            let part = sessions.div_ceil(servers);
            assert!(own.iter().all(|&own| own <= part + part / TOLERANCE), "{own:?}");
            assert_eq!(own.iter().sum::<usize>(), sessions);
            assert!(moved.last().is_none_or(|&turn| turn < 100), "{own:?} still move: {moved:?}");
        }
    }

    #[test]
    fn a_fleet_with_unequal_weights_comes_to_rest() {
        const DAY: u64 = 24 * 1800;
        for (weights, sessions) in [
            (&[4, 1][..], 100),
            (&[4, 1], 5),
            (&[64, 16, 16], 1000),
            (&[100, 90, 90], 300),
            (&[100, 62, 75, 100], 2000),
            (&[1, 4, 4], 500),
        ] {
            let (own, moved) = simulate(weights, sessions, DAY);
            let all: usize = weights.iter().sum();
            assert_eq!(own.iter().sum::<usize>(), sessions);
            for (own, weight) in own.iter().zip(weights) {
                let part = (sessions * weight).div_ceil(all).max(sessions.div_ceil(weights.len()));
                assert!(*own <= part + 1 + part / TOLERANCE, "{own} are more than {part} with {weights:?}");
            }
            let late = moved.iter().filter(|&&turn| turn >= DAY / 2).count();
            // A rest then lasts more than five hours, with one round of each server between two
            // rests.
            assert!(late <= 3 * weights.len() * MAX_AT_ONCE, "{late} moves in half a day with {weights:?}");
        }
    }

    #[test]
    fn a_useless_round_is_followed_by_a_rest_that_a_new_server_ends() {
        let mut now = Instant::now();
        let mut moves = Moves::default();
        let round = |moves: &mut Moves, now, servers, come_back| {
            let wanted = moves.wanted(80, 100, servers, now);
            for _ in 0..wanted {
                moves.ask(now);
                moves.gone(now);
            }
            moves.wanted(if come_back { 80 } else { 80 - wanted }, 100, servers, now);
            wanted
        };
        assert_eq!(round(&mut moves, now, 2, true), MAX_AT_ONCE);
        for factor in [1, 2, 4, 8, 16, 32, 32] {
            let rest = factor * FIRST_REST;
            assert_eq!(round(&mut moves, now + rest - Duration::from_millis(1), 2, true), 0);
            now += rest;
            assert_eq!(round(&mut moves, now, 2, true), MAX_AT_ONCE);
        }
        assert_eq!(round(&mut moves, now, 2, true), 0);
        assert_eq!(round(&mut moves, now, 3, false), MAX_AT_ONCE, "the balancer divides anew");
        assert_eq!(round(&mut moves, now, 3, true), MAX_AT_ONCE, "the last round was of use");
        assert_eq!(round(&mut moves, now + FIRST_REST, 3, true), MAX_AT_ONCE, "the first rest again");
    }

    #[test]
    fn a_half_replaced_round_is_useful_and_sessions_that_stay_are_inconclusive() {
        let now = Instant::now();
        let mut moves = Moves::default();
        assert_eq!(moves.wanted(12, 20, 2, now), 2);
        moves.ask(now);
        moves.ask(now);
        moves.gone(now);
        assert_eq!(moves.wanted(12, 20, 2, now), 1, "the other one is on its way");
        moves.gone(now);
        assert_eq!(moves.wanted(11, 20, 2, now), 1, "one is less than two, and half of them");
        moves.ask(now);
        assert_eq!(moves.wanted(11, 20, 2, now), 0);
        assert_eq!(moves.wanted(12, 20, 2, now + PATIENCE), 2, "nothing is known");
    }

    #[test]
    fn balancers_are_independent_and_their_number_is_bounded() {
        let now = Instant::now();
        let mut all = MovesByBalancer::default();
        let balancer = |port| (IpAddr::from([127, 0, 0, 1]), port);
        for port in 0..1000 {
            let later = now + Duration::from_secs(u64::from(port));
            let moves = all.of(balancer(port), later);
            assert_eq!(moves.wanted(3, 4, 2, later), 1);
            moves.ask(later);
            assert_eq!(moves.wanted(3, 4, 2, later), 0);
        }
        assert_eq!(all.moves.len(), MAX_BALANCERS);
        assert!(all.moves.contains_key(&balancer(999)));
        all.gone(balancer(999), now + Duration::from_secs(999));
        assert!(all.of(balancer(999), now).asked.is_empty());
        all.gone(balancer(0), now);
    }
}
