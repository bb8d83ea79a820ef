//! Arguments of commands: times, time controls, results.

use std::fmt;
use std::time::Duration;

/// Longer than any clock, in seconds; keeps arithmetic on clocks far from overflow.
const MAX_SECONDS: f64 = 1e8;

/// An error in the arguments of a command. The names come from the specification.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArgumentError {
    /// The argument is missing.
    #[error("missing {0}")]
    Missing(&'static str),
    /// The argument is not a number.
    #[error("{0} is not a number")]
    NotANumber(&'static str),
    /// The number is outside of the sensible range.
    #[error("{0} is out of range")]
    OutOfRange(&'static str),
    /// The argument is not one of the allowed values.
    #[error("invalid {0}")]
    Invalid(&'static str),
    /// There are too many arguments.
    #[error("too many parameters")]
    TooMany,
}

/// A time control: `level MPS BASE INC`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// Moves after which `base` is added again; 0 if it is for the whole game.
    pub moves: u32,
    /// Time at the start. Whole milliseconds.
    pub base: Duration,
    /// Added after each move. Whole milliseconds.
    pub increment: Duration,
}

impl Level {
    /// Reads `40 5 0`, `40 0:30 0`, `0 2 12`, `0 2:30 2.5`; and `1 0:30` without an increment,
    /// which xboard sends to engines that it takes for GNU Chess 4.
    pub(super) fn parse(text: &str) -> Result<Level, ArgumentError> {
        let mut words = text.split_ascii_whitespace();
        let moves = words.next().ok_or(ArgumentError::Missing("MPS"))?;
        let base = words.next().ok_or(ArgumentError::Missing("BASE"))?;
        let increment = words.next().unwrap_or("0");
        if words.next().is_some() {
            return Err(ArgumentError::TooMany);
        }
        Ok(Level {
            moves: number(moves, "MPS")?,
            base: minutes(known_part(base), "BASE")?,
            increment: seconds(increment, "INC")?,
        })
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (minutes, rest) = (self.base.as_secs() / 60, self.base.as_secs() % 60);
        write!(f, "{} {minutes}:{rest:02}", self.moves)?;
        if self.base.subsec_millis() > 0 {
            write!(f, ".{:03}", self.base.subsec_millis())?;
        }
        write!(f, " {}", Seconds(self.increment))
    }
}

/// A time in seconds, printed with a fraction only if there is one.
pub(super) struct Seconds(pub(super) Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.as_secs())?;
        match self.0.subsec_millis() {
            0 => Ok(()),
            millis => write!(f, ".{millis:03}"),
        }
    }
}

pub(super) fn text(arguments: &str, what: &'static str) -> Result<String, ArgumentError> {
    if arguments.is_empty() { Err(ArgumentError::Missing(what)) } else { Ok(arguments.to_owned()) }
}

pub(super) fn one<'a>(arguments: &'a str, what: &'static str) -> Result<&'a str, ArgumentError> {
    let mut words = arguments.split_ascii_whitespace();
    let word = words.next().ok_or(ArgumentError::Missing(what))?;
    if words.next().is_some() { Err(ArgumentError::TooMany) } else { Ok(word) }
}

pub(super) fn two<'a>(arguments: &'a str, what: [&'static str; 2]) -> Result<[&'a str; 2], ArgumentError> {
    let mut words = arguments.split_ascii_whitespace();
    let first = words.next().ok_or(ArgumentError::Missing(what[0]))?;
    let second = words.next().ok_or(ArgumentError::Missing(what[1]))?;
    if words.next().is_some() { Err(ArgumentError::TooMany) } else { Ok([first, second]) }
}

/// Reads a whole number.
pub(super) fn number<T: std::str::FromStr>(text: &str, what: &'static str) -> Result<T, ArgumentError> {
    text.parse().map_err(|_| match text.parse::<i128>() {
        Ok(_) => ArgumentError::OutOfRange(what),
        Err(_) => ArgumentError::NotANumber(what),
    })
}

/// Reads a whole number. Some clients write it with a fraction, which is dropped.
pub(super) fn rounded(text: &str, what: &'static str) -> Result<i64, ArgumentError> {
    let value: f64 = text.parse().map_err(|_| ArgumentError::NotANumber(what))?;
    if value.abs() <= MAX_SECONDS * 100.0 {
        Ok(value.trunc() as i64)
    } else {
        Err(ArgumentError::OutOfRange(what))
    }
}

/// Reads seconds, perhaps with a fraction, or `M:SS`.
pub(super) fn seconds(text: &str, what: &'static str) -> Result<Duration, ArgumentError> {
    if text.contains(':') { minutes(text, what) } else { duration(float(text, what)?, what) }
}

/// Cuts off what later versions of the protocol may append to the base time, as in `25+5`; it is to
/// be ignored (current text, section 11).
fn known_part(base: &str) -> &str {
    let end = base.find(|c: char| !(c.is_ascii_digit() || matches!(c, ':' | '.')));
    match end {
        Some(0) | None => base,
        Some(end) => &base[..end],
    }
}

/// Reads minutes, perhaps with a fraction, or `M:SS`.
fn minutes(text: &str, what: &'static str) -> Result<Duration, ArgumentError> {
    match text.split_once(':') {
        Some((minutes, seconds)) => {
            let minutes: u32 = number(minutes, what)?;
            duration(f64::from(minutes) * 60.0 + float(seconds, what)?, what)
        }
        None => duration(float(text, what)? * 60.0, what),
    }
}

fn float(text: &str, what: &'static str) -> Result<f64, ArgumentError> {
    text.parse().map_err(|_| ArgumentError::NotANumber(what))
}

fn duration(seconds: f64, what: &'static str) -> Result<Duration, ArgumentError> {
    // NaN fails the comparison too.
    if (0.0..=MAX_SECONDS).contains(&seconds) {
        Ok(Duration::from_millis((seconds * 1000.0).round() as u64))
    } else {
        Err(ArgumentError::OutOfRange(what))
    }
}

/// `rating OWN OPPONENT`; 0 for unrated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rating {
    /// The engine's rating.
    pub own: i32,
    /// The opponent's rating.
    pub opponent: i32,
}

/// The argument of `exclude` and `include`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RootMoves {
    /// `all`
    All,
    /// One move, as sent.
    One(String),
}

impl fmt::Display for RootMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RootMoves::All => "all",
            RootMoves::One(mv) => mv,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(text: &str) -> (u32, u64, u64) {
        let level = Level::parse(text).unwrap();
        (level.moves, level.base.as_millis() as u64, level.increment.as_millis() as u64)
    }

    #[test]
    fn every_form_of_level_is_understood() {
        assert_eq!(level("40 5 0"), (40, 300_000, 0));
        assert_eq!(level("40 0:30 0"), (40, 30_000, 0));
        assert_eq!(level("0 2 12"), (0, 120_000, 12_000));
        assert_eq!(level("0 2:30 2.5"), (0, 150_000, 2_500));
        assert_eq!(level("0 0:01 0.1"), (0, 1_000, 100));
        assert_eq!(level("0 1:40 0.05"), (0, 100_000, 50));
        assert_eq!(level("60 120 0"), (60, 7_200_000, 0));
        assert_eq!(level("0 0.5 0"), (0, 30_000, 0));
        assert_eq!(level("1 0:30"), (1, 30_000, 0));
        assert_eq!(level("40 25+5 0"), (40, 1_500_000, 0));
    }

    #[test]
    fn errors_of_a_level_name_the_fault() {
        assert_eq!(Level::parse(""), Err(ArgumentError::Missing("MPS")));
        assert_eq!(Level::parse("40"), Err(ArgumentError::Missing("BASE")));
        assert_eq!(Level::parse("x 5 0"), Err(ArgumentError::NotANumber("MPS")));
        assert_eq!(Level::parse("-1 5 0"), Err(ArgumentError::OutOfRange("MPS")));
        assert_eq!(Level::parse("40 five 0"), Err(ArgumentError::NotANumber("BASE")));
        assert_eq!(Level::parse("40 999999999 0"), Err(ArgumentError::OutOfRange("BASE")));
        assert_eq!(Level::parse("40 -5 0"), Err(ArgumentError::OutOfRange("BASE")));
        assert_eq!(Level::parse("40 5 NaN"), Err(ArgumentError::OutOfRange("INC")));
        assert_eq!(Level::parse("1 2 3 4 5 6 7"), Err(ArgumentError::TooMany));
    }

    #[test]
    fn clocks_may_be_written_with_a_fraction() {
        assert_eq!(rounded("29970", "N"), Ok(29970));
        assert_eq!(rounded("-12", "N"), Ok(-12));
        assert_eq!(rounded("99.6", "N"), Ok(99));
        assert_eq!(rounded("inf", "N"), Err(ArgumentError::OutOfRange("N")));
    }
}
