//! Seeded simulation of the journal between a client and a session that is thrown away at any byte.
//!
//! Two sessions hear the same client. One has it to itself; the other stands behind a journal, is killed
//! again and again, and another takes its place. In the end the client must have heard the same from both,
//! and both must stand in the same place.
//!
//! 256 seeds in a normal run. `FARBOARD_SEED=N` replays one of them and prints what happens;
//! `FARBOARD_SEEDS=N` runs N seeds.

mod client;
#[path = "../seeds/mod.rs"]
mod seeds;
mod server;
mod world;

use seeds::each_seed;
use world::World;

/// Lines of the client.
const STEPS: usize = 150;

/// Numbers that depend on nothing but the seed (SplitMix64).
pub struct Dice(u64);

impl Dice {
    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((value ^ (value >> 31)) % sides as u64) as usize
    }

    /// True once in `times` times on average.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.roll(times) == 0
    }

    /// One of these.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.roll(choices.len())]
    }
}

/// Runs a session; returns what the client heard, how many servers it took, and how often it moved by choice.
fn simulate(seed: u64, loud: bool) -> (Vec<String>, usize, usize) {
    let mut dice = Dice(seed);
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
