use super::*;
use crate::pool::SearchId;

const SLICE: Duration = Duration::from_millis(10);

fn job(number: u64) -> JobId {
    JobId { owner: number, search: SearchId(1) }
}

/// A scheduler with a clock of its own.
struct Stand {
    scheduler: Scheduler,
    start: Instant,
    now: Instant,
    orders: Vec<Order>,
}

impl Stand {
    fn new(tokens: usize, limit: usize) -> Stand {
        let now = Instant::now();
        Stand { scheduler: Scheduler::new(tokens, limit, SLICE), start: now, now, orders: Vec::new() }
    }

    fn pass(&mut self, milliseconds: u64) {
        self.now += Duration::from_millis(milliseconds);
    }

    fn analysis(&mut self, number: u64) -> Vec<Order> {
        self.scheduler.arrive(job(number), Class::Analysis, None, self.now, &mut self.orders);
        std::mem::take(&mut self.orders)
    }

    /// A clock search that must end so many milliseconds after the beginning.
    fn clock(&mut self, number: u64, deadline: u64) -> Vec<Order> {
        let deadline = Some(self.start + Duration::from_millis(deadline));
        self.scheduler.arrive(job(number), Class::Clock, deadline, self.now, &mut self.orders);
        std::mem::take(&mut self.orders)
    }

    fn give_back(&mut self, number: u64) -> Vec<Order> {
        self.scheduler.give_back(job(number), self.now, &mut self.orders);
        std::mem::take(&mut self.orders)
    }

    fn depart(&mut self, number: u64) -> Vec<Order> {
        self.scheduler.depart(job(number), self.now, &mut self.orders);
        std::mem::take(&mut self.orders)
    }

    fn grant(&self, number: u64, first: bool) -> Order {
        Order::Grant { job: job(number), until: self.now + SLICE, first }
    }
}

#[test]
fn a_clock_search_takes_the_token_of_an_analysis_at_its_next_poll() {
    let mut stand = Stand::new(1, 8);
    assert_eq!(stand.analysis(1), [stand.grant(1, true)]);
    stand.pass(3);
    assert_eq!(stand.clock(2, 1000), [Order::Revoke { job: job(1) }]);
    assert_eq!(stand.clock(3, 900), [], "one token, one revocation");
    stand.pass(1);
    assert_eq!(stand.give_back(1), [stand.grant(3, true)], "the nearest deadline first");
    stand.pass(10);
    assert_eq!(stand.give_back(3), [stand.grant(2, true)], "who has not run at all goes for one slice");
    stand.pass(10);
    assert_eq!(stand.give_back(2), [stand.grant(3, false)]);
    assert_eq!(stand.depart(3), [stand.grant(2, false)]);
    assert_eq!(stand.depart(2), [stand.grant(1, false)]);
}

#[test]
fn the_analysis_that_has_had_most_gives_first() {
    let mut stand = Stand::new(2, 8);
    stand.analysis(1);
    stand.pass(8);
    stand.analysis(2);
    stand.pass(1);
    // The newcomer began where the first was, so the first, which is older, is not ahead of it …
    stand.give_back(2);
    stand.pass(5);
    // … and both have had the same. Let the first have more.
    let orders = stand.clock(3, 1000);
    assert_eq!(orders.len(), 1);
    let Order::Revoke { job: asked } = orders[0] else { panic!("{orders:?}") };
    let other = if asked == job(1) { 2 } else { 1 };
    assert_eq!(stand.depart(other), [stand.grant(3, true)], "a token came free elsewhere");
    assert_eq!(stand.give_back(asked.owner), [stand.grant(asked.owner, false)]);
}

#[test]
fn a_slice_is_renewed_if_nobody_waits() {
    let mut stand = Stand::new(1, 8);
    stand.analysis(1);
    stand.pass(10);
    assert_eq!(stand.give_back(1), [stand.grant(1, false)]);
    stand.analysis(2);
    stand.pass(10);
    assert_eq!(stand.give_back(1), [stand.grant(2, true)]);
}

#[test]
fn a_newcomer_neither_starves_nor_is_starved() {
    let mut stand = Stand::new(1, 8);
    stand.analysis(1);
    stand.pass(60_000);
    assert_eq!(stand.give_back(1), [stand.grant(1, false)]);
    stand.analysis(2);
    // From here on each has every other slice, however long the first was alone.
    let mut last = 1;
    for _ in 0..6 {
        stand.pass(10);
        let next = 3 - last;
        let orders = stand.give_back(last);
        assert!(matches!(orders[..], [Order::Grant { job, .. }] if job.owner == next), "{orders:?}");
        last = next;
    }
}

#[test]
fn a_ponder_hit_moves_a_suspended_search_to_the_front() {
    let mut stand = Stand::new(1, 8);
    stand.analysis(1);
    stand.analysis(2);
    stand.pass(10);
    stand.give_back(1);
    let deadline = Some(stand.now + Duration::from_secs(1));
    stand.scheduler.reclass(job(1), Class::Clock, deadline, stand.now, &mut stand.orders);
    assert_eq!(stand.orders, [Order::Revoke { job: job(2) }]);
    stand.orders.clear();
    assert_eq!(stand.give_back(2), [stand.grant(1, false)]);
    stand.scheduler.reclass(job(1), Class::Analysis, None, stand.now, &mut stand.orders);
    assert_eq!(stand.orders, []);
}

#[test]
fn beyond_the_limit_searches_wait_without_a_thread() {
    let mut stand = Stand::new(1, 2);
    stand.analysis(1);
    stand.analysis(2);
    assert_eq!(stand.analysis(3), []);
    for _ in 0..10 {
        for number in 1..=2 {
            stand.pass(10);
            let orders = stand.give_back(number);
            assert!(!matches!(orders[..], [Order::Grant { job: JobId { owner: 3, .. }, .. }]));
        }
    }
    assert_eq!(stand.clock(4, 10_000), [Order::Revoke { job: job(1) }], "a clock search is not kept out");
    assert_eq!(stand.give_back(1), [stand.grant(4, true)]);
    stand.depart(4);
    let orders = [stand.depart(1), stand.depart(2)].concat();
    assert!(orders.contains(&stand.grant(3, true)), "a thread came free: {orders:?}");
}

#[test]
fn unknown_names_are_ignored_and_names_in_use_refused() {
    let mut stand = Stand::new(1, 2);
    assert_eq!(stand.depart(9), []);
    assert_eq!(stand.give_back(9), []);
    stand.analysis(1);
    stand.analysis(2);
    assert_eq!(stand.give_back(2), [], "it waits already");
    assert!(!stand.scheduler.arrive(job(1), Class::Clock, None, stand.now, &mut stand.orders));
    assert_eq!(stand.scheduler.len(), 2);
}
