//! Seeded simulation of the journal between a client and a session that is thrown away at any byte.
//!
//! Two sessions hear the same client. One has it to itself; the other stands behind a journal, is killed
//! again and again, and another takes its place. In the end the client must have heard the same from both,
//! and both must stand in the same place.
//!
//! 256 seeds in a normal run. `FARBOARD_SEED=N` replays one of them and prints what happens;
//! `FARBOARD_SEEDS=N` runs N seeds.

mod client;
#[path = "../seeds/dice.rs"]
#[allow(dead_code)]
mod dice;
mod relay;
#[path = "../seeds/mod.rs"]
mod seeds;
mod server;
mod world;

use dice::Dice;
use seeds::each_seed;
use world::World;

/// Lines of the client.
const STEPS: usize = 150;

/// Runs a session; returns what the client heard, how many servers it took, and how often it moved by choice.
fn simulate(seed: u64, loud: bool) -> (Vec<String>, usize, usize) {
    let mut dice = Dice::of_seed(seed);
    let mut world = World::new(seed, loud);
    world.begin(&mut dice);
    for _ in 0..STEPS {
        world.step(&mut dice);
    }
    world.settle(&mut dice);
    world.outcome()
}

#[test]
fn a_client_does_not_notice_that_servers_die() {
    each_seed(|seed, loud| drop(simulate(seed, loud)));
}

/// A simulation in which nothing happens would hold every invariant.
#[test]
fn the_simulation_gets_somewhere() {
    let mut seen = std::collections::BTreeMap::new();
    let (mut servers, mut moves) = (0, 0);
    for seed in 0..32 {
        let (lines, used, moved) = simulate(seed, false);
        servers += used;
        moves += moved;
        for line in lines {
            *seen.entry(line.split_whitespace().next().unwrap_or("").to_owned()).or_insert(0) += 1;
        }
    }
    assert!(servers > 32 * 20, "{servers} servers");
    assert!(moves > 32, "{moves} moves");
    for word in ["move", "Illegal", "pong", "Error", "tellusererror", "telluser", "feature", "1/2-1/2"] {
        assert!(seen.get(word).is_some_and(|&times| times > 3), "{word} {:?}", seen.get(word));
    }
}
