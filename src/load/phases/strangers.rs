//! Connections that say nothing, and come again as soon as they are closed.

use crate::load::phase::{Event, Id, Orders, Phase};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Strangers.
pub struct Strangers {
    count: usize,
    lasting: Duration,
    end: Option<Instant>,
    here: BTreeSet<Id>,
    /// How often one of them came.
    pub came: usize,
    over: bool,
}

impl Strangers {
    /// So many at one time, for so long.
    pub fn new(count: usize, lasting: Duration) -> Strangers {
        Strangers { count, lasting, end: None, here: BTreeSet::new(), came: 0, over: false }
    }

    fn come(&mut self, orders: &mut Orders) {
        self.here.insert(orders.open());
        self.came += 1;
    }
}

impl Phase for Strangers {
    fn heard(&mut self, id: Id, event: Event<'_>, _: Instant, orders: &mut Orders) {
        if matches!(event, Event::Closed(_)) && self.here.remove(&id) {
            self.come(orders);
        }
    }

    fn tick(&mut self, now: Instant, orders: &mut Orders) -> Option<Instant> {
        if self.end.is_none() {
            (0..self.count).for_each(|_| self.come(orders));
        }
        let end = *self.end.get_or_insert(now + self.lasting);
        self.over = now >= end;
        Some(end)
    }

    fn is_over(&self) -> bool {
        self.over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::phase::Order;
    use crate::load::phase::tests::Stage;

    #[test]
    fn who_is_closed_comes_again() {
        let (mut stage, now) = (Stage::default(), Instant::now());
        let mut strangers = Strangers::new(2, Duration::from_secs(1));
        stage.tick(&mut strangers, now);
        assert_eq!(stage.all(), [Order::Open(Id(1)), Order::Open(Id(2))]);
        strangers.heard(Id(1), Event::Closed("by the server"), now, &mut stage.orders);
        strangers.heard(Id(1), Event::Closed("twice"), now, &mut stage.orders);
        assert_eq!(stage.all(), [Order::Open(Id(3))]);
        assert_eq!((strangers.came, strangers.is_over()), (3, false));
        stage.tick(&mut strangers, now + Duration::from_secs(1));
        assert!(strangers.is_over());
    }
}
