//! The shim over connections that break at any byte: the server survives, but bytes under way in
//! either direction are lost or cut short.

use crate::farm::Farm;
use crate::kills::{Moment, Story, moments};
use crate::proxy::Proxy;
use crate::seeds;
use crate::servers::Shim;
use crate::support::dice::Dice;
use crate::weather::Weather;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The first connections of a game break; the last one does not.
const ACCIDENTS: usize = 4;

#[test]
fn connections_that_break_at_any_byte() {
    let accidents = AtomicUsize::new(0);
    seeds::run(64, 6, |run| {
        let mut dice = Dice::new(run.seed, 20);
        let farm = Farm::start(false);
        let mut weather = Dice::new(run.seed, 21);
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&connections);
        let proxy = Proxy::start(farm.address(), run.seed, move |number| {
            counted.fetch_add(1, Ordering::Relaxed);
            let last = 1 + weather.roll(ACCIDENTS) as u64;
            if number >= last {
                return Weather::rough(&mut weather);
            }
            // A server that closes before its first byte counts as refusing clients.
            if number == 0 {
                return Weather::cut_off(&mut weather, 4000);
            }
            Weather::stormy(&mut weather, 4000, Duration::from_millis(600))
        });
        let (mut shim, wire) = Shim::start(&[proxy.address.to_string()]);
        let mut story = Story::new(run, dice.clone(), wire, farm, false);
        // The times of accidents, and so the maximum time of a move, are unknown here.
        story.timed = false;
        let mut moments = moments(run);
        moments.retain(|&moment| moment != Moment::ShortOfTime);
        moments.push(*dice.pick(&[Moment::Idle, Moment::Thinking, Moment::Analysing]));
        story.play(&moments);
        assert_eq!(shim.exit_code(), Some(0), "seed {}: the shim's exit", run.seed);
        accidents.fetch_add(connections.load(Ordering::Relaxed).saturating_sub(1), Ordering::Relaxed);
    });
    println!("{accidents:?} connections of the shim broke");
    assert!(!seeds::all_are_run() || accidents.into_inner() > 0, "nothing broke");
}
