//! The kill test: a GUI, the shim, and servers that are killed at every kind of moment. The GUI may
//! notice only slower moves.
//!
//! * `moment`: the moments. `acts`: the way to each, and the conditions after the outage.
//! * `draws`: moments that need the game's history. `story`: a game around the moments.
//!   `positions`: boards.

mod acts;
mod draws;
mod moment;
mod positions;
mod story;

pub use moment::Moment;
pub use story::Story;

use crate::farm::Farm;
use crate::metronome;
use crate::seeds::{self, Run};
use crate::servers::Shim;
use crate::support::dice::Dice;
use std::collections::BTreeMap;

/// Concurrent games, which mostly wait.
const AT_ONCE: usize = 6;

/// The seed's moments. Kinds take turns, and some games have two.
pub fn moments(run: Run) -> Vec<Moment> {
    let mut dice = Dice::new(run.seed, 10);
    let mut moments = vec![Moment::ALL[run.seed as usize % Moment::ALL.len()]];
    if dice.once_in(3) {
        moments.push(*dice.pick(&Moment::ALL[1..]));
    }
    moments
}

/// Plays a game whose server is killed; returns the moments that were hit.
fn play(run: Run, deadly: bool) -> Vec<Moment> {
    let mut dice = Dice::new(run.seed, 11);
    let farm = Farm::start(deadly && dice.once_in(3));
    let (mut shim, wire) = Shim::start(&farm.arguments());
    let mut story = Story::new(run, dice, wire, farm, deadly);
    story.play(&moments(run));
    assert_eq!(shim.exit_code(), Some(0), "seed {}: the shim's exit", run.seed);
    story.hits
}

#[test]
fn servers_killed_at_any_moment() {
    let _turn = metronome::turn();
    let hits = seeds::run(200, AT_ONCE, |run| play(run, true));
    let mut tally: BTreeMap<Moment, usize> = Moment::ALL.iter().map(|&moment| (moment, 0)).collect();
    hits.iter().flatten().for_each(|moment| *tally.entry(*moment).or_default() += 1);
    println!("servers killed in {} games: {tally:?}", hits.len());
    if seeds::all_are_run() {
        assert!(tally.values().all(|&times| times > 0), "no kill at a moment: {tally:?}");
    }
}

/// The same games without kills: a failure here is not the outage's fault.
#[test]
fn the_same_games_without_kills() {
    let _turn = metronome::turn();
    seeds::run(34, AT_ONCE, |run| play(run, false));
}
