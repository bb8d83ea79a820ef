//! How long a `ping` takes: one at a time, each session in its turn.

use super::PATIENCE;
use crate::load::heard::Heard;
use crate::load::phase::{Event, Id, Orders, Phase};
use crate::load::statistics::Samples;
use std::time::{Duration, Instant};

/// Asks.
pub struct Pings {
    ids: Vec<Id>,
    /// Between an answer and the next question.
    gap: Duration,
    left: usize,
    lasting: Duration,
    /// When no more is asked.
    end: Option<Instant>,
    asked: u64,
    /// Whom, which number, when.
    waiting: Option<(Id, u64, Instant)>,
    next: Option<Instant>,
    /// How long the answers took.
    pub samples: Samples,
    /// Questions without an answer.
    pub lost: usize,
}

impl Pings {
    /// So many questions, to these sessions in turn; fewer if that takes longer than this.
    pub fn new(ids: Vec<Id>, count: usize, gap: Duration, lasting: Duration) -> Pings {
        Pings {
            left: if ids.is_empty() { 0 } else { count },
            ids,
            gap,
            lasting,
            end: None,
            asked: 0,
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
    fn heard(&mut self, id: Id, event: Event<'_>, now: Instant, _: &mut Orders) {
        let Some((asked, number, since)) = self.waiting.filter(|&(asked, ..)| asked == id) else { return };
        match event {
            Event::Line(line) if Heard::in_line(line) == Heard::Pong(number) => {
                self.samples.add(now.saturating_duration_since(since));
                self.go_on(now);
            }
            Event::Closed(_) => {
                self.lost += 1;
                self.ids.retain(|&other| other != asked);
                self.go_on(now);
            }
            _ => {}
        }
    }

    fn tick(&mut self, now: Instant, orders: &mut Orders) -> Option<Instant> {
        if let Some((.., since)) = self.waiting {
            if now < since + PATIENCE {
                return Some(since + PATIENCE);
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
        // Far from the numbers that others use.
        let number = 1_000_000 + self.asked;
        let id = self.ids[self.asked as usize % self.ids.len()];
        self.asked += 1;
        self.waiting = Some((id, number, now));
        orders.say(id, format!("ping {number}\n"));
        Some(now + PATIENCE)
    }

    fn is_over(&self) -> bool {
        self.left == 0 || self.ids.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::phase::tests::Stage;

    const LONG: Duration = Duration::from_secs(3600);

    #[test]
    fn one_at_a_time_and_each_in_turn() {
        let mut stage = Stage::default();
        let mut pings = Pings::new(vec![Id(1), Id(2)], 3, Duration::from_millis(5), LONG);
        let mut now = Instant::now();
        for (id, took) in [(Id(1), 3), (Id(2), 1), (Id(1), 2)] {
            stage.tick(&mut pings, now);
            let said = stage.said(id);
            assert!(said.starts_with("ping 100000"), "{said}");
            stage.tick(&mut pings, now);
            assert!(stage.all().is_empty(), "one at a time");
            now += Duration::from_millis(took);
            let other = Id(3 - id.0);
            stage.hear(&mut pings, other, &said.replace("ping", "pong"), now);
            stage.hear(&mut pings, id, "pong 1", now);
            stage.hear(&mut pings, id, said.replace("ping", "pong").trim(), now);
            let next = stage.tick(&mut pings, now);
            assert!(stage.all().is_empty(), "not before the gap is over");
            now = next.unwrap_or(now);
        }
        assert!(pings.is_over());
        assert_eq!((pings.samples.len(), pings.lost), (3, 0));
        assert_eq!((pings.samples.percentile(50.0), pings.samples.worst()), (Some(2.0), Some(3.0)));
    }

    #[test]
    fn what_is_not_answered_is_lost() {
        let mut stage = Stage::default();
        let mut pings = Pings::new(vec![Id(1), Id(2)], 3, Duration::ZERO, LONG);
        let now = Instant::now();
        stage.tick(&mut pings, now);
        stage.tick(&mut pings, now + PATIENCE);
        assert_eq!(pings.lost, 1);
        pings.heard(Id(2), Event::Closed("reset"), now, &mut stage.orders);
        stage.all();
        stage.tick(&mut pings, now + PATIENCE);
        assert!(stage.said(Id(1)).starts_with("ping"), "who is gone is asked no more");
        assert_eq!(pings.lost, 2);
        assert!(Pings::new(Vec::new(), 3, Duration::ZERO, LONG).is_over());
    }

    #[test]
    fn a_slow_server_is_asked_less() {
        let mut stage = Stage::default();
        let mut pings = Pings::new(vec![Id(1)], 100, Duration::ZERO, Duration::from_secs(1));
        let now = Instant::now();
        stage.tick(&mut pings, now);
        stage.tick(&mut pings, now + Duration::from_secs(2));
        assert!(!pings.is_over(), "the answer is still waited for");
        stage.hear(&mut pings, Id(1), "pong 1000000", now + Duration::from_secs(3));
        stage.tick(&mut pings, now + Duration::from_secs(3));
        assert!(pings.is_over() && pings.lost == 0 && pings.samples.worst() == Some(3000.0));
    }
}
