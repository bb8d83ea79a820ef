//! Values as text. Each is one or several words, without line ends; `-` stands for no value.

use std::fmt::Write;
use std::time::{Duration, Instant};

/// A value of a state.
pub(in crate::session) trait Value: Sized {
    /// The text; `now` is the instant to which times are relative.
    fn write(&self, now: Instant) -> String;

    /// Appends the text.
    fn write_to(&self, out: &mut String, now: Instant) {
        out.push_str(&self.write(now));
    }

    /// Reads a value; `None` if the text is invalid.
    fn read(text: &str, now: Instant) -> Option<Self>;
}

/// The longest time that is read, of either sign: three hundred years of seconds would overflow a
/// clock.
const MAX_SECONDS: u64 = 1_000_000_000;

macro_rules! numbers {
    ($($number:ty)+) => {$(
        impl Value for $number {
            fn write(&self, _: Instant) -> String {
                self.to_string()
            }

            fn write_to(&self, out: &mut String, _: Instant) {
                // Writing to a string cannot fail.
                let _ = write!(out, "{self}");
            }

            fn read(text: &str, _: Instant) -> Option<$number> {
                text.parse().ok()
            }
        }
    )+};
}

numbers!(u8 u16 u32 u64 usize i16 i32 i64);

/// Implements [`Value`] for an enum without fields: each variant has a word.
macro_rules! words {
    ($type:ty { $($variant:path => $word:literal),+ $(,)? }) => {
        impl $crate::session::state::Value for $type {
            fn write(&self, _: std::time::Instant) -> String {
                match self { $($variant => $word,)+ }.to_owned()
            }

            fn write_to(&self, out: &mut String, _: std::time::Instant) {
                out.push_str(match self { $($variant => $word,)+ });
            }

            fn read(text: &str, _: std::time::Instant) -> Option<$type> {
                match text {
                    $($word => Some($variant),)+
                    _ => None,
                }
            }
        }
    };
}
pub(in crate::session) use words;

impl Value for bool {
    fn write(&self, _: Instant) -> String {
        if *self { "yes" } else { "no" }.to_owned()
    }

    fn write_to(&self, out: &mut String, _: Instant) {
        out.push_str(if *self { "yes" } else { "no" });
    }

    fn read(text: &str, _: Instant) -> Option<bool> {
        match text {
            "yes" => Some(true),
            "no" => Some(false),
            _ => None,
        }
    }
}

/// In quotes. Only characters that would end the line are escaped.
impl Value for String {
    fn write(&self, _: Instant) -> String {
        let escaped = self.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r");
        format!("\"{escaped}\"")
    }

    fn read(text: &str, _: Instant) -> Option<String> {
        let mut rest = text.strip_prefix('"')?.strip_suffix('"')?.chars();
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
}

impl<T: Value> Value for Option<T> {
    fn write(&self, now: Instant) -> String {
        self.as_ref().map_or_else(|| "-".to_owned(), |value| value.write(now))
    }

    fn write_to(&self, out: &mut String, now: Instant) {
        match self {
            Some(value) => value.write_to(out, now),
            None => out.push('-'),
        }
    }

    fn read(text: &str, now: Instant) -> Option<Option<T>> {
        if text == "-" { Some(None) } else { T::read(text, now).map(Some) }
    }
}

/// Separated by blanks; the values contain none.
impl<T: Value> Value for Vec<T> {
    fn write(&self, now: Instant) -> String {
        let mut out = String::new();
        self.write_to(&mut out, now);
        out
    }

    fn write_to(&self, out: &mut String, now: Instant) {
        for (number, value) in self.iter().enumerate() {
            if number > 0 {
                out.push(' ');
            }
            value.write_to(out, now);
        }
    }

    fn read(text: &str, now: Instant) -> Option<Vec<T>> {
        text.split_ascii_whitespace().map(|word| T::read(word, now)).collect()
    }
}

/// In seconds, exact to the nanosecond.
impl Value for Duration {
    fn write(&self, _: Instant) -> String {
        let text = format!("{}.{:09}", self.as_secs(), self.subsec_nanos());
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }

    fn read(text: &str, _: Instant) -> Option<Duration> {
        let (seconds, fraction) = text.split_once('.').unwrap_or((text, ""));
        if fraction.len() > 9 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let nanos = format!("{fraction:0<9}").parse().ok()?;
        let seconds = seconds.parse().ok().filter(|&seconds| seconds <= MAX_SECONDS)?;
        Some(Duration::new(seconds, nanos))
    }
}

/// In seconds before (`-`) or after (`+`) the state was written.
impl Value for Instant {
    fn write(&self, now: Instant) -> String {
        match self.checked_duration_since(now) {
            Some(after) => format!("+{}", after.write(now)),
            None => format!("-{}", now.saturating_duration_since(*self).write(now)),
        }
    }

    fn read(text: &str, now: Instant) -> Option<Instant> {
        let time = |text| Duration::read(text, now);
        match text.split_at_checked(1)? {
            ("+", after) => now.checked_add(time(after)?),
            ("-", before) => now.checked_sub(time(before)?),
            _ => None,
        }
    }
}

/// The words of a line with several values.
pub(in crate::session) struct Words<'a> {
    words: std::str::SplitAsciiWhitespace<'a>,
    now: Instant,
}

impl<'a> Words<'a> {
    pub(in crate::session) fn of(text: &'a str, now: Instant) -> Words<'a> {
        Words { words: text.split_ascii_whitespace(), now }
    }

    /// The value of the next word.
    pub(in crate::session) fn next<T: Value>(&mut self) -> Option<T> {
        T::read(self.words.next()?, self.now)
    }

    /// The values of all remaining words.
    pub(in crate::session) fn rest<T: Value>(self) -> Option<Vec<T>> {
        self.words.map(|word| T::read(word, self.now)).collect()
    }

    /// Returns `value` if no word is left.
    pub(in crate::session) fn end<T>(mut self, value: T) -> Option<T> {
        self.words.next().is_none().then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::fmt::Debug;

    fn comes_back<T: Value + PartialEq + Debug>(value: T) {
        let now = Instant::now();
        let text = value.write(now);
        assert!(!text.contains(['\n', '\r']), "{text:?}");
        assert_eq!(T::read(&text, now).as_ref(), Some(&value), "{text:?}");
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
            let now = Instant::now();
            let _ = (Duration::read(&text, now), Instant::read(&text, now), String::read(&text, now));
            let _ = (u8::read(&text, now), Vec::<i64>::read(&text, now), Option::<bool>::read(&text, now));
        }
    }

    #[test]
    fn impossible_times_have_no_value() {
        let now = Instant::now();
        for text in ["", "+", "1", "-99999999999999999999", "+1000000001", "+1.0000000001", "+1.x", "é"] {
            assert_eq!(Instant::read(text, now), None, "{text}");
        }
    }
}
