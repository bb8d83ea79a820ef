//! A line of the file of users.

use super::{Credential, User};
use crate::auth::user_key::{ED25519_WORD, InvalidUserName, check_user_name};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::time::SystemTime;

/// The word of users that show a certificate.
const CERTIFICATE: &str = "certificate";
/// The greatest share.
const MAX_WEIGHT: usize = 1024;
/// The greatest number of sessions or searches.
const MAX_COUNT: usize = 1 << 20;

/// Error of a line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UserLineError {
    /// The line is not UTF-8.
    #[error("not UTF-8 text")]
    NotText,
    /// Invalid user name.
    #[error(transparent)]
    Name(#[from] InvalidUserName),
    /// Missing credential.
    #[error(
        "missing credential after the name {0}: {ED25519_WORD} and a public key, as farboard keygen prints them, or \
         {CERTIFICATE}"
    )]
    NoCredential(String),
    /// Unknown kind of credential.
    #[error("unknown credential {0:?}: use {ED25519_WORD} or {CERTIFICATE}")]
    UnknownCredential(String),
    /// Invalid public key.
    #[error("{0:?} is not a public key (64 hexadecimal digits): copy the line that farboard keygen prints")]
    Key(String),
    /// Anyone can make signatures for this key.
    #[error("weak public key, with which anyone could log in: create one with farboard keygen")]
    WeakKey,
    /// Unknown setting.
    #[error(
        "unknown user setting {0:?}: use expires=DATE, sessions=N, searches=N, weight=N, profiles=NAME,NAME or \
         watch=AUDIENCE"
    )]
    UnknownSetting(String),
    /// A setting is repeated.
    #[error("{0} is given twice")]
    SettingTwice(String),
    /// An invalid or out-of-range number.
    #[error("{name} is {value:?} and must be a number from 1 to {max}")]
    Number {
        /// The setting.
        name: &'static str,
        /// The value.
        value: String,
        /// The greatest allowed value; the least is 1.
        max: usize,
    },
    /// Neither a date nor a time.
    #[error(
        "{0:?} is neither a date such as 2027-06-30 (the last day, in UTC) nor a time such as 2027-06-30T12:00:00Z"
    )]
    Expires(String),
    /// Invalid list of profiles.
    #[error("{0:?} is not a list of profiles such as profiles=club,blitz")]
    Profiles(String),
    /// Unknown audience.
    #[error("watch is {0:?} and must be nobody, users or everybody")]
    Watch(String),
    /// The name is already defined in an earlier line.
    #[error("user {name} is already defined in line {line}")]
    Twice {
        /// The name.
        name: String,
        /// Number of the earlier line.
        line: usize,
    },
}

/// The user of a line without its ending; `None` if the line means nothing.
pub(super) fn parse(line: &[u8]) -> Result<Option<User>, UserLineError> {
    let line = std::str::from_utf8(line).map_err(|_| UserLineError::NotText)?;
    let mut words = line.split_ascii_whitespace().take_while(|word| !word.starts_with('#'));
    let Some(name) = words.next() else { return Ok(None) };
    check_user_name(name)?;
    let credential = match words.next() {
        Some(ED25519_WORD) => Credential::Key(key(words.next().unwrap_or_default())?),
        Some(CERTIFICATE) => Credential::Certificate,
        Some(other) => return Err(UserLineError::UnknownCredential(other.to_owned())),
        None => return Err(UserLineError::NoCredential(name.to_owned())),
    };
    let mut user = User { name: name.to_owned(), credential, ..User::of_certificate(name) };
    let mut seen = Vec::new();
    for word in words {
        let unknown = || UserLineError::UnknownSetting(word.to_owned());
        let (setting, value) = word.split_once('=').ok_or_else(unknown)?;
        if seen.contains(&setting) {
            return Err(UserLineError::SettingTwice(setting.to_owned()));
        }
        seen.push(setting);
        match setting {
            "expires" => user.expires = Some(end(value)?),
            "sessions" => user.sessions = Some(count("sessions", value, MAX_COUNT)?),
            "searches" => user.searches = Some(count("searches", value, MAX_COUNT)?),
            "weight" => user.weight = count("weight", value, MAX_WEIGHT)? as u32,
            "profiles" => user.profiles = profiles(value)?,
            "watch" => {
                let audience = value.parse().map_err(|_| UserLineError::Watch(value.to_owned()))?;
                user.watch = Some(audience);
            }
            _ => return Err(unknown()),
        }
    }
    Ok(Some(user))
}

fn key(word: &str) -> Result<super::PublicKey, UserLineError> {
    let key: super::PublicKey = word.parse().map_err(|()| UserLineError::Key(word.to_owned()))?;
    if key.is_weak() { Err(UserLineError::WeakKey) } else { Ok(key) }
}

fn count(setting: &'static str, value: &str, greatest: usize) -> Result<usize, UserLineError> {
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    let number = value.parse().ok().filter(|number| is_number && (1..=greatest).contains(number));
    number.ok_or_else(|| UserLineError::Number { name: setting, value: value.to_owned(), max: greatest })
}

/// The first moment after a day, or a moment.
fn end(value: &str) -> Result<SystemTime, UserLineError> {
    let time = match value.parse::<Date>() {
        // A time begins with a date, so the length decides.
        Ok(date) if value.len() <= "2027-06-30".len() => {
            let next = date.tomorrow().and_then(|date| date.to_zoned_datetime(TimeZone::UTC));
            next.map(|next| next.timestamp())
        }
        _ => value.parse::<Timestamp>(),
    };
    time.and_then(SystemTime::try_from).map_err(|_| UserLineError::Expires(value.to_owned()))
}

fn profiles(value: &str) -> Result<Vec<String>, UserLineError> {
    let names: Vec<String> = value.split(',').map(str::to_owned).collect();
    let wrong = || UserLineError::Profiles(value.to_owned());
    if names.iter().any(String::is_empty) { Err(wrong()) } else { Ok(names) }
}
