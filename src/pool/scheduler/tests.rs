mod sources;

use super::*;
use crate::pool::SearchId;

fn job(number: u64) -> JobId {
    JobId { owner: number, search: SearchId(1) }
}

/// A scheduler with a clock of its own.
struct Stand {
    scheduler: Scheduler,
    now: Instant,
    orders: Vec<Order>,
}

impl Stand {
    fn new(tokens: usize, limit: usize) -> Stand {
        let now = Instant::now();
        Stand { scheduler: Scheduler::new(tokens, limit), now, orders: Vec::new() }
    }

    fn pass(&mut self, milliseconds: u64) {
        self.now += Duration::from_millis(milliseconds);
    }

    fn told(&mut self) -> Vec<Order> {
        std::mem::take(&mut self.orders)
    }

    fn arrive(&mut self, number: u64, class: Class) -> Vec<Order> {
        self.arrive_from(Source::of(number), number, Claim::of(class))
    }

    fn arrive_from(&mut self, source: Source, number: u64, claim: Claim) -> Vec<Order> {
        assert_eq!(self.scheduler.arrive(job(number), source, claim, self.now, &mut self.orders), Ok(()));
        self.told()
    }

    fn analysis(&mut self, number: u64) -> Vec<Order> {
        self.arrive(number, Class::Analysis)
    }

    /// A search whose clock starts now and that would think for so many milliseconds.
    fn clock(&mut self, number: u64, optimum: u64) -> Vec<Order> {
        let claim = self.pace(optimum);
        self.arrive_from(Source::of(number), number, claim)
    }

    fn pace(&self, optimum: u64) -> Claim {
        let optimum = Duration::from_millis(optimum);
        Claim { class: Class::Clock, pace: Some(Pace { since: self.now, optimum }) }
    }

    fn give_back(&mut self, number: u64) -> Vec<Order> {
        self.scheduler.give_back(job(number), self.now, &mut self.orders);
        self.told()
    }

    fn depart(&mut self, number: u64) -> Vec<Order> {
        self.scheduler.depart(job(number), self.now, &mut self.orders);
        self.told()
    }

    fn hold(&mut self, number: u64) -> Vec<Order> {
        self.scheduler.hold(job(number), self.now, &mut self.orders);
        self.told()
    }

    fn resume(&mut self, number: u64, class: Class) -> Vec<Order> {
        self.scheduler.resume(job(number), Claim::of(class), self.now, &mut self.orders);
        self.told()
    }

    /// Lets so many slices pass, and tells who had them.
    fn turns(&mut self, count: usize) -> Vec<u64> {
        (0..count)
            .map(|_| {
                let running = self.scheduler.running[0].owner;
                self.pass(10);
                self.give_back(running);
                running
            })
            .collect()
    }
}

/// Who is granted a token, if that is all that is ordered.
fn granted(orders: &[Order]) -> Option<u64> {
    match orders {
        [Order::Grant { job, .. }] => Some(job.owner),
        _ => None,
    }
}

fn asked(number: u64) -> [Order; 1] {
    [Order::Revoke { job: job(number) }]
}

fn count(turns: &[u64], number: u64) -> usize {
    turns.iter().filter(|&&turn| turn == number).count()
}

#[test]
fn a_clock_search_takes_the_token_of_any_other_at_its_next_poll() {
    for class in [Class::Reply, Class::Analysis, Class::Ponder, Class::Help] {
        let mut stand = Stand::new(1, 8);
        let first = stand.arrive(1, class);
        assert!(matches!(first[..], [Order::Grant { first: true, .. }]));
        stand.pass(1);
        assert_eq!(stand.clock(2, 1000), asked(1));
        assert_eq!(stand.clock(3, 1000), [], "one token, one revocation");
        stand.pass(1);
        assert_eq!(granted(&stand.give_back(1)), Some(2));
        stand.pass(2);
        assert_eq!(granted(&stand.give_back(2)), Some(3), "everybody has a look first");
        stand.depart(2);
        assert_eq!(granted(&stand.depart(3)), Some(1));
    }
}

#[test]
fn who_is_late_by_more_of_its_time_goes_first() {
    let mut stand = Stand::new(1, 8);
    stand.clock(1, 10_000);
    stand.clock(2, 100);
    stand.pass(2);
    assert_eq!(granted(&stand.give_back(1)), Some(2));
    stand.pass(2);
    // Both have waited for two milliseconds.
    assert_eq!(granted(&stand.give_back(2)), Some(2));
    for _ in 0..10 {
        stand.pass(5);
        assert_eq!(granted(&stand.give_back(2)), Some(2), "fifty are little of ten seconds");
    }
    stand.pass(300);
    assert_eq!(granted(&stand.give_back(2)), Some(1), "three hundred are more");
}

#[test]
fn a_first_slice_is_a_look() {
    let mut stand = Stand::new(1, 8);
    let slice = |stand: &Stand, orders: &[Order]| match orders {
        [Order::Grant { until, .. }] => (*until - stand.now).as_millis(),
        other => panic!("{other:?}"),
    };
    let orders = stand.clock(1, 1000);
    assert_eq!(slice(&stand, &orders), 2);
    let orders = stand.give_back(1);
    assert_eq!(slice(&stand, &orders), 5);
    stand.depart(1);
    stand.analysis(2);
    let orders = stand.give_back(2);
    assert_eq!(slice(&stand, &orders), 10);
}

#[test]
fn where_many_wait_slices_are_long() {
    let mut stand = Stand::new(1, 99);
    (1..=20).for_each(|number| drop(stand.analysis(number)));
    let mut orders = Vec::new();
    for number in 1..=20 {
        stand.pass(2);
        orders = stand.give_back(number);
    }
    let [Order::Grant { until, first: false, .. }] = orders[..] else { panic!("{orders:?}") };
    assert_eq!((until - stand.now).as_millis(), 20);
}

#[test]
fn who_is_worth_least_gives_first_and_of_equals_who_has_had_most() {
    let mut stand = Stand::new(4, 8);
    stand.arrive(1, Class::Reply);
    stand.analysis(2);
    stand.pass(5);
    stand.analysis(3);
    stand.arrive(4, Class::Ponder);
    assert_eq!(stand.clock(5, 1000), asked(4));
    let orders = stand.clock(6, 1000);
    assert!(orders == asked(2) || orders == asked(3), "{orders:?}");
    stand.clock(7, 1000);
    assert_eq!(stand.clock(8, 1000), asked(1));
    assert_eq!(stand.clock(9, 1000), []);
}

#[test]
fn a_slice_is_renewed_if_nobody_waits() {
    let mut stand = Stand::new(1, 8);
    stand.analysis(1);
    stand.pass(10);
    assert_eq!(granted(&stand.give_back(1)), Some(1));
    stand.analysis(2);
    stand.pass(10);
    assert_eq!(granted(&stand.give_back(1)), Some(2));
}

#[test]
fn a_newcomer_neither_starves_nor_is_starved() {
    let mut stand = Stand::new(1, 8);
    stand.analysis(1);
    stand.pass(60_000);
    stand.give_back(1);
    stand.analysis(2);
    let turns = stand.turns(20);
    assert!((9..=11).contains(&count(&turns, 1)), "{turns:?}");
}

#[test]
fn pondering_has_a_quarter_of_what_an_analysis_has() {
    let mut stand = Stand::new(1, 8);
    stand.analysis(1);
    stand.arrive(2, Class::Ponder);
    let turns = stand.turns(50);
    assert!((9..=11).contains(&count(&turns, 2)), "{turns:?}");
}

#[test]
fn replies_have_three_parts_of_four_and_no_more() {
    let mut stand = Stand::new(1, 99);
    (1..=20).for_each(|number| drop(stand.analysis(number)));
    (21..=40).for_each(|number| drop(stand.arrive(number, Class::Ponder)));
    stand.turns(60);
    stand.arrive(50, Class::Reply);
    let mut turns = stand.turns(12);
    assert!(count(&turns[1..], 50) > 10, "it goes first: {turns:?}");
    stand.turns(20);
    turns = stand.turns(40);
    assert!((29..=31).contains(&count(&turns, 50)), "{turns:?}");
}

#[test]
fn help_is_what_nobody_else_wants() {
    let mut stand = Stand::new(2, 8);
    stand.arrive(1, Class::Ponder);
    stand.arrive(2, Class::Help);
    assert_eq!(stand.scheduler.running(), 2);
    assert_eq!(stand.arrive(3, Class::Ponder), asked(2), "even pondering goes first");
    assert_eq!(granted(&stand.give_back(2)), Some(3));
    stand.pass(10);
    assert_eq!(granted(&stand.give_back(1)), Some(1), "a helper waits");
    assert_eq!(granted(&stand.depart(1)), Some(2));
}

#[test]
fn a_ponder_hit_moves_a_suspended_search_to_the_front() {
    let mut stand = Stand::new(1, 8);
    stand.arrive(1, Class::Ponder);
    stand.analysis(2);
    stand.pass(2);
    assert_eq!(granted(&stand.give_back(1)), Some(2));
    let claim = stand.pace(1000);
    stand.scheduler.reclass(job(1), claim, stand.now, &mut stand.orders);
    assert_eq!(stand.told(), asked(2));
    assert_eq!(granted(&stand.give_back(2)), Some(1));
    stand.scheduler.reclass(job(1), Claim::of(Class::Analysis), stand.now, &mut stand.orders);
    assert_eq!(stand.told(), []);
}

#[test]
fn beyond_the_limit_of_a_class_nobody_is_admitted() {
    let mut stand = Stand::new(1, 2);
    stand.analysis(1);
    stand.analysis(2);
    stand.hold(2);
    let arrives = |stand: &mut Stand, class| {
        stand.scheduler.arrive(job(3), Source::of(3), Claim::of(class), stand.now, &mut stand.orders)
    };
    assert_eq!(arrives(&mut stand, Class::Analysis), Err(Refusal::Full(2)));
    assert_eq!((stand.told(), stand.scheduler.len()), (vec![], 2));
    assert_eq!(stand.clock(4, 1000), asked(1), "a clock search is not kept out");
    stand.depart(2);
    assert_eq!(arrives(&mut stand, Class::Analysis), Ok(()));
    assert_eq!(arrives(&mut stand, Class::Clock), Err(Refusal::NameInUse));
}

#[test]
fn unknown_names_are_ignored() {
    let mut stand = Stand::new(1, 2);
    assert_eq!(stand.depart(9), []);
    assert_eq!(stand.give_back(9), []);
    stand.analysis(1);
    stand.analysis(2);
    assert_eq!(stand.give_back(2), [], "it waits already");
}

#[test]
fn clock_searches_without_a_time_take_what_those_with_one_leave() {
    let mut stand = Stand::new(1, 8);
    stand.arrive(1, Class::Clock);
    stand.arrive(2, Class::Clock);
    stand.clock(3, 1000);
    stand.pass(2);
    assert_eq!(granted(&stand.give_back(1)), Some(3));
    stand.pass(2);
    assert_eq!(granted(&stand.give_back(3)), Some(2), "for a look");
    stand.pass(2);
    assert_eq!(granted(&stand.give_back(2)), Some(3));
    assert_eq!(stand.turns(4), [3; 4]);
    stand.depart(3);
    let turns = stand.turns(8);
    assert_eq!(count(&turns, 1), 4, "{turns:?}");
}

#[test]
fn with_a_clock_nobody_gets_a_second_more_than_others() {
    let mut stand = Stand::new(1, 8);
    // This one never waits for long in units of what it needs.
    stand.clock(1, 1_000_000);
    stand.clock(2, 20);
    stand.pass(2);
    stand.give_back(1);
    let turns = stand.turns(300);
    assert!(turns[..90].iter().all(|&turn| turn == 2), "{turns:?}");
    assert!((90..=110).contains(&count(&turns[100..], 1)), "{turns:?}");
}

#[test]
fn a_held_search_gives_its_token_and_gets_none_until_it_is_resumed() {
    let mut stand = Stand::new(1, 8);
    stand.clock(1, 1000);
    stand.analysis(2);
    assert_eq!(stand.hold(1), asked(1));
    assert_eq!(stand.hold(1), [], "it is held already");
    stand.pass(1);
    assert_eq!(granted(&stand.give_back(1)), Some(2));
    stand.pass(10);
    assert_eq!(granted(&stand.give_back(2)), Some(2));
    assert_eq!(stand.resume(1, Class::Clock), asked(2));
    stand.pass(1);
    assert_eq!(granted(&stand.give_back(2)), Some(1));
}

#[test]
fn a_search_that_is_resumed_before_its_next_poll_goes_on_in_turn() {
    let mut stand = Stand::new(1, 8);
    stand.analysis(1);
    stand.analysis(2);
    stand.pass(1);
    assert_eq!(stand.hold(1), asked(1));
    assert_eq!(stand.resume(1, Class::Analysis), []);
    stand.pass(1);
    assert_eq!(granted(&stand.give_back(1)), Some(2));
    stand.pass(10);
    assert_eq!(granted(&stand.give_back(2)), Some(1));
}

#[test]
fn a_search_that_is_held_before_it_begins_does_not_begin() {
    let mut stand = Stand::new(1, 8);
    stand.analysis(1);
    stand.clock(2, 1000);
    stand.hold(2);
    stand.pass(10);
    assert_eq!(granted(&stand.give_back(1)), Some(1));
    assert_eq!(stand.resume(2, Class::Analysis), []);
    stand.pass(10);
    assert_eq!(granted(&stand.give_back(1)), Some(2));
}

#[test]
fn who_was_held_for_long_has_nothing_to_catch_up_and_nothing_to_pay() {
    let mut stand = Stand::new(1, 8);
    stand.analysis(1);
    stand.pass(60_000);
    stand.hold(1);
    assert_eq!(stand.give_back(1), []);
    stand.analysis(2);
    stand.analysis(3);
    stand.turns(4);
    stand.hold(2);
    stand.turns(100);
    stand.resume(1, Class::Analysis);
    stand.resume(2, Class::Analysis);
    let turns = stand.turns(30);
    (1..=3).for_each(|number| assert!((9..=11).contains(&count(&turns, number)), "{turns:?}"));
}
