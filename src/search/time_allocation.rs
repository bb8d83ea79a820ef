//! How long a move may take.

use std::time::Duration;

/// What the clocks say when a move is due. Milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Left on our clock; 0 or less if the flag should have fallen.
    pub remaining: i64,
    /// Added after each move.
    pub increment: u64,
    /// Moves until more time comes; `None` if the time must do for the whole game.
    pub moves_to_go: Option<u32>,
    /// What this move may cost besides thinking, at worst: lag.
    pub overhead: u64,
    /// What each of the moves after it will cost besides thinking, on average.
    pub later_overhead: u64,
}

/// How long a move may take, counted from when it became due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allotment {
    /// Aim for this.
    pub optimum: Duration,
    /// The most while score and best move are stable.
    pub calm: Duration,
    /// At this the best move known is played.
    pub maximum: Duration,
    /// What is left of the maximum is no use later, so all of it is used unless there is nothing to think about.
    pub exact: bool,
}

impl Allotment {
    /// All of `time`: what is left of it is of no use later.
    pub fn exact(time: Duration) -> Allotment {
        Allotment { optimum: time, calm: time, maximum: time, exact: true }
    }
}

/// Moves a game is expected to last from any of its positions. Most moves take about half of their optimum, so
/// this is less than what is true.
const HORIZON: u64 = 20;
/// The same for what each move costs however short it is.
const MOVES_PAID: u64 = 60;

/// Sudden death: the largest part of the clock for a move.
const LARGEST_PART: u64 = 10;
/// The same while score and best move are stable.
const CALM_PART: u64 = 20;
/// On a clock with less than this, milliseconds, these parts may be less than each move brings, and the rest of the clock would
/// never be used. There a move may use two increments, less the lag, up to a larger part.
const SHORT_CLOCK: u64 = 5_000;
const SPENDABLE_INCREMENTS: u64 = 2;
const LARGEST_PART_OF_SHORT: u64 = 5;
/// Increments to aim for besides a part of the clock. Since most moves take less than their optimum, one would not be used up.
const OPTIMUM_INCREMENTS: f64 = 2.5;

/// How long a machine may stall, milliseconds: virtual ones do, where their host has too much to do.
const STALL: u64 = 400;

impl Clock {
    /// What is never used up, milliseconds: the cost of the move itself, a fiftieth of the clock, and with increments
    /// something for when the machine stalls. Not more than three quarters of the clock: if each move costs more than is
    /// left, moving without a thought loses, too.
    pub fn reserve(&self) -> u64 {
        let remaining = self.remaining.max(0) as u64;
        // With increments, holding this back costs time only once in a game.
        let stall = if self.increment > 0 { STALL.min(remaining / 4) } else { 0 };
        self.overhead.saturating_add(remaining / 50 + stall).min(remaining - remaining / 4)
    }
}

/// Divides what is left on the clock. `maximum` is never more than the clock less its reserve, so it is 0
/// when nothing can be spared; `optimum` and `calm` are never more than `maximum`. In sudden death `maximum` is at most a
/// tenth of the clock, and `calm` a twentieth; in the last five seconds both may be two increments, up to a fifth.
pub fn allot(clock: Clock) -> Allotment {
    let remaining = clock.remaining.max(0) as u64;
    let usable = remaining - clock.reserve();
    let moves = clock.moves_to_go.map_or(HORIZON, |moves| u64::from(moves.clamp(1, 40)));
    // What the coming moves bring, or cost. Where each of them costs more than it brings the game can only last so long,
    // and the less is thought the longer.
    let gain = clock.increment.saturating_sub(clock.later_overhead);
    let loss = clock.later_overhead.saturating_sub(clock.increment);
    let paid = if clock.moves_to_go.is_some() { moves } else { MOVES_PAID };
    let gained = match clock.moves_to_go {
        Some(_) => gain.saturating_mul(moves - 1),
        None => (gain as f64 * OPTIMUM_INCREMENTS * moves as f64) as u64,
    };
    let budget = usable.saturating_add(gained);
    let budget = budget.saturating_sub(loss.saturating_mul(paid - 1)).max(usable / 8);
    let share = (budget / moves).max(1);
    // The last move before more time comes may use nearly all that is left. Others leave most of it: on a server that is
    // full every move takes its maximum, and who then lives from increments needs something for when the machine stalls.
    let ceiling = match clock.moves_to_go {
        Some(0 | 1) => usable,
        Some(_) => usable / 4 + usable / 4 * 3 / moves,
        None => usable / 3,
    };
    let part_of_clock = |part: u64| match clock.moves_to_go {
        Some(_) => u64::MAX,
        None if remaining >= SHORT_CLOCK => remaining / part,
        None => {
            let increments = gain.saturating_mul(SPENDABLE_INCREMENTS);
            (remaining / part).max(increments.min(remaining / LARGEST_PART_OF_SHORT))
        }
    };
    let most = (budget.saturating_mul(4) / moves).max(share).max(remaining / 100);
    let maximum = most.min(ceiling).min(part_of_clock(LARGEST_PART));
    let up_to_maximum = |time: u64| Duration::from_millis(time.min(maximum));
    Allotment {
        optimum: up_to_maximum(share),
        calm: up_to_maximum(part_of_clock(CALM_PART)),
        maximum: Duration::from_millis(maximum),
        exact: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn never_more_than_the_clock_less_its_reserve(
            remaining in prop_oneof![
                -100_000i64..100_000, 0i64..2_000, Just(i64::MAX), Just(i64::MIN), any::<i64>()
            ],
            increment in prop_oneof![0u64..100_000, any::<u64>()],
            moves_to_go in proptest::option::of(any::<u32>()),
            overhead in prop_oneof![0u64..10_000, any::<u64>()],
            later_overhead in prop_oneof![0u64..10_000, any::<u64>()],
        ) {
            let clock = Clock { remaining, increment, moves_to_go, overhead, later_overhead };
            let allotment = allot(clock);
            let left = remaining.max(0) as u64 - clock.reserve();
            prop_assert!(allotment.maximum <= Duration::from_millis(left), "{:?} of {left}", allotment);
            prop_assert!(allotment.optimum.max(allotment.calm) <= allotment.maximum, "{:?}", allotment);
        }

        #[test]
        fn a_whole_control_is_survived(
            base in 100i64..600_000,
            increment in 0u64..10_000,
            moves in proptest::option::of(1u32..60),
            lag in 0u64..50,
        ) {
            // Every move takes its maximum and the lag besides; the clock must last all the same.
            let mut remaining = base;
            for ply in 0..moves.unwrap_or(100) {
                let moves_to_go = moves.map(|moves| moves - ply);
                let clock = Clock { remaining, increment, moves_to_go, overhead: lag, later_overhead: lag };
                let used = allot(clock).maximum.as_millis() as i64;
                remaining -= used;
                prop_assert!(remaining >= 0, "flag fell by {} at move {ply}", -remaining);
                remaining = (remaining - lag as i64).max(0) + increment as i64;
            }
        }
    }

    proptest! {
        #[test]
        fn whatever_a_move_costs_there_is_time_to_think(
            remaining in 500i64..1_000_000,
            increment in 0u64..100_000,
            moves_to_go in proptest::option::of(1u32..200),
            overhead in prop_oneof![0u64..10_000, any::<u64>()],
            later_overhead in prop_oneof![0u64..10_000, any::<u64>()],
        ) {
            let allotment = allot(Clock { remaining, increment, moves_to_go, overhead, later_overhead });
            prop_assert!(allotment.optimum >= Duration::from_millis(1), "{:?}", allotment);
            prop_assert!(allotment.maximum >= Duration::from_millis(remaining as u64 / 100), "{:?}", allotment);
        }
    }

    proptest! {
        #[test]
        fn sudden_death_spends_a_tenth_at_most_and_a_twentieth_while_calm(
            remaining in 0i64..10_000_000,
            increment in prop_oneof![Just(0u64), 0u64..20_000],
            overhead in 0u64..1_000,
            later_overhead in 0u64..1_000,
        ) {
            let allotment = allot(Clock { remaining, increment, moves_to_go: None, overhead, later_overhead });
            let remaining = remaining as u64;
            let short = if remaining < SHORT_CLOCK { (2 * increment).min(remaining / 5) } else { 0 };
            let parts = |part: u64| Duration::from_millis((remaining / part).max(short));
            prop_assert!(allotment.maximum <= parts(10), "{:?}", allotment);
            prop_assert!(allotment.calm <= parts(20), "{:?}", allotment);
        }
    }

    #[test]
    fn who_takes_every_maximum_still_outlives_a_stall() {
        let mut remaining = 10_000;
        for _ in 0..300 {
            let allotment = allot(Clock {
                remaining,
                increment: 100,
                moves_to_go: None,
                overhead: 50,
                later_overhead: 1,
            });
            remaining -= allotment.maximum.as_millis() as i64;
            assert!(remaining > 350, "{remaining} ms left");
            remaining += 100;
        }
    }

    #[test]
    fn ordinary_clocks_give_ordinary_times() {
        let five_minutes = allot(Clock {
            remaining: 300_000,
            increment: 0,
            moves_to_go: Some(40),
            overhead: 50,
            later_overhead: 12,
        });
        assert!((4_000..10_000).contains(&five_minutes.optimum.as_millis()), "{five_minutes:?}");
        let blitz = allot(Clock {
            remaining: 5_000,
            increment: 50,
            moves_to_go: None,
            overhead: 50,
            later_overhead: 12,
        });
        assert!((80..350).contains(&blitz.optimum.as_millis()), "{blitz:?}");
        let empty = allot(Clock {
            remaining: 0,
            increment: 5_000,
            moves_to_go: None,
            overhead: 50,
            later_overhead: 12,
        });
        assert_eq!(empty.maximum, Duration::ZERO);
    }
}
