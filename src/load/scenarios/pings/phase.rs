//! Ping times: one ping at a time, to the sessions in turn.

use crate::engines::EngineEvent;
use crate::load::client::LoadClient;
use crate::load::connect_phase::ANSWER_TIMEOUT;
use crate::load::phase::{Actions, ClientEvent, ClientId, Phase};
use crate::load::statistics::Samples;
use std::time::{Duration, Instant};

/// Pings sessions in turn.
pub struct Pings {
    clients: Vec<LoadClient>,
    /// Pause between an answer and the next ping.
    gap: Duration,
    left: usize,
    lasting: Duration,
    /// When the last ping may be sent.
    end: Option<Instant>,
    sent: usize,
    /// The unanswered ping: client, and when it was sent.
    waiting: Option<(usize, Instant)>,
    next: Option<Instant>,
    /// Ping times.
    pub samples: Samples,
    /// Pings without an answer.
    pub lost: usize,
}

impl Pings {
    /// `count` pings to these sessions in turn, or fewer within `lasting`.
    pub fn new(clients: Vec<LoadClient>, count: usize, gap: Duration, lasting: Duration) -> Pings {
        Pings {
            left: if clients.is_empty() { 0 } else { count },
            clients,
            gap,
            lasting,
            end: None,
            sent: 0,
            waiting: None,
            next: None,
            samples: Samples::default(),
            lost: 0,
        }
    }

    fn go_on(&mut self, now: Instant) {
        self.waiting = None;
        self.left = self.left.saturating_sub(1);
        self.next = Some(now + self.gap);
    }
}

impl Phase for Pings {
    fn on_event(&mut self, id: ClientId, event: ClientEvent<'_>, now: Instant, _: &mut Actions) {
        let Some((index, since)) = self.waiting.filter(|&(index, _)| self.clients[index].id == id) else {
            return;
        };
        match event {
            ClientEvent::Line(line) if self.clients[index].engine.receive(line) == EngineEvent::Ready => {
                self.samples.add(now.saturating_duration_since(since));
                self.go_on(now);
            }
            ClientEvent::Closed(_) => {
                self.lost += 1;
                self.clients.remove(index);
                self.go_on(now);
            }
            _ => {}
        }
    }

    fn tick(&mut self, now: Instant, actions: &mut Actions) -> Option<Instant> {
        if let Some((_, since)) = self.waiting {
            if now < since + ANSWER_TIMEOUT {
                return Some(since + ANSWER_TIMEOUT);
            }
            self.lost += 1;
            self.go_on(now);
        }
        let end = *self.end.get_or_insert(now + self.lasting);
        if now >= end {
            self.left = 0;
        }
        if self.is_over() {
            return None;
        }
        if let Some(next) = self.next.filter(|&next| next > now) {
            return Some(next);
        }
        let index = self.sent % self.clients.len();
        self.sent += 1;
        self.waiting = Some((index, now));
        let client = &mut self.clients[index];
        actions.send(client.id, client.engine.ping());
        Some(now + ANSWER_TIMEOUT)
    }

    fn is_over(&self) -> bool {
        self.left == 0 || self.clients.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::{ChessEngine, EngineProtocol};
    use crate::load::phase::tests::PhaseTester;

    fn clients(count: usize) -> Vec<LoadClient> {
        let mut engine = ChessEngine::new(EngineProtocol::Xboard);
        engine.receive("feature ping=1 done=1");
        (1..=count).map(|id| LoadClient { id: ClientId(id), engine: engine.clone() }).collect()
    }

    const LONG: Duration = Duration::from_secs(3600);

    #[test]
    fn one_at_a_time_and_each_in_turn() {
        let mut tester = PhaseTester::default();
        let mut pings = Pings::new(clients(2), 3, Duration::from_millis(5), LONG);
        let mut now = Instant::now();
        for (id, took) in [(ClientId(1), 3), (ClientId(2), 1), (ClientId(1), 2)] {
            tester.tick(&mut pings, now);
            let said = tester.sent(id);
            assert!(said.starts_with("ping "), "{said}");
            tester.tick(&mut pings, now);
            assert!(tester.all().is_empty(), "one at a time");
            now += Duration::from_millis(took);
            let other = ClientId(3 - id.0);
            tester.receive(&mut pings, other, &said.replace("ping", "pong"), now);
            tester.receive(&mut pings, id, "pong 77", now);
            tester.receive(&mut pings, id, said.replace("ping", "pong").trim(), now);
            let next = tester.tick(&mut pings, now);
            assert!(tester.all().is_empty(), "not before the gap is over");
            now = next.unwrap_or(now);
        }
        assert!(pings.is_over());
        assert_eq!((pings.samples.len(), pings.lost), (3, 0));
        assert!(pings.samples.percentile(50.0) < Some(2.01) && pings.samples.worst() > Some(2.99));
    }

    #[test]
    fn unanswered_pings_are_lost() {
        let mut tester = PhaseTester::default();
        let mut pings = Pings::new(clients(2), 3, Duration::ZERO, LONG);
        let now = Instant::now();
        tester.tick(&mut pings, now);
        tester.tick(&mut pings, now + ANSWER_TIMEOUT);
        assert_eq!(pings.lost, 1);
        pings.on_event(ClientId(2), ClientEvent::Closed("reset"), now, &mut tester.actions);
        tester.all();
        tester.tick(&mut pings, now + ANSWER_TIMEOUT);
        assert!(tester.sent(ClientId(1)).starts_with("ping"), "a closed client gets no more pings");
        assert_eq!(pings.lost, 2);
        assert!(Pings::new(Vec::new(), 3, Duration::ZERO, LONG).is_over());
    }

    #[test]
    fn a_slow_server_gets_fewer_pings() {
        let mut tester = PhaseTester::default();
        let mut pings = Pings::new(clients(1), 100, Duration::ZERO, Duration::from_secs(1));
        let now = Instant::now();
        tester.tick(&mut pings, now);
        tester.tick(&mut pings, now + Duration::from_secs(2));
        assert!(!pings.is_over(), "the answer is still awaited");
        tester.receive(&mut pings, ClientId(1), "pong 1", now + Duration::from_secs(3));
        tester.tick(&mut pings, now + Duration::from_secs(3));
        assert!(pings.is_over() && pings.lost == 0 && pings.samples.worst() > Some(2990.0));
    }
}
