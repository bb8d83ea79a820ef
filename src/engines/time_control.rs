//! The time control of a game.

use std::str::FromStr;
use std::time::Duration;

/// A time control.
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
            return Err(format!("{text:?}: a game needs a second on the clock at least"));
        }
        Ok(clock)
    }
}
