//! The journal of UCI between a client and sessions that are thrown away at any byte.
//!
//! Two sessions hear the same client. One has it to itself; the other stands behind a journal, is killed again and again, and
//! another takes its place. In the end the client must have heard the same from both, and both must search the same.
//!
//! 256 seeds in a normal run. `FARBOARD_SEED=N` replays one of them and prints what happens; `FARBOARD_SEEDS=N` runs N seeds.

mod client;
#[path = "../seeds/dice.rs"]
#[allow(dead_code)]
mod dice;
mod every_byte;
mod hearing;
#[path = "../failover_simulation/relay.rs"]
mod relay;
#[path = "../seeds/mod.rs"]
mod seeds;
mod server;
mod world;

use dice::Dice;
use seeds::each_seed;
use world::World;

/// What the client says, in turns.
const STEPS: usize = 120;

/// Runs a session; returns what the client heard, and how many servers it took.
fn simulate(seed: u64, loud: bool) -> (Vec<String>, usize) {
    let mut dice = Dice::new(seed, 1);
    let mut world = World::new(seed, loud);
    world.say("uci\nisready");
    for _ in 0..STEPS {
        world.step(&mut dice);
    }
    world.say("stop");
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
    let mut servers = 0;
    for seed in 0..32 {
        let (lines, used) = simulate(seed, false);
        servers += used;
        for line in lines {
            let words: Vec<&str> = line.split(' ').take(2).collect();
            *seen.entry(words.join(" ")).or_insert(0) += 1;
        }
    }
    assert!(servers > 32 * 20, "{servers} servers");
    for words in [
        "readyok",
        "uciok",
        "bestmove (none)",
        "bestmove e2e4",
        "Nodes searched:",
        "info depth",
        "info string",
    ] {
        assert!(seen.get(words).is_some_and(|&times| times > 3), "{words} {:?}", seen.get(words));
    }
}
