//! Engine options in the configuration: `NAME=VALUE` as a flag, a table in the file.

use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::str::FromStr;

/// An engine option and its value, as typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionSetting {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

impl FromStr for OptionSetting {
    type Err = String;

    fn from_str(text: &str) -> Result<OptionSetting, String> {
        match text.split_once('=') {
            Some((name, value)) => Ok(OptionSetting { name: name.trim().into(), value: value.trim().into() }),
            None => Err(format!("{text:?} is not NAME=VALUE")),
        }
    }
}

/// A value in TOML.
#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Flag(bool),
    Number(i64),
    Text(String),
}

/// Reads `[option]` with a line for each.
pub(super) fn from_table<'de, D: Deserializer<'de>>(reader: D) -> Result<Vec<OptionSetting>, D::Error> {
    let table = BTreeMap::<String, Value>::deserialize(reader)?;
    let setting = |(name, value)| {
        let value = match value {
            Value::Flag(value) => u8::from(value).to_string(),
            Value::Number(value) => value.to_string(),
            Value::Text(value) => value,
        };
        OptionSetting { name, value }
    };
    Ok(table.into_iter().map(setting).collect())
}
