//! Several sessions of one source.

use super::*;

fn club(weight: u32) -> Source {
    Source { id: 1000, weight }
}

impl Harness {
    fn analyses(&mut self, source: Source, numbers: std::ops::RangeInclusive<u64>) {
        numbers.for_each(|number| drop(self.admit_from(source, number, SearchParams::of(Class::Analysis))));
    }
}

#[test]
fn sessions_of_one_source_have_one_share_and_equal_parts_of_it() {
    let mut harness = Harness::new(1, 99);
    harness.analyses(club(1), 1..=9);
    harness.analysis(10);
    harness.turns(20);
    let turns = harness.turns(180);
    assert!((88..=92).contains(&count(&turns, 10)), "{turns:?}");
    (1..=9).for_each(|number| assert!((9..=11).contains(&count(&turns, number)), "{turns:?}"));
}

#[test]
fn a_weight_is_so_many_shares_for_so_many_sessions() {
    let mut harness = Harness::new(1, 99);
    harness.analyses(club(20), 1..=20);
    harness.analyses(club(20), 21..=30);
    harness.analysis(50);
    harness.turns(60);
    let turns = harness.turns(210);
    assert!((9..=11).contains(&count(&turns, 50)), "one of 21: {turns:?}");

    let mut harness = Harness::new(1, 99);
    harness.analyses(club(20), 1..=3);
    harness.analysis(50);
    harness.turns(60);
    let turns = harness.turns(40);
    assert!((9..=11).contains(&count(&turns, 50)), "three have three shares: {turns:?}");
}

#[test]
fn those_that_are_held_have_no_share() {
    let mut harness = Harness::new(1, 99);
    harness.analyses(club(20), 1..=4);
    (2..=4).for_each(|number| drop(harness.hold(number)));
    harness.analysis(50);
    harness.turns(20);
    let turns = harness.turns(40);
    assert!((19..=21).contains(&count(&turns, 50)), "{turns:?}");
}

#[test]
fn tokens_that_are_free_at_one_instant_do_not_all_go_to_the_same_source() {
    let mut harness = Harness::new(4, 99);
    harness.analyses(club(1), 1..=20);
    (31..=34).for_each(|number| drop(harness.analysis(number)));
    let mut had = [0; 2];
    for round in 0..60 {
        harness.pass(10);
        for job in harness.scheduler.running.clone() {
            harness.yield_token(job.owner);
        }
        let of_club = harness.scheduler.running.iter().filter(|job| job.owner <= 20).count();
        assert!(round < 20 || of_club <= 2, "{of_club} of 4 in round {round}");
        had = [had[0] + of_club, had[1] + 4 - of_club];
    }
    assert!((36..=64).contains(&had[0]), "a fifth of 240: {had:?}");
}

#[test]
fn a_source_with_many_clocks_is_no_more_urgent_than_its_share_lets_it_be() {
    let mut harness = Harness::new(1, 99);
    // All of them are later than the one that is alone, at any time.
    for number in 1..=9 {
        let params = harness.urgent(20);
        harness.admit_from(club(1), number, params);
    }
    harness.pass(50);
    harness.clock(10, 1_000_000);
    harness.turns(20);
    let turns = harness.turns(40);
    assert!((18..=22).contains(&count(&turns, 10)), "{turns:?}");
}

#[test]
fn newcomers_of_a_crowd_do_not_go_before_others() {
    let mut harness = Harness::new(1, 999);
    harness.clock(1, 1_000_000);
    let mut had = 0;
    for number in 2..=401 {
        let params = harness.urgent(20);
        harness.admit_from(club(1), number, params);
        let running = harness.scheduler.running[0].owner;
        had += usize::from(running == 1);
        harness.pass(2);
        harness.yield_token(running);
    }
    assert!((180..=240).contains(&had), "{had} of 400");
}

#[test]
fn who_plays_beside_a_crowd_that_is_far_ahead_does_not_stop_it() {
    let mut harness = Harness::new(4, 99);
    for number in 1..=9 {
        let params = harness.urgent(20);
        harness.admit_from(club(1), number, params);
    }
    harness.clock(10, 1000);
    for _ in 0..200 {
        harness.pass(5);
        for job in harness.scheduler.running.clone() {
            harness.yield_token(job.owner);
        }
        assert_eq!(harness.scheduler.running(), 4);
    }
    assert!(harness.scheduler.running.contains(&job(10)), "it needs one of four");
    (1..=9).for_each(|number| {
        let ran = harness.scheduler.ran(job(number), harness.now).expect("it is there");
        assert!(ran > Duration::from_millis(250), "{number} ran {ran:?}");
    });
}

#[test]
fn a_source_that_comes_again_stands_where_it_stood() {
    let mut harness = Harness::new(1, 99);
    harness.analysis(10);
    let mut turns = Vec::new();
    for number in 11..100 {
        // Each time a new session of the same source.
        harness.analyses(club(1), number..=number);
        turns.extend(harness.turns(2));
        harness.remove(number);
    }
    let own = count(&turns, 10);
    assert!((80..=100).contains(&own), "{own} of {}: {turns:?}", turns.len());
}

#[test]
fn in_a_source_nobody_gains_by_starting_again() {
    let mut harness = Harness::new(1, 99);
    harness.analyses(club(1), 1..=3);
    let mut turns = Vec::new();
    for _ in 0..150 {
        turns.extend(harness.turns(1));
        if turns.last() == Some(&1) {
            harness.remove(1);
            harness.analyses(club(1), 1..=1);
        }
    }
    let own = count(&turns[30..], 1);
    assert!((36..=44).contains(&own), "{own} of 120: {turns:?}");
}

#[test]
fn one_source_does_not_take_all_places() {
    let mut harness = Harness::new(1, 8);
    let admits = |harness: &mut Harness, source, number| {
        let params = harness.urgent(1000);
        harness.scheduler.admit(job(number), source, params, harness.now, &mut harness.decisions)
    };
    (1..=4).for_each(|number| assert_eq!(admits(&mut harness, club(1), number), Ok(())));
    assert_eq!(admits(&mut harness, club(1), 5), Err(Refusal::Share(4)));
    (6..=9).for_each(|number| assert_eq!(admits(&mut harness, Source::of(number), number), Ok(())));
    assert_eq!(admits(&mut harness, Source::of(10), 10), Err(Refusal::Full(8)));
}

#[test]
fn a_ponder_hit_takes_no_place_from_those_with_a_clock() {
    let mut harness = Harness::new(1, 4);
    (1..=4).for_each(|number| drop(harness.admit(number, Class::Ponder)));
    for number in 1..=4 {
        let params = harness.urgent(1000);
        harness.scheduler.set_params(job(number), params, harness.now, &mut harness.decisions);
    }
    (5..=8).for_each(|number| drop(harness.clock(number, 1000)));
    let ponder = SearchParams::of(Class::Ponder);
    let refused = harness.scheduler.admit(job(9), Source::of(9), ponder, harness.now, &mut harness.decisions);
    assert_eq!(refused, Err(Refusal::Full(4)), "their places are those of searches that ponder");
    harness.remove(1);
    harness.admit(9, Class::Ponder);
}
