//! The command of a remote shell client. Nothing is ever executed: the command names a profile, and
//! may set options.

use crate::session::{DEFAULT_PROFILE, Profile, SettingError};
use std::collections::BTreeMap;
use std::sync::Arc;
use thiserror::Error;

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum CommandError {
    /// Unknown profile; the existing ones.
    #[error("there is no profile {:?} here; the command must begin with one of: {}", .0, .1.join(", "))]
    Unknown(String, Vec<String>),
    /// The word is not a setting.
    #[error("only settings NAME=VALUE may follow the profile, and {0:?} is not one")]
    NoSetting(String),
    /// The option cannot be set.
    #[error(transparent)]
    Option(SettingError),
}

/// Returns the profile for the command `NAME OPTION=VALUE…`. No name, or [`DEFAULT_PROFILE`],
/// stands for `default`.
///
/// # Errors
/// There is no such profile or option.
pub(super) fn profile(
    command: &str,
    default: &Arc<Profile>,
    named: &BTreeMap<String, Arc<Profile>>,
) -> Result<Arc<Profile>, CommandError> {
    let mut words = words(command).into_iter();
    let profile = match words.next() {
        None => return Ok(Arc::clone(default)),
        Some(name) if name == DEFAULT_PROFILE => default,
        Some(name) => named.get(&name).ok_or_else(|| {
            let known = std::iter::once(DEFAULT_PROFILE.to_owned()).chain(named.keys().cloned());
            CommandError::Unknown(name, known.collect())
        })?,
    };
    let settings = words.map(|word| match word.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(CommandError::NoSetting(word)),
    });
    let settings = settings.collect::<Result<Vec<_>, _>>()?;
    if settings.is_empty() {
        return Ok(Arc::clone(profile));
    }
    let settings = settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    Profile::clone(profile).with(settings).map(Arc::new).map_err(CommandError::Option)
}

/// Splits a command into words. Quotes, which WinBoard sends as typed, hold words together.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Books;

    fn chosen(command: &str) -> Result<Arc<Profile>, CommandError> {
        let default = Arc::new(Profile::new("default", Books::default()));
        let club = Profile::new("club", Books::default()).with([("Elo", "1500")]).unwrap();
        profile(command, &default, &BTreeMap::from([("club".to_owned(), Arc::new(club))]))
    }

    #[test]
    fn the_first_word_is_the_profile() {
        for command in ["", "  ", "farboard", "'farboard'", "\"\""] {
            assert_eq!(chosen(command).unwrap().name, "default", "{command:?}");
        }
        for command in ["club", " club ", "\"club\"", "'club' "] {
            assert_eq!(chosen(command).unwrap().name, "club", "{command:?}");
        }
    }

    #[test]
    fn settings_follow_on_top_of_those_of_the_profile() {
        let expected = Profile::new("", Books::default());
        let expected = expected.with([("Elo", "1500"), ("MultiPV", "3"), ("Greeting", "hello you")]).unwrap();
        let profile = chosen("club MultiPV=3 Greeting=\"hello you\"").unwrap();
        assert_eq!(profile.options, expected.options);
    }

    #[test]
    fn an_error_names_the_word_and_the_alternatives() {
        let message = |command: &str| chosen(command).unwrap_err().to_string();
        assert!(
            message("Club").contains("\"Club\" here; the command must begin with one of: farboard, club")
        );
        assert!(message("gnuchess -x; reboot").contains("no profile \"gnuchess\""));
        assert!(message("club -x").contains("\"-x\" is not one"));
        assert!(message("club =3").contains("\"=3\" is not one"));
        assert!(message("club Elo=9").contains("Elo cannot be set"));
    }
}
