mod sources;

use super::*;
use crate::pool::SearchId;

fn job(number: u64) -> JobId {
    JobId { owner: number, search: SearchId(1) }
}

/// A scheduler with a clock of its own.
struct Harness {
    scheduler: Scheduler,
    now: Instant,
    decisions: Vec<Decision>,
}

impl Harness {
    fn new(tokens: usize, limit: usize) -> Harness {
        let now = Instant::now();
        Harness { scheduler: Scheduler::new(tokens, limit), now, decisions: Vec::new() }
    }

    fn pass(&mut self, milliseconds: u64) {
        self.now += Duration::from_millis(milliseconds);
    }

    fn take_decisions(&mut self) -> Vec<Decision> {
        std::mem::take(&mut self.decisions)
    }

    fn admit(&mut self, number: u64, class: Class) -> Vec<Decision> {
        self.admit_from(Source::of(number), number, SearchParams::of(class))
    }

    fn admit_from(&mut self, source: Source, number: u64, params: SearchParams) -> Vec<Decision> {
        assert_eq!(self.scheduler.admit(job(number), source, params, self.now, &mut self.decisions), Ok(()));
        self.take_decisions()
    }

    fn analysis(&mut self, number: u64) -> Vec<Decision> {
        self.admit(number, Class::Analysis)
    }

    /// A search whose clock starts now and that would think for `optimum` milliseconds.
    fn clock(&mut self, number: u64, optimum: u64) -> Vec<Decision> {
        let params = self.urgent(optimum);
        self.admit_from(Source::of(number), number, params)
    }

    fn coarse(class: Class) -> SearchParams {
        SearchParams { coarse: true, ..SearchParams::of(class) }
    }

    fn urgent(&self, optimum: u64) -> SearchParams {
        let optimum = Duration::from_millis(optimum);
        SearchParams {
            class: Class::Clock,
            urgency: Some(Urgency { since: self.now, optimum }),
            coarse: false,
        }
    }

    fn yield_token(&mut self, number: u64) -> Vec<Decision> {
        self.scheduler.yield_token(job(number), self.now, &mut self.decisions);
        self.take_decisions()
    }

    fn remove(&mut self, number: u64) -> Vec<Decision> {
        self.scheduler.remove(job(number), self.now, &mut self.decisions);
        self.take_decisions()
    }

    fn hold(&mut self, number: u64) -> Vec<Decision> {
        self.scheduler.hold(job(number), self.now, &mut self.decisions);
        self.take_decisions()
    }

    fn resume(&mut self, number: u64, class: Class) -> Vec<Decision> {
        self.scheduler.resume(job(number), SearchParams::of(class), self.now, &mut self.decisions);
        self.take_decisions()
    }

    /// Lets `count` slices pass; returns the owners that had them.
    fn turns(&mut self, count: usize) -> Vec<u64> {
        (0..count)
            .map(|_| {
                let running = self.scheduler.running[0].owner;
                self.pass(10);
                self.yield_token(running);
                running
            })
            .collect()
    }
}

/// The owner that is granted a token, if that is the only decision.
fn granted(decisions: &[Decision]) -> Option<u64> {
    match decisions {
        [Decision::Grant { job, .. }] => Some(job.owner),
        _ => None,
    }
}

fn asked(number: u64) -> [Decision; 1] {
    [Decision::Revoke { job: job(number) }]
}

fn count(turns: &[u64], number: u64) -> usize {
    turns.iter().filter(|&&turn| turn == number).count()
}

#[test]
fn a_clock_search_takes_the_token_of_any_other_at_its_next_poll() {
    for class in [Class::Reply, Class::Analysis, Class::Ponder, Class::Help] {
        let mut harness = Harness::new(1, 8);
        let first = harness.admit(1, class);
        assert!(matches!(first[..], [Decision::Grant { first: true, .. }]));
        harness.pass(1);
        assert_eq!(harness.clock(2, 1000), asked(1));
        assert_eq!(harness.clock(3, 1000), [], "one token, one revocation");
        harness.pass(1);
        assert_eq!(granted(&harness.yield_token(1)), Some(2));
        harness.pass(2);
        assert_eq!(granted(&harness.yield_token(2)), Some(3), "everybody has a look first");
        harness.remove(2);
        assert_eq!(granted(&harness.remove(3)), Some(1));
    }
}

#[test]
fn a_newcomer_or_a_reply_ends_a_long_slice() {
    let mut harness = Harness::new(1, 8);
    let coarse = Harness::coarse(Class::Analysis);
    harness.admit_from(Source::of(1), 1, coarse);
    harness.pass(1);
    assert_eq!(granted(&harness.yield_token(1)), Some(1), "it has said its first variation");
    harness.pass(1);
    assert_eq!(harness.admit_from(Source::of(2), 2, coarse), asked(1));
    harness.pass(1);
    assert_eq!(granted(&harness.yield_token(1)), Some(2));
    harness.pass(1);
    let next = harness.yield_token(2);
    assert_eq!(granted(&next), Some(1), "both have had the same, and it has waited longer");
    let [Decision::Grant { until, .. }] = next[..] else { panic!("{next:?}") };
    assert_eq!(until - harness.now, Duration::from_millis(100));
    harness.pass(1);
    assert_eq!(harness.admit(3, Class::Reply), asked(1));
    harness.pass(1);
    assert_eq!(granted(&harness.yield_token(1)), Some(3));
    assert_eq!(harness.remove(3).len(), 1, "one of them goes on");
}

#[test]
fn a_newcomer_does_not_end_the_first_slice_of_another() {
    let mut harness = Harness::new(1, 8);
    let coarse = Harness::coarse(Class::Analysis);
    harness.admit_from(Source::of(1), 1, coarse);
    harness.pass(1);
    assert_eq!(harness.admit_from(Source::of(2), 2, coarse), []);
    harness.pass(30);
    assert_eq!(granted(&harness.yield_token(1)), Some(2), "it has said its first variation");
    harness.pass(1);
    assert_eq!(harness.clock(3, 1000), asked(2), "a clock is another matter");
}

#[test]
fn with_long_slices_a_clock_that_has_nothing_goes_first_however_many_there_are() {
    let mut harness = Harness::new(1, 100);
    let urgent = |harness: &Harness| SearchParams { coarse: true, ..harness.urgent(1000) };
    let params = urgent(&harness);
    harness.admit_from(Source::of(1), 1, params);
    harness.pass(20);
    assert_eq!(granted(&harness.yield_token(1)), Some(1));
    harness.pass(80);
    let params = urgent(&harness);
    for number in 2..=50 {
        harness.admit_from(Source::of(number), number, params);
    }
    // A second of first slices, during which the first search becomes the most delayed.
    for number in 2..=50 {
        assert_eq!(granted(&harness.yield_token(number - 1)), Some(number));
        harness.pass(20);
    }
    assert_eq!(granted(&harness.yield_token(50)), Some(1));
}

#[test]
fn a_long_slice_grows_with_what_was_searched() {
    let mut harness = Harness::new(1, 8);
    for number in [1, 2] {
        harness.admit_from(Source::of(number), number, Harness::coarse(Class::Analysis));
    }
    let mut longest = Duration::ZERO;
    for _ in 0..100 {
        let running = harness.scheduler.running[0].owner;
        harness.pass(200);
        let next = harness.yield_token(running);
        let [Decision::Grant { until, .. }] = next[..] else { panic!("{next:?}") };
        assert!(until - harness.now >= Duration::from_millis(100) && until - harness.now >= longest / 2);
        longest = longest.max(until - harness.now);
    }
    assert_eq!(longest, Duration::from_secs(1));
}

#[test]
fn who_is_late_by_more_of_its_time_goes_first() {
    let mut harness = Harness::new(1, 8);
    harness.clock(1, 10_000);
    harness.clock(2, 100);
    harness.pass(2);
    assert_eq!(granted(&harness.yield_token(1)), Some(2));
    harness.pass(2);
    // Both have waited for two milliseconds.
    assert_eq!(granted(&harness.yield_token(2)), Some(2));
    for _ in 0..10 {
        harness.pass(5);
        assert_eq!(granted(&harness.yield_token(2)), Some(2), "fifty are little of ten seconds");
    }
    harness.pass(300);
    assert_eq!(granted(&harness.yield_token(2)), Some(1), "three hundred are more");
}

#[test]
fn a_first_slice_is_a_look() {
    let mut harness = Harness::new(1, 8);
    let slice = |harness: &Harness, decisions: &[Decision]| match decisions {
        [Decision::Grant { until, .. }] => (*until - harness.now).as_millis(),
        other => panic!("{other:?}"),
    };
    let decisions = harness.clock(1, 1000);
    assert_eq!(slice(&harness, &decisions), 2);
    let decisions = harness.yield_token(1);
    assert_eq!(slice(&harness, &decisions), 5);
    harness.remove(1);
    harness.analysis(2);
    let decisions = harness.yield_token(2);
    assert_eq!(slice(&harness, &decisions), 10);
}

#[test]
fn where_many_wait_slices_are_long() {
    let mut harness = Harness::new(1, 99);
    (1..=20).for_each(|number| drop(harness.analysis(number)));
    let mut decisions = Vec::new();
    for number in 1..=20 {
        harness.pass(2);
        decisions = harness.yield_token(number);
    }
    let [Decision::Grant { until, first: false, .. }] = decisions[..] else { panic!("{decisions:?}") };
    assert_eq!((until - harness.now).as_millis(), 20);
}

#[test]
fn who_is_worth_least_gives_first_and_of_equals_who_has_had_most() {
    let mut harness = Harness::new(4, 8);
    harness.admit(1, Class::Reply);
    harness.analysis(2);
    harness.pass(5);
    harness.analysis(3);
    harness.admit(4, Class::Ponder);
    assert_eq!(harness.clock(5, 1000), asked(4));
    let decisions = harness.clock(6, 1000);
    assert!(decisions == asked(2) || decisions == asked(3), "{decisions:?}");
    harness.clock(7, 1000);
    assert_eq!(harness.clock(8, 1000), asked(1));
    assert_eq!(harness.clock(9, 1000), []);
}

#[test]
fn a_slice_is_renewed_if_nobody_waits() {
    let mut harness = Harness::new(1, 8);
    harness.analysis(1);
    harness.pass(10);
    assert_eq!(granted(&harness.yield_token(1)), Some(1));
    harness.analysis(2);
    harness.pass(10);
    assert_eq!(granted(&harness.yield_token(1)), Some(2));
}

#[test]
fn a_newcomer_neither_starves_nor_is_starved() {
    let mut harness = Harness::new(1, 8);
    harness.analysis(1);
    harness.pass(60_000);
    harness.yield_token(1);
    harness.analysis(2);
    let turns = harness.turns(20);
    assert!((9..=11).contains(&count(&turns, 1)), "{turns:?}");
}

#[test]
fn pondering_has_a_quarter_of_what_an_analysis_has() {
    let mut harness = Harness::new(1, 8);
    harness.analysis(1);
    harness.admit(2, Class::Ponder);
    let turns = harness.turns(50);
    assert!((9..=11).contains(&count(&turns, 2)), "{turns:?}");
}

#[test]
fn replies_have_three_parts_of_four_and_no_more() {
    let mut harness = Harness::new(1, 99);
    (1..=20).for_each(|number| drop(harness.analysis(number)));
    (21..=40).for_each(|number| drop(harness.admit(number, Class::Ponder)));
    harness.turns(60);
    harness.admit(50, Class::Reply);
    let mut turns = harness.turns(12);
    assert!(count(&turns[1..], 50) > 10, "it goes first: {turns:?}");
    harness.turns(20);
    turns = harness.turns(40);
    assert!((29..=31).contains(&count(&turns, 50)), "{turns:?}");
}

#[test]
fn help_is_what_nobody_else_wants() {
    let mut harness = Harness::new(2, 8);
    harness.admit(1, Class::Ponder);
    harness.admit(2, Class::Help);
    assert_eq!(harness.scheduler.running(), 2);
    assert_eq!(harness.admit(3, Class::Ponder), asked(2), "even pondering goes first");
    assert_eq!(granted(&harness.yield_token(2)), Some(3));
    harness.pass(10);
    assert_eq!(granted(&harness.yield_token(1)), Some(1), "a helper waits");
    assert_eq!(granted(&harness.remove(1)), Some(2));
}

#[test]
fn a_ponder_hit_moves_a_suspended_search_to_the_front() {
    let mut harness = Harness::new(1, 8);
    harness.admit(1, Class::Ponder);
    harness.analysis(2);
    harness.pass(2);
    assert_eq!(granted(&harness.yield_token(1)), Some(2));
    let params = harness.urgent(1000);
    harness.scheduler.set_params(job(1), params, harness.now, &mut harness.decisions);
    assert_eq!(harness.take_decisions(), asked(2));
    assert_eq!(granted(&harness.yield_token(2)), Some(1));
    harness.scheduler.set_params(
        job(1),
        SearchParams::of(Class::Analysis),
        harness.now,
        &mut harness.decisions,
    );
    assert_eq!(harness.take_decisions(), []);
}

#[test]
fn beyond_the_limit_of_a_class_nobody_is_admitted() {
    let mut harness = Harness::new(1, 2);
    harness.analysis(1);
    harness.analysis(2);
    harness.hold(2);
    let admits = |harness: &mut Harness, class| {
        harness.scheduler.admit(
            job(3),
            Source::of(3),
            SearchParams::of(class),
            harness.now,
            &mut harness.decisions,
        )
    };
    assert_eq!(admits(&mut harness, Class::Analysis), Err(Refusal::Full(2)));
    assert_eq!((harness.take_decisions(), harness.scheduler.len()), (vec![], 2));
    assert_eq!(harness.clock(4, 1000), asked(1), "a clock search is not kept out");
    harness.remove(2);
    assert_eq!(admits(&mut harness, Class::Analysis), Ok(()));
    assert_eq!(admits(&mut harness, Class::Clock), Err(Refusal::DuplicateId));
}

#[test]
fn unknown_names_are_ignored() {
    let mut harness = Harness::new(1, 2);
    assert_eq!(harness.remove(9), []);
    assert_eq!(harness.yield_token(9), []);
    harness.analysis(1);
    harness.analysis(2);
    assert_eq!(harness.yield_token(2), [], "it waits already");
}

#[test]
fn clock_searches_without_a_time_take_what_those_with_one_leave() {
    let mut harness = Harness::new(1, 8);
    harness.admit(1, Class::Clock);
    harness.admit(2, Class::Clock);
    harness.clock(3, 1000);
    harness.pass(2);
    assert_eq!(granted(&harness.yield_token(1)), Some(3));
    harness.pass(2);
    assert_eq!(granted(&harness.yield_token(3)), Some(2), "for a look");
    harness.pass(2);
    assert_eq!(granted(&harness.yield_token(2)), Some(3));
    assert_eq!(harness.turns(4), [3; 4]);
    harness.remove(3);
    let turns = harness.turns(8);
    assert_eq!(count(&turns, 1), 4, "{turns:?}");
}

#[test]
fn with_a_clock_nobody_gets_a_second_more_than_others() {
    let mut harness = Harness::new(1, 8);
    // Relative to its time, this search never waits long.
    harness.clock(1, 1_000_000);
    harness.clock(2, 20);
    harness.pass(2);
    harness.yield_token(1);
    let turns = harness.turns(300);
    assert!(turns[..90].iter().all(|&turn| turn == 2), "{turns:?}");
    assert!((90..=110).contains(&count(&turns[100..], 1)), "{turns:?}");
}

#[test]
fn a_held_search_gives_its_token_and_gets_none_until_it_is_resumed() {
    let mut harness = Harness::new(1, 8);
    harness.clock(1, 1000);
    harness.analysis(2);
    assert_eq!(harness.hold(1), asked(1));
    assert_eq!(harness.hold(1), [], "it is held already");
    harness.pass(1);
    assert_eq!(granted(&harness.yield_token(1)), Some(2));
    harness.pass(10);
    assert_eq!(granted(&harness.yield_token(2)), Some(2));
    assert_eq!(harness.resume(1, Class::Clock), asked(2));
    harness.pass(1);
    assert_eq!(granted(&harness.yield_token(2)), Some(1));
}

#[test]
fn a_search_that_is_resumed_before_its_next_poll_goes_on_in_turn() {
    let mut harness = Harness::new(1, 8);
    harness.analysis(1);
    harness.analysis(2);
    harness.pass(1);
    assert_eq!(harness.hold(1), asked(1));
    assert_eq!(harness.resume(1, Class::Analysis), []);
    harness.pass(1);
    assert_eq!(granted(&harness.yield_token(1)), Some(2));
    harness.pass(10);
    assert_eq!(granted(&harness.yield_token(2)), Some(1));
}

#[test]
fn a_search_that_is_held_before_it_begins_does_not_begin() {
    let mut harness = Harness::new(1, 8);
    harness.analysis(1);
    harness.clock(2, 1000);
    harness.hold(2);
    harness.pass(10);
    assert_eq!(granted(&harness.yield_token(1)), Some(1));
    assert_eq!(harness.resume(2, Class::Analysis), []);
    harness.pass(10);
    assert_eq!(granted(&harness.yield_token(1)), Some(2));
}

#[test]
fn who_was_held_for_long_has_nothing_to_catch_up_and_nothing_to_pay() {
    let mut harness = Harness::new(1, 8);
    harness.analysis(1);
    harness.pass(60_000);
    harness.hold(1);
    assert_eq!(harness.yield_token(1), []);
    harness.analysis(2);
    harness.analysis(3);
    harness.turns(4);
    harness.hold(2);
    harness.turns(100);
    harness.resume(1, Class::Analysis);
    harness.resume(2, Class::Analysis);
    let turns = harness.turns(30);
    (1..=3).for_each(|number| assert!((9..=11).contains(&count(&turns, number)), "{turns:?}"));
}
