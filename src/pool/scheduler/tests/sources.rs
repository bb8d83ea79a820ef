//! Several sessions of one source.

use super::*;

fn club(weight: u32) -> Source {
    Source { id: 1000, weight }
}

impl Stand {
    fn analyses(&mut self, source: Source, numbers: std::ops::RangeInclusive<u64>) {
        numbers.for_each(|number| drop(self.arrive_from(source, number, Claim::of(Class::Analysis))));
    }
}

#[test]
fn sessions_of_one_source_have_one_share_and_equal_parts_of_it() {
    let mut stand = Stand::new(1, 99);
    stand.analyses(club(1), 1..=9);
    stand.analysis(10);
    stand.turns(20);
    let turns = stand.turns(180);
    assert!((88..=92).contains(&count(&turns, 10)), "{turns:?}");
    (1..=9).for_each(|number| assert!((9..=11).contains(&count(&turns, number)), "{turns:?}"));
}

#[test]
fn a_weight_is_so_many_shares_for_so_many_sessions() {
    let mut stand = Stand::new(1, 99);
    stand.analyses(club(20), 1..=20);
    stand.analyses(club(20), 21..=30);
    stand.analysis(50);
    stand.turns(60);
    let turns = stand.turns(210);
    assert!((9..=11).contains(&count(&turns, 50)), "one of 21: {turns:?}");

    let mut stand = Stand::new(1, 99);
    stand.analyses(club(20), 1..=3);
    stand.analysis(50);
    stand.turns(60);
    let turns = stand.turns(40);
    assert!((9..=11).contains(&count(&turns, 50)), "three have three shares: {turns:?}");
}

#[test]
fn those_that_are_held_have_no_share() {
    let mut stand = Stand::new(1, 99);
    stand.analyses(club(20), 1..=4);
    (2..=4).for_each(|number| drop(stand.hold(number)));
    stand.analysis(50);
    stand.turns(20);
    let turns = stand.turns(40);
    assert!((19..=21).contains(&count(&turns, 50)), "{turns:?}");
}

#[test]
fn tokens_that_are_free_at_one_instant_do_not_all_go_to_the_same_source() {
    let mut stand = Stand::new(4, 99);
    stand.analyses(club(1), 1..=20);
    (31..=34).for_each(|number| drop(stand.analysis(number)));
    let mut had = [0; 2];
    for round in 0..60 {
        stand.pass(10);
        for job in stand.scheduler.running.clone() {
            stand.give_back(job.owner);
        }
        let of_club = stand.scheduler.running.iter().filter(|job| job.owner <= 20).count();
        assert!(round < 20 || of_club <= 2, "{of_club} of 4 in round {round}");
        had = [had[0] + of_club, had[1] + 4 - of_club];
    }
    assert!((36..=64).contains(&had[0]), "a fifth of 240: {had:?}");
}

#[test]
fn a_source_with_many_clocks_is_no_more_urgent_than_its_share_lets_it_be() {
    let mut stand = Stand::new(1, 99);
    // All of them are later than the one that is alone, whenever somebody looks.
    for number in 1..=9 {
        let claim = stand.pace(20);
        stand.arrive_from(club(1), number, claim);
    }
    stand.pass(50);
    stand.clock(10, 1_000_000);
    stand.turns(20);
    let turns = stand.turns(40);
    assert!((18..=22).contains(&count(&turns, 10)), "{turns:?}");
}

#[test]
fn newcomers_of_a_crowd_do_not_go_before_others() {
    let mut stand = Stand::new(1, 999);
    stand.clock(1, 1_000_000);
    let mut had = 0;
    for number in 2..=401 {
        let claim = stand.pace(20);
        stand.arrive_from(club(1), number, claim);
        let running = stand.scheduler.running[0].owner;
        had += usize::from(running == 1);
        stand.pass(2);
        stand.give_back(running);
    }
    assert!((180..=240).contains(&had), "{had} of 400");
}

#[test]
fn who_plays_beside_a_crowd_that_is_far_ahead_does_not_stop_it() {
    let mut stand = Stand::new(4, 99);
    for number in 1..=9 {
        let claim = stand.pace(20);
        stand.arrive_from(club(1), number, claim);
    }
    stand.clock(10, 1000);
    for _ in 0..200 {
        stand.pass(5);
        for job in stand.scheduler.running.clone() {
            stand.give_back(job.owner);
        }
        assert_eq!(stand.scheduler.running(), 4);
    }
    assert!(stand.scheduler.running.contains(&job(10)), "it needs one of four");
    (1..=9).for_each(|number| {
        let ran = stand.scheduler.ran(job(number), stand.now).expect("it is there");
        assert!(ran > Duration::from_millis(250), "{number} ran {ran:?}");
    });
}

#[test]
fn a_source_that_comes_again_stands_where_it_stood() {
    let mut stand = Stand::new(1, 99);
    stand.analysis(10);
    let mut turns = Vec::new();
    for number in 11..100 {
        // Each time a new session, of the same source.
        stand.analyses(club(1), number..=number);
        turns.extend(stand.turns(2));
        stand.depart(number);
    }
    let own = count(&turns, 10);
    assert!((80..=100).contains(&own), "{own} of {}: {turns:?}", turns.len());
}

#[test]
fn in_a_source_nobody_gains_by_starting_again() {
    let mut stand = Stand::new(1, 99);
    stand.analyses(club(1), 1..=3);
    let mut turns = Vec::new();
    for _ in 0..150 {
        turns.extend(stand.turns(1));
        if turns.last() == Some(&1) {
            stand.depart(1);
            stand.analyses(club(1), 1..=1);
        }
    }
    let own = count(&turns[30..], 1);
    assert!((36..=44).contains(&own), "{own} of 120: {turns:?}");
}

#[test]
fn one_source_does_not_take_all_places() {
    let mut stand = Stand::new(1, 8);
    let arrives = |stand: &mut Stand, source, number| {
        let claim = stand.pace(1000);
        stand.scheduler.arrive(job(number), source, claim, stand.now, &mut stand.orders)
    };
    (1..=4).for_each(|number| assert_eq!(arrives(&mut stand, club(1), number), Ok(())));
    assert_eq!(arrives(&mut stand, club(1), 5), Err(Refusal::Full(4)));
    (6..=9).for_each(|number| assert_eq!(arrives(&mut stand, Source::of(number), number), Ok(())));
    assert_eq!(arrives(&mut stand, Source::of(10), 10), Err(Refusal::Full(8)));
}

#[test]
fn a_ponder_hit_takes_no_place_from_those_with_a_clock() {
    let mut stand = Stand::new(1, 4);
    (1..=4).for_each(|number| drop(stand.arrive(number, Class::Ponder)));
    for number in 1..=4 {
        let claim = stand.pace(1000);
        stand.scheduler.reclass(job(number), claim, stand.now, &mut stand.orders);
    }
    (5..=8).for_each(|number| drop(stand.clock(number, 1000)));
    let ponder = Claim::of(Class::Ponder);
    let refused = stand.scheduler.arrive(job(9), Source::of(9), ponder, stand.now, &mut stand.orders);
    assert_eq!(refused, Err(Refusal::Full(4)), "their places are those of searches that ponder");
    stand.depart(1);
    stand.arrive(9, Class::Ponder);
}
