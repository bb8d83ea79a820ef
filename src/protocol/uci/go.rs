//! `go`: what to search, and for how long.

use super::{CommandError, MoveWords};
use std::fmt;

/// The arguments of `go`. Times are in milliseconds. Counts are clamped to the range of their type,
/// negative ones to 0; the meaning of 0 is up to the session.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Go {
    /// `ponder`: the last move of the position is only expected.
    pub ponder: bool,
    /// `infinite`: no answer before `stop`.
    pub infinite: bool,
    /// `wtime`: White's clock. Some GUIs send negative ones.
    pub wtime: Option<i64>,
    /// `btime`: Black's clock.
    pub btime: Option<i64>,
    /// `winc`: added to White's clock after each move.
    pub winc: Option<u64>,
    /// `binc`: added to Black's clock after each move.
    pub binc: Option<u64>,
    /// `movestogo`: moves until the next period begins.
    pub movestogo: Option<u32>,
    /// `movetime`: the exact time for the move.
    pub movetime: Option<u64>,
    /// `depth`, in plies.
    pub depth: Option<u32>,
    /// `nodes`
    pub nodes: Option<u64>,
    /// `mate`: look for a mate in this many moves.
    pub mate: Option<u32>,
    /// `perft`: count the leaves of the tree of legal moves, this many plies deep.
    pub perft: Option<u32>,
    /// `searchmoves`: consider these first moves only; all if empty.
    pub searchmoves: MoveWords,
}

impl Go {
    /// Reads the arguments of `go`. Unknown words are ignored; of a repeated word the last one
    /// counts.
    ///
    /// # Errors
    /// A number is missing or malformed.
    pub(super) fn parse<'a>(words: impl Iterator<Item = &'a str>) -> Result<Go, CommandError> {
        let mut go = Go::default();
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            match word {
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "searchmoves" => {
                    go.searchmoves = MoveWords::default();
                    while let Some(mv) = words.next_if(|word| !is_known(word)) {
                        go.searchmoves.push(mv);
                    }
                }
                _ => {
                    if let Some(&name) = NUMBERS.iter().find(|&&name| name == word) {
                        go.set(name, number(name, words.next())?);
                    }
                }
            }
        }
        Ok(go)
    }
}

/// Defines the arguments that are numbers.
macro_rules! numbers {
    ($($name:ident: $number:ty,)*) => {
        const NUMBERS: &[&str] = &[$(stringify!($name)),*];

        impl Go {
            fn set(&mut self, name: &str, value: i64) {
                match name {
                    $(stringify!($name) => {
                        let clamped = i128::from(value).clamp(<$number>::MIN.into(), <$number>::MAX.into());
                        self.$name = Some(clamped as $number);
                    })*
                    _ => {}
                }
            }

            fn write_numbers(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                $(self.$name.iter().try_for_each(|value| write!(f, " {} {value}", stringify!($name)))?;)*
                Ok(())
            }
        }
    };
}

numbers! {
    wtime: i64, btime: i64, winc: u64, binc: u64, movestogo: u32, movetime: u64, depth: u32, nodes: u64,
    mate: u32, perft: u32,
}

/// Returns true if the word has a meaning after `go`.
fn is_known(word: &str) -> bool {
    NUMBERS.contains(&word) || matches!(word, "searchmoves" | "ponder" | "infinite")
}

/// Reads a whole number. Fractions are cut off, and numbers out of range clamped.
fn number(name: &'static str, word: Option<&str>) -> Result<i64, CommandError> {
    let wrong = || CommandError::Number(name, word.unwrap_or_default().to_owned());
    let text = word.ok_or_else(wrong)?;
    if let Ok(number) = text.parse() {
        return Ok(number);
    }
    // Rust also parses words such as `inf` and `nan`.
    let is_number = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+'));
    let number = text.parse::<f64>().ok().filter(|_| is_number).ok_or_else(wrong)?;
    Ok(number as i64)
}

/// With a blank before each word.
impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ponder {
            f.write_str(" ponder")?;
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        self.write_numbers(f)?;
        // Last, since some engines take everything that follows for moves.
        if self.searchmoves.is_empty() { Ok(()) } else { write!(f, " searchmoves {}", self.searchmoves) }
    }
}
