//! Whole games on a GUI's clock that charges lag.

use super::*;
use crate::chess::zobrist::mix;

/// A line with this lag, in milliseconds, that varies by so much to both sides.
#[derive(Clone, Copy)]
struct Line {
    lag: u64,
    jitter: u64,
}

/// How many of 150 moves are made before the flag falls, on a clock of so many milliseconds. Most moves take a part of
/// their optimum, one of 32 all that it may. The GUI shows hundredths of a second.
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
        clocks.told(left / 10 * 10);
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

/// The fewest moves of some games.
fn fewest(base: i64, increment: i64, line: Line) -> usize {
    (1..=32).map(|seed| moves_made(base, increment, line, mix(seed))).min().expect("games")
}

const NEAR: Line = Line { lag: 3, jitter: 3 };
const FAR: Line = Line { lag: 80, jitter: 20 };
const FARTHER: Line = Line { lag: 160, jitter: 40 };

#[test]
fn an_increment_that_pays_for_the_lag_is_enough() {
    for (increment, line) in [(100, NEAR), (100, FAR), (200, FARTHER)] {
        for base in [1_000, 5_000, 60_000] {
            let made = fewest(base, increment, line);
            assert_eq!(made, 150, "{base} + {increment} ms at {} ms", line.lag);
        }
    }
}

/// 60 ms of each move are lost then whatever we do, so 1 s is over after 14.
#[test]
fn one_that_does_not_is_made_to_last() {
    assert_eq!(fewest(1_000, 100, Line { lag: 160, jitter: 0 }), 14);
    for (base, least) in [(1_000, 10), (3_000, 35), (5_000, 60), (10_000, 80)] {
        let made = fewest(base, 100, FARTHER);
        assert!(made >= least, "{base} ms: {made}");
    }
}

#[test]
fn sudden_death_is_long_enough_for_a_game() {
    for (base, line, least) in [(1_000, NEAR, 120), (10_000, FAR, 75), (60_000, FARTHER, 100)] {
        let made = fewest(base, 0, line);
        assert!(made >= least, "{base} ms at {} ms: {made}", line.lag);
    }
}
