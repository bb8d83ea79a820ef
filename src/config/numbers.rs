//! Numbers in the configuration, and their errors.

use serde::{Deserialize, Deserializer, de};
use std::fmt;
use std::str::FromStr;

/// A number as typed, in the file or as a flag. Its range is checked later, with all other
/// settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count(pub usize);

/// The expected form.
const EXPECTED: &str = "a whole number, 1 or more";

impl FromStr for Count {
    type Err = String;

    fn from_str(text: &str) -> Result<Count, String> {
        text.parse().map(Count).map_err(|_| format!("{text:?} is not {EXPECTED}"))
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Count, D::Error> {
        reader.deserialize_u64(Visitor)
    }
}

struct Visitor;

impl de::Visitor<'_> for Visitor {
    type Value = Count;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(EXPECTED)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Count, E> {
        let number = usize::try_from(number);
        number.map(Count).map_err(|_| E::custom(format_args!("the number is not {EXPECTED}, but too large")))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Count, E> {
        let positive =
            u64::try_from(number).map_err(|_| E::custom(format_args!("{number} is not {EXPECTED}")))?;
        self.visit_u64(positive)
    }
}
