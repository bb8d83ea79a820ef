//! Seeded simulation of a session in xboard's protocol: a client that does anything at any time,
//! and a search that reports anything at any time, stale events included. After every step the
//! session must agree with a model of the protocol. See [`each_seed`].

mod client;
mod model;
mod world;

use crate::support::dice::Dice;
use crate::support::seeds::each_seed;
use world::World;

/// Number of inputs to a session.
const STEPS: usize = 400;

fn simulate(seed: u64, loud: bool) -> Vec<String> {
    run(seed, World::new(seed, loud))
}

fn run(seed: u64, mut world: World) -> Vec<String> {
    let mut dice = Dice::of_seed(seed);
    if seed.is_multiple_of(5) {
        world.speak_as_fritz();
    }
    if seed.is_multiple_of(4) {
        world.lose();
    }
    for _ in 0..STEPS {
        if world.closed() {
            break;
        }
        world.step(&mut dice);
    }
    world.finish(&mut dice);
    world.into_trace()
}

#[test]
fn a_session_keeps_to_the_protocol_whatever_happens() {
    each_seed(|seed, loud| drop(simulate(seed, loud)));
}

#[test]
fn the_same_seed_gives_the_same_trace() {
    assert_eq!(simulate(7, false), simulate(7, false));
}

#[test]
fn a_session_that_is_replaced_by_its_state_before_each_input_is_the_same() {
    each_seed(|seed, loud| {
        let mut world = World::new(seed, false);
        world.replace_before_each_input();
        let replaced = run(seed, world);
        let undisturbed = simulate(seed, loud);
        for (step, (one, other)) in replaced.iter().zip(&undisturbed).enumerate() {
            assert_eq!(one, other, "at {step}");
        }
        assert_eq!(replaced.len(), undisturbed.len());
    });
}

#[test]
fn a_session_keeps_to_the_protocol_although_servers_are_lost() {
    each_seed(|seed, loud| {
        let mut world = World::new(seed, loud);
        world.lose_servers();
        run(seed, world);
    });
}

/// The simulation must reach these replies: without events every invariant would hold.
#[test]
fn the_simulation_reaches_most_behaviour() {
    let mut seen = std::collections::BTreeMap::new();
    for seed in 0..64 {
        for line in simulate(seed, false) {
            let words: Vec<&str> = line.split_whitespace().take(2).collect();
            *seen.entry(words.join(" ")).or_insert(0) += 1;
        }
    }
    for word in [
        "< move",
        "< Illegal",
        "< pong",
        "< offer",
        "< Hint:",
        "< 1/2-1/2",
        "< stat01:",
        "< Error",
        "* retime",
        "* stop",
        "* timer",
        "< tellusererror",
        "* hold",
        "* resume",
        "< resign",
        "< askuser",
        "< telluser",
        "< tellopponent",
        "< tellothers",
        "< tellall",
        "< #",
        "> .",
        "> ponder",
        "> exclude",
        "> ptell",
        "< tellics",
    ] {
        assert!(seen.get(word).is_some_and(|&times| times > 3), "{word} {:?}", seen.get(word));
    }
}
