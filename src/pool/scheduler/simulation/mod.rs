//! Seeded runs of the scheduler against an adversary, checked by an independent model.
//!
//! `FARBOARD_SEED=n cargo test simulation` replays one seed, `FARBOARD_SEEDS=n` runs n seeds.

mod random_events;
mod shares;
mod sources;
mod world;

use super::*;
use crate::pool::SearchId;
use crate::random::SplitMix64;
use world::World;

const SEEDS: u64 = 256;

struct Random(SplitMix64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(SplitMix64::new(seed))
    }

    fn next(&mut self) -> u64 {
        self.0.next()
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

fn run(seeds: u64, play: impl Fn(u64) + std::panic::RefUnwindSafe) {
    let variable = |name| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let seeds = match variable("FARBOARD_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..variable("FARBOARD_SEEDS").map_or(seeds, |wanted: u64| (wanted * seeds / SEEDS).max(1)),
    };
    for seed in seeds {
        if let Err(panic) = std::panic::catch_unwind(|| play(seed)) {
            eprintln!("the scheduler fails; FARBOARD_SEED={seed} replays it");
            std::panic::resume_unwind(panic);
        }
    }
}

#[test]
fn no_token_is_lost_and_nobody_starves() {
    run(SEEDS, |seed| {
        let mut world = World::new(seed);
        world.disturb(200, 12);
        world.share_fairly();
        world.gain_nothing_by_pauses();
    });
}

#[test]
fn nobody_gains_by_starting_again() {
    run(SEEDS / 16, |seed| {
        let mut world = World::new(seed);
        world.disturb(50, 12);
        for class in [Class::Clock, Class::Reply, Class::Analysis, Class::Ponder] {
            world.gain_nothing_by_starting_again(class);
        }
    });
}

#[test]
fn thousands_of_searches_come_and_go() {
    run(2, |seed| {
        let mut world = World::wide(seed);
        world.disturb(1000, 2000);
        assert!(world.most > 1500, "{} at once are not thousands", world.most);
        world.mix_fairly();
    });
}

#[test]
fn a_thousand_analyses_have_the_same() {
    run(2, |seed| {
        let mut world = World::wide(seed);
        let index = world.analyse_for_a_minute(1000);
        assert!(index >= 0.98, "Jain's index is {index}");
    });
}

#[test]
fn two_thousand_analyses_on_one_core_have_about_the_same() {
    run(1, |seed| {
        let mut world = World::with_tokens(seed, 1);
        let index = world.analyse_for_a_minute(2000);
        assert!(index >= 0.95, "Jain's index is {index}");
    });
}

#[test]
fn long_slices_come_and_go_among_others() {
    run(SEEDS / 4, |seed| {
        let mut world = World::new(seed);
        world.coarse = true;
        world.disturb(200, 12);
    });
}

#[test]
fn three_hundred_analyses_with_long_slices_have_the_same() {
    run(2, |seed| {
        let mut world = World::wide(seed);
        world.coarse = true;
        let index = world.analyse_for_a_minute(300);
        assert!(index >= 0.95, "Jain's index is {index}");
    });
}

#[test]
fn games_of_all_speeds_are_slowed_down_alike() {
    run(8, |seed| World::wide(seed).play_too_many_games());
}

#[test]
fn every_move_has_a_look_even_if_looks_are_long() {
    run(2, |seed| World::wide(seed).play_where_looks_are_long());
}

#[test]
fn sources_have_the_same_and_so_have_the_sessions_of_each() {
    run(SEEDS / 16, |seed| World::with_tokens(seed, 1 + seed as usize % 8).share_by_source());
}

#[test]
fn a_crowd_of_one_source_takes_half_and_no_more() {
    run(1, |seed| {
        let part = World::with_tokens(seed, 1).play_beside_a_crowd(500, Some(1));
        assert!((0.45..0.55).contains(&part), "of one core it has {part}");
        let part = World::with_tokens(seed, 2).play_beside_a_crowd(100, Some(1));
        assert!(part > 0.95, "of two cores, of which it can use one, it has {part}");
        let part = World::with_tokens(seed, 1).play_beside_a_crowd(100, Some(3));
        assert!((0.2..0.3).contains(&part), "beside a source of three shares it has {part}");
        let part = World::with_tokens(seed, 1).play_beside_a_crowd(100, None);
        assert!(part < 0.2, "where everybody has a share it has {part}");
    });
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    let trace = |seed| {
        let mut world = World::new(seed);
        world.disturb(200, 12);
        world.trace
    };
    let first = trace(7);
    assert!(first.len() > 100);
    assert_eq!(first, trace(7));
    assert_ne!(first, trace(8));
}
