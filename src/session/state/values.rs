//! Values as text. Each is one or several words, without line ends; `-` stands for no value.

use std::time::{Duration, Instant};

/// The longest time that is read, of either sign: three hundred years of seconds would overflow a
/// clock.
const MAX_SECONDS: u64 = 1_000_000_000;

/// A value of a state.
pub(in crate::session) trait Value: Sized {
    /// Appends the text; `now` is the instant to which times are relative.
    fn write(&self, out: &mut String, now: Instant);

    /// Reads a value from the next words; `None` if they are invalid.
    fn read(words: &mut Words<'_>) -> Option<Self>;
}

/// The words of a line that are not read yet.
#[derive(Clone, Copy)]
pub(in crate::session) struct Words<'a> {
    rest: &'a str,
    now: Instant,
}

impl<'a> Words<'a> {
    /// Reads a value that is all of `text`.
    pub(super) fn all<T: Value>(text: &str, now: Instant) -> Option<T> {
        let mut words = Words { rest: text, now };
        T::read(&mut words).filter(|_| words.is_empty())
    }

    /// Takes the next word.
    pub(in crate::session) fn word(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_ascii_start();
        let (word, rest) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    /// Takes the rest of the line.
    pub(in crate::session) fn line(&mut self) -> Option<&'a str> {
        Some(std::mem::take(&mut self.rest))
    }

    fn is_empty(&self) -> bool {
        self.rest.trim_ascii_start().is_empty()
    }
}

/// Implements [`Value`] by expressions: a text to display, and a function from a text, which is a
/// `word` or the `line`.
macro_rules! text {
    ($type:ty, $scope:ident, |$value:ident| $text:expr, $read:expr) => {
        impl $crate::session::state::Value for $type {
            fn write(&self, out: &mut String, _: std::time::Instant) {
                let $value = self;
                // Writing to a string cannot fail.
                let _ = std::fmt::Write::write_fmt(out, format_args!("{}", $text));
            }

            fn read(words: &mut $crate::session::state::Words<'_>) -> Option<$type> {
                ($read)(words.$scope()?)
            }
        }
    };
}
pub(in crate::session) use text;

/// Implements [`Value`] for an enum: each variant has a word.
macro_rules! words {
    ($type:ty { $($($variant:ident)::+ $(($($($inner:ident)::+),+))? => $word:literal),+ $(,)? }) => {
        $crate::session::state::text!(
            $type,
            word,
            |value| match value { $($($variant)::+ $(($($($inner)::+),+))? => $word,)+ },
            |word| match word {
                $($word => Some($($variant)::+ $(($($($inner)::+),+))?),)+
                _ => None,
            }
        );
    };
}
pub(in crate::session) use words;

/// Implements [`Value`] for a struct: the values of its fields, in this order.
macro_rules! record {
    ($type:ident { $($field:ident),+ $(,)? }) => {
        impl $crate::session::state::Value for $type {
            fn write(&self, out: &mut String, now: std::time::Instant) {
                let $type { $($field),+ } = self;
                $($field.write(out, now); out.push(' ');)+
                out.pop();
            }

            fn read(words: &mut $crate::session::state::Words<'_>) -> Option<$type> {
                Some($type { $($field: $crate::session::state::Value::read(words)?),+ })
            }
        }
    };
}
pub(in crate::session) use record;

macro_rules! numbers {
    ($($number:ty)+) => { $(text!($number, word, |number| number, |word: &str| word.parse().ok());)+ };
}

numbers!(u8 u16 u32 u64 usize i16 i32 i64);

words!(bool { true => "yes", false => "no" });

// In quotes. Only characters that would end the line are escaped.
text!(
    String,
    line,
    |text| format_args!("\"{}\"", text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")),
    |line: &str| {
        let mut rest = line.strip_prefix('"')?.strip_suffix('"')?.chars();
        let mut read = String::new();
        while let Some(char) = rest.next() {
            read.push(match char {
                '\\' => match rest.next()? {
                    '\\' => '\\',
                    'n' => '\n',
                    'r' => '\r',
                    _ => return None,
                },
                char => char,
            });
        }
        Some(read)
    }
);

impl<T: Value> Value for Option<T> {
    fn write(&self, out: &mut String, now: Instant) {
        match self {
            Some(value) => value.write(out, now),
            None => out.push('-'),
        }
    }

    fn read(words: &mut Words<'_>) -> Option<Option<T>> {
        let mut ahead = *words;
        // A value may begin with `-`, but none is `-` alone.
        match T::read(&mut ahead) {
            Some(value) => {
                *words = ahead;
                Some(Some(value))
            }
            None => (words.word()? == "-").then_some(None),
        }
    }
}

impl<T: Value> Value for Box<T> {
    fn write(&self, out: &mut String, now: Instant) {
        T::write(self, out, now);
    }

    fn read(words: &mut Words<'_>) -> Option<Box<T>> {
        T::read(words).map(Box::new)
    }
}

/// All words up to the end of the line.
impl<T: Value> Value for Vec<T> {
    fn write(&self, out: &mut String, now: Instant) {
        for (number, value) in self.iter().enumerate() {
            if number > 0 {
                out.push(' ');
            }
            value.write(out, now);
        }
    }

    fn read(words: &mut Words<'_>) -> Option<Vec<T>> {
        let mut values = Vec::new();
        while !words.is_empty() {
            values.push(T::read(words)?);
        }
        Some(values)
    }
}

impl<T: Value + Copy + Default, const N: usize> Value for [T; N] {
    fn write(&self, out: &mut String, now: Instant) {
        for value in self {
            value.write(out, now);
            out.push(' ');
        }
        out.pop();
    }

    fn read(words: &mut Words<'_>) -> Option<[T; N]> {
        let mut values = [T::default(); N];
        values.iter_mut().try_for_each(|value| T::read(words).map(|read| *value = read))?;
        Some(values)
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),+))+) => {$(
        impl<$($name: Value),+> Value for ($($name),+) {
            fn write(&self, out: &mut String, now: Instant) {
                $(self.$index.write(out, now); out.push(' ');)+
                out.pop();
            }

            fn read(words: &mut Words<'_>) -> Option<($($name),+)> {
                Some(($($name::read(words)?),+))
            }
        }
    )+};
}

tuples!((A 0, B 1)(A 0, B 1, C 2, D 3));

/// In seconds, exact to the nanosecond.
impl Value for Duration {
    fn write(&self, out: &mut String, _: Instant) {
        let text = format!("{}.{:09}", self.as_secs(), self.subsec_nanos());
        out.push_str(text.trim_end_matches('0').trim_end_matches('.'));
    }

    fn read(words: &mut Words<'_>) -> Option<Duration> {
        read_seconds(words.word()?)
    }
}

fn read_seconds(text: &str) -> Option<Duration> {
    let (seconds, fraction) = text.split_once('.').unwrap_or((text, ""));
    if fraction.len() > 9 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let nanos = format!("{fraction:0<9}").parse().ok()?;
    let seconds = seconds.parse().ok().filter(|&seconds| seconds <= MAX_SECONDS)?;
    Some(Duration::new(seconds, nanos))
}

/// In seconds before (`-`) or after (`+`) the state was written.
impl Value for Instant {
    fn write(&self, out: &mut String, now: Instant) {
        let after = self.checked_duration_since(now);
        out.push(if after.is_some() { '+' } else { '-' });
        after.unwrap_or_else(|| now.saturating_duration_since(*self)).write(out, now);
    }

    fn read(words: &mut Words<'_>) -> Option<Instant> {
        match words.word()?.split_at_checked(1)? {
            ("+", after) => words.now.checked_add(read_seconds(after)?),
            ("-", before) => words.now.checked_sub(read_seconds(before)?),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::fmt::Debug;

    fn comes_back<T: Value + PartialEq + Debug>(value: T) {
        let now = Instant::now();
        let mut text = String::new();
        value.write(&mut text, now);
        assert!(!text.contains(['\n', '\r']), "{text:?}");
        assert_eq!(Words::all::<T>(&text, now).as_ref(), Some(&value), "{text:?}");
    }

    fn read<T: Value>(text: &str) -> Option<T> {
        Words::all(text, Instant::now())
    }

    proptest! {
        #[test]
        fn values_come_back(text: String, nanos in 0..10_000_000_000u64, number: i64, list: Vec<u32>) {
            comes_back(text);
            comes_back(Duration::from_nanos(nanos));
            comes_back(Instant::now() + Duration::from_nanos(nanos));
            comes_back(number);
            comes_back(list);
            comes_back(Some(Duration::from_nanos(nanos)));
        }

        #[test]
        fn hostile_text_is_refused_without_a_panic(text in "[-+0-9.\" \\\\a-z]{0,40}") {
            let _ = (read::<Duration>(&text), read::<Instant>(&text), read::<String>(&text));
            let _ = (read::<u8>(&text), read::<Vec<i64>>(&text), read::<Option<bool>>(&text));
        }
    }

    #[test]
    fn impossible_times_have_no_value() {
        let now = Instant::now();
        for text in ["", "+", "1", "-99999999999999999999", "+1000000001", "+1.0000000001", "+1.x", "é"] {
            assert_eq!(Words::all::<Instant>(text, now), None, "{text}");
        }
    }
}
