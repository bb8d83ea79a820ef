//! The options of the engine in this process: a session's options that affect a search.

use crate::matches::EngineError;
use crate::search::{Strength, Style};
use std::ops::RangeInclusive;

/// Values of the options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SearchOptions {
    /// Size of the table in MiB.
    pub(super) hash: usize,
    pub(super) style: Style,
}

/// An option: its name, its values, and its effect.
type Entry = (&'static str, RangeInclusive<i64>, fn(&mut SearchOptions, i64));

const OPTIONS: [Entry; 5] = [
    ("Contempt", -200..=200, |options, value| options.style.contempt = value as i16),
    ("Elo", Strength::WEAKEST as i64..=Strength::STRONGEST as i64, |options, value| {
        options.style.strength = Some(Strength::of_elo(value as u16));
    }),
    ("Hash", 1..=1 << 20, |options, value| options.hash = value as usize),
    ("Randomness", 0..=100, |options, value| options.style.noise = value as u8),
    ("Skill Level", 0..=Strength::LEVELS as i64, |options, value| {
        options.style.strength = Strength::of_level(value as u8);
    }),
];

impl SearchOptions {
    /// The defaults with a table of this size in MiB, and these names and values. Case and blanks
    /// in names do not matter.
    ///
    /// # Errors
    /// A name or value is wrong.
    pub(super) fn new(hash: usize, options: &[(String, String)]) -> Result<SearchOptions, EngineError> {
        let mut values = SearchOptions { hash, style: Style::default() };
        for (name, value) in options {
            let entry = OPTIONS.iter().find(|(known, ..)| plain(known) == plain(name));
            let (known, range, set) =
                entry.ok_or_else(|| EngineError::no_option(name, &OPTIONS.map(|(name, ..)| name)))?;
            let number = value.trim().parse().ok().filter(|number| range.contains(number));
            let number = number.ok_or_else(|| {
                EngineError::OptionValue(format!(
                    "{known} is a number from {} to {}",
                    range.start(),
                    range.end()
                ))
            })?;
            set(&mut values, number);
        }
        Ok(values)
    }
}

fn plain(name: &str) -> String {
    name.chars().filter(|letter| *letter != ' ').map(|letter| letter.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(options: &[(&str, &str)]) -> Result<SearchOptions, String> {
        let options: Vec<_> =
            options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        SearchOptions::new(16, &options).map_err(|error| error.to_string())
    }

    #[test]
    fn each_option_has_its_effect() {
        let none = SearchOptions { hash: 16, style: Style::default() };
        assert_eq!(read(&[]), Ok(none));
        let set = read(&[("Contempt", "-20"), ("hash", "64"), ("Randomness", "5"), ("Elo", "1500")]);
        let strength = Some(Strength::of_elo(1500));
        let style = Style { strength, contempt: -20, noise: 5, ..Style::default() };
        assert_eq!(set, Ok(SearchOptions { hash: 64, style }));
        assert_eq!(read(&[("SkillLevel", "0")]).unwrap().style.strength, Strength::of_level(0));
        assert_eq!(read(&[("Skill Level", "20")]), Ok(none), "the highest level is full strength");
    }

    #[test]
    fn a_wrong_name_or_value_is_explained() {
        let error = read(&[("Threads", "2")]).unwrap_err();
        assert!(error.contains("\"Threads\"") && error.contains("Contempt, Elo, Hash"), "{error}");
        for (name, value) in [("Elo", "100"), ("Elo", ""), ("Hash", "0"), ("Contempt", "many")] {
            let error = read(&[(name, value)]).unwrap_err();
            assert!(error.starts_with(&format!("{name} is a number from ")), "{error}");
        }
    }
}
