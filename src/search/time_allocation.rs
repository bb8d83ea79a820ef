//! Time allocation for a move.

use std::time::Duration;

/// The clocks when a move is due, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left on the own clock; 0 or less if the flag should have fallen.
    pub remaining: i64,
    /// Increment after each move.
    pub increment: u64,
    /// Moves until the next time control; `None` for sudden death.
    pub moves_to_go: Option<u32>,
    /// Worst-case cost of this move besides thinking: lag.
    pub overhead: u64,
    /// Average cost of each later move besides thinking.
    pub later_overhead: u64,
}

/// The time for a move, counted from when it became due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allotment {
    /// Time to aim for.
    pub optimum: Duration,
    /// Maximum while score and best move are stable.
    pub calm: Duration,
    /// Time at which the best move so far is played.
    pub maximum: Duration,
    /// Whether unused time is lost, so that all of it is used unless there is only one move.
    pub exact: bool,
}

impl Allotment {
    /// An allotment of exactly `time`, which is of no use later.
    pub fn exact(time: Duration) -> Allotment {
        Allotment { optimum: time, calm: time, maximum: time, exact: true }
    }
}

/// Expected number of moves until the end of the game from any position. Less than the true number,
/// as most moves take about half of their optimum.
const HORIZON: u64 = 20;
/// Expected number of moves whose fixed costs are reserved.
const MOVES_PAID: u64 = 60;

/// Sudden death: the clock divided by this is the maximum for a move.
const LARGEST_PART: u64 = 10;
/// Sudden death: the clock divided by this is the maximum while score and best move are stable.
const CALM_PART: u64 = 20;
/// Clock in milliseconds below which these parts may be less than each increment, so that the clock
/// would never be used up. There a move may use two increments, less the lag, up to a larger part.
const SHORT_CLOCK: u64 = 5_000;
const SPENDABLE_INCREMENTS: u64 = 2;
const LARGEST_PART_OF_SHORT: u64 = 5;
/// Number of increments to aim for besides a part of the clock. Most moves take less than their
/// optimum, so one would not be used up.
const OPTIMUM_INCREMENTS: f64 = 2.5;

/// Possible stall of an overloaded virtual machine, in milliseconds.
const STALL: u64 = 400;

impl Clock {
    /// Returns the reserve in milliseconds: the cost of the move itself, a fiftieth of the clock,
    /// and with increments an allowance for stalls. At most three quarters of the clock: if each
    /// move costs more than is left, moving without thinking loses, too.
    pub fn reserve(&self) -> u64 {
        let remaining = self.remaining.max(0) as u64;
        // With increments, holding this back costs time only once in a game.
        let stall = if self.increment > 0 { STALL.min(remaining / 4) } else { 0 };
        self.overhead.saturating_add(remaining / 50 + stall).min(remaining - remaining / 4)
    }
}

/// Allots time for a move. `maximum` is at most the clock less its reserve, so 0 if nothing can be
/// spared; `optimum` and `calm` are at most `maximum`. In sudden death `maximum` is at most a tenth
/// of the clock, and `calm` a twentieth; in the last five seconds both may be two increments, up to
/// a fifth.
pub fn allot(clock: Clock) -> Allotment {
    let remaining = clock.remaining.max(0) as u64;
    let usable = remaining - clock.reserve();
    let moves = clock.moves_to_go.map_or(HORIZON, |moves| u64::from(moves.clamp(1, 40)));
    // Gain or cost of the coming moves. Where each costs more than it brings, the game can only
    // last so long, and longer with less thinking.
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
    // The last move before the next time control may use nearly all that is left. Others leave most
    // of it: on a full server every move takes its maximum, and a clock that lives on increments
    // needs an allowance for stalls.
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
        fn allotments_never_exceed_the_clock_less_its_reserve(
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
            // Every move takes its maximum and the lag besides; the clock must last.
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
        fn costly_moves_leave_time_to_think(
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
    fn taking_every_maximum_survives_a_stall() {
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
