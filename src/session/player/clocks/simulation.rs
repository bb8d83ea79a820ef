//! Whole games on the clock of a GUI that charges lag.

use super::*;
use crate::random::mix;

/// A connection: its mean lag, and its variation to either side. Milliseconds.
#[derive(Clone, Copy)]
struct Line {
    lag: u64,
    jitter: u64,
}

/// Returns how many of 150 moves are made before the flag falls. Most moves take a fraction of
/// their optimum, one in 32 its maximum. Base and increment are in milliseconds; the GUI shows
/// hundredths of a second.
fn moves_made(base: i64, increment: i64, line: Line, seed: u64) -> usize {
    let mut clocks = Clocks::default();
    let mut left = base;
    let control = TimeControl {
        moves: 0,
        base: Duration::from_millis(base as u64),
        increment: Duration::from_millis(increment as u64),
    };
    clocks.set_control(control, 0);
    for number in 0..150 {
        let chance = mix(seed ^ number);
        clocks.sync(left / 10 * 10);
        let allotment = clocks.allotment(2 * number as usize, Some(50), false).expect("a clock");
        let used = match chance % 32 {
            0 => allotment.maximum,
            part => allotment.optimum * part as u32 / 32,
        };
        clocks.moved(used, 2 * number as usize);
        let lag = line.lag - line.jitter + (chance >> 32) % (2 * line.jitter + 1);
        left -= millis(used) + lag as i64;
        if left <= 0 {
            return number as usize;
        }
        left += increment;
    }
    150
}

/// The lowest number of moves in 32 games.
fn min_moves(base: i64, increment: i64, line: Line) -> usize {
    (1..=32).map(|seed| moves_made(base, increment, line, mix(seed))).min().expect("games")
}

const NEAR: Line = Line { lag: 3, jitter: 3 };
const FAR: Line = Line { lag: 80, jitter: 20 };
const FARTHER: Line = Line { lag: 160, jitter: 40 };

#[test]
fn increment_above_the_lag_lasts_for_150_moves() {
    for (increment, line) in [(100, NEAR), (100, FAR), (200, FARTHER)] {
        for base in [1_000, 5_000, 60_000] {
            let made = min_moves(base, increment, line);
            assert_eq!(made, 150, "{base} + {increment} ms at {} ms", line.lag);
        }
    }
}

/// Each move loses at least 60 ms, so a base of 1 s lasts for 14 moves at most.
#[test]
fn increment_below_the_lag_lasts_for_many_moves() {
    assert_eq!(min_moves(1_000, 100, Line { lag: 160, jitter: 0 }), 14);
    for (base, least) in [(1_000, 10), (3_000, 35), (5_000, 60), (10_000, 80)] {
        let made = min_moves(base, 100, FARTHER);
        assert!(made >= least, "{base} ms: {made}");
    }
}

#[test]
fn sudden_death_lasts_for_a_game() {
    for (base, line, least) in [(1_000, NEAR, 120), (10_000, FAR, 75), (60_000, FARTHER, 100)] {
        let made = min_moves(base, 0, line);
        assert!(made >= least, "{base} ms at {} ms: {made}", line.lag);
    }
}
