//! Time controls of games.

use std::str::FromStr;
use std::time::Duration;

/// The time control of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeControl {
    /// A clock for the game.
    Game(Clock),
    /// Time for each move.
    Move(Duration),
    /// Nodes for each move.
    Nodes(u64),
}

/// The clock of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time on the clock at the start.
    pub base: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

impl FromStr for Clock {
    type Err = String;

    fn from_str(text: &str) -> Result<Clock, String> {
        let wrong = || format!("{text:?} is not SECONDS+INCREMENT such as 10+0.1");
        let (base, increment) = text.split_once('+').ok_or_else(wrong)?;
        let seconds = |text: &str| {
            let seconds = text.trim().parse().ok().filter(|seconds| (0.0..=36_000.0).contains(seconds));
            seconds.map(Duration::from_secs_f64).ok_or_else(wrong)
        };
        let clock = Clock { base: seconds(base)?, increment: seconds(increment)? };
        if clock.base.as_secs() == 0 {
            return Err(format!("{text:?}: a game needs at least a second on the clock"));
        }
        Ok(clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_have_seconds_and_an_increment() {
        let clock: Clock = "75+0.5".parse().unwrap();
        assert_eq!(clock, Clock { base: Duration::from_secs(75), increment: Duration::from_millis(500) });
        for wrong in ["", "10", "10+", "+1", "x+1", "-1+1", "NaN+1", "1+inf", "0.5+0", "1e99+0"] {
            assert!(wrong.parse::<Clock>().is_err(), "{wrong}");
        }
    }
}
