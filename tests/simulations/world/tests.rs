//! One simulated world: GUIs with their shims, servers, the network between them, a disk and a
//! clock in one process. Servers die and connections break; the GUIs must notice nothing but
//! delays.
//!
//! `FARBOARD_SEED=N` replays one world and prints its events. `FARBOARD_DEATHS=N` runs until this
//! many servers have died.

use super::defects::Defect;
use super::{Tally, World};
use crate::support::seeds::variable;
use std::panic::catch_unwind;
use std::time::{Duration, Instant};

/// Deaths of servers in a normal run.
const DEATHS: usize = 4_000;
/// Deaths in one world.
const DEATHS_OF_WORLD: usize = 40;
/// Maximum number of worlds in which a planted defect must be found.
const WORLDS_OF_DEFECT: u64 = 12;

fn live(seed: u64, defect: Option<Defect>, loud: bool) -> Tally {
    World::new(seed, defect, loud).run(DEATHS_OF_WORLD)
}

#[test]
fn no_client_notices_that_servers_die() {
    if let Some(seed) = variable("FARBOARD_SEED") {
        println!("{:?}", live(seed, None, true));
        return;
    }
    let wanted = variable("FARBOARD_DEATHS").map_or(DEATHS, |deaths| deaths as usize);
    let (began, mut seed, mut all) = (Instant::now(), 0, Tally::default());
    while all.deaths < wanted {
        let world = catch_unwind(|| live(seed, None, false));
        let tally = world.unwrap_or_else(|_| panic!("failed with FARBOARD_SEED={seed}"));
        all.add(&tally);
        seed += 1;
    }
    let took = began.elapsed();
    let per_minute = all.deaths as f64 * 60.0 / took.as_secs_f64();
    println!("{seed} worlds in {took:.1?}, {per_minute:.0} deaths a minute: {all:?}");
    assert!(all.losses > wanted / 20 && all.answers > wanted && all.games > wanted / 100, "{all:?}");
}

#[test]
fn the_same_seed_is_the_same_world() {
    for seed in 0..3 {
        assert_eq!(live(seed, None, false).hash, live(seed, None, false).hash);
    }
}

#[test]
fn planted_defects_are_found() {
    for defect in Defect::ALL {
        let began = Instant::now();
        let found =
            (0..WORLDS_OF_DEFECT).find(|&seed| catch_unwind(|| live(seed, Some(defect), false)).is_err());
        let took = began.elapsed();
        let seed = found.unwrap_or_else(|| panic!("{defect:?} is not found"));
        println!("{defect:?} is found in world {seed}, after {took:.1?}");
        assert!(took < Duration::from_secs(60));
    }
}
