//! The log filter: a level, or levels of modules.

use serde::Deserialize;
use std::fmt;
use std::str::FromStr;

/// The environment variables that set a filter, the first one before the others.
const VARIABLES: [&str; 2] = ["FARBOARD_LOG", "RUST_LOG"];

const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// A filter as `env_logger` reads it: `info`, or `info,farboard::server::http=debug`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct LogFilter(String);

/// Error of parsing a [`LogFilter`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogFilterError(String);

impl fmt::Display for LogFilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} is neither a level ({}) nor a module with its level, such as farboard::server=debug",
            self.0,
            LEVELS.join(", ")
        )
    }
}

impl std::error::Error for LogFilterError {}

impl FromStr for LogFilter {
    type Err = LogFilterError;

    fn from_str(text: &str) -> Result<LogFilter, LogFilterError> {
        let is_level = |word: &str| LEVELS.iter().any(|level| level.eq_ignore_ascii_case(word));
        let is_module = |word: &str| {
            !word.is_empty()
                && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':'))
        };
        for part in text.split(',').map(str::trim) {
            // A misspelt level would be taken for a module, and everything else be silenced.
            let is_right = match part.split_once('=') {
                Some((module, level)) => is_module(module) && is_level(level),
                None => is_level(part) || part.contains("::") && is_module(part),
            };
            if !is_right {
                return Err(LogFilterError(part.to_owned()));
            }
        }
        Ok(LogFilter(text.to_owned()))
    }
}

impl TryFrom<String> for LogFilter {
    type Error = LogFilterError;

    fn try_from(text: String) -> Result<LogFilter, LogFilterError> {
        text.parse()
    }
}

impl From<log::LevelFilter> for LogFilter {
    fn from(level: log::LevelFilter) -> LogFilter {
        LogFilter(level.as_str().to_ascii_lowercase())
    }
}

impl LogFilter {
    /// The filter in the environment: `FARBOARD_LOG`, or else `RUST_LOG`.
    ///
    /// # Errors
    /// `FARBOARD_LOG` is not a filter. An invalid `RUST_LOG`, perhaps meant for other programs, is
    /// ignored.
    pub fn from_environment() -> Result<Option<LogFilter>, String> {
        let [own, general] = VARIABLES.map(|name| std::env::var(name).ok().filter(|text| !text.is_empty()));
        match own {
            Some(text) => text.parse().map(Some).map_err(|error| format!("{}: {error}", VARIABLES[0])),
            None => Ok(general.and_then(|text| text.parse().ok())),
        }
    }

    /// The text, as `env_logger` reads it.
    pub(super) fn text(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_modules_are_filters() {
        for text in
            ["info", "WARN", "off", "info,farboard::server=debug", "farboard::pool", "warn, rustls=trace"]
        {
            assert_eq!(text.parse::<LogFilter>().expect(text).text(), text);
        }
        for text in ["", "loud", "info,", "farboard=loud", "=debug", "info;farboard=debug"] {
            let error = text.parse::<LogFilter>().expect_err(text).to_string();
            assert!(error.contains("farboard::server=debug"), "{error}");
        }
    }
}
