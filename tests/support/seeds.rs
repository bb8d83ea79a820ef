//! Simulations over seeds: 256 in a normal run. `FARBOARD_SEED=N` replays one of them and prints
//! it; `FARBOARD_SEEDS=N` runs N seeds.

use std::panic::{RefUnwindSafe, catch_unwind};

/// The value of an environment variable that is a number.
pub fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().expect("a number"))
}

/// Runs `simulate` with each seed and whether to print events; a failure reports its seed.
pub fn each_seed(simulate: impl Fn(u64, bool) + RefUnwindSafe) {
    if let Some(seed) = variable("FARBOARD_SEED") {
        return simulate(seed, true);
    }
    for seed in 0..variable("FARBOARD_SEEDS").unwrap_or(256) {
        if catch_unwind(|| simulate(seed, false)).is_err() {
            panic!("failed with FARBOARD_SEED={seed}");
        }
    }
}
