//! The command of a remote shell client. Nothing is ever executed: the command names a profile, and may set
//! options.

use crate::session::{DEFAULT_PROFILE, Profile, SettingError};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Why there is no engine for a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum CommandError {
    /// The profile does not exist; the existing ones.
    Unknown(String, Vec<String>),
    /// The word is not a setting.
    NoSetting(String),
    /// The option cannot be set.
    Option(SettingError),
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Unknown(name, known) => {
                write!(
                    f,
                    "there is no profile {name:?} here; the command must begin with one of: {}",
                    known.join(", ")
                )
            }
            CommandError::NoSetting(word) => {
                write!(
                    f,
                    "behind the profile's name only settings NAME=VALUE may follow, and {word:?} is none"
                )
            }
            CommandError::Option(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for CommandError {}

/// The profile for the command `NAME OPTION=VALUE…`. No name, or [`DEFAULT_PROFILE`], stands for `default`.
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

/// The words of a command. Quotes hold words together and are dropped; WinBoard sends them as the user has
/// typed them.
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
    fn what_cannot_be_is_told_with_what_can() {
        let message = |command: &str| chosen(command).unwrap_err().to_string();
        assert!(
            message("Club").contains("\"Club\" here; the command must begin with one of: farboard, club")
        );
        assert!(message("gnuchess -x; reboot").contains("no profile \"gnuchess\""));
        assert!(message("club -x").contains("\"-x\" is none"));
        assert!(message("club =3").contains("\"=3\" is none"));
        assert!(message("club Elo=9").contains("Elo cannot be set"));
    }
}
