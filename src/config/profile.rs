//! Engines that may be asked for by name: `[profile.NAME]`.

use super::{ConfigError, Listen, OptionSetting, option};
use crate::session::{DEFAULT_PROFILE, Profile};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What makes an engine differ from that of the server's other sessions.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileSettings {
    /// Options, on top of those that hold for all sessions.
    #[serde(default, deserialize_with = "option::from_table")]
    pub options: Vec<OptionSetting>,
    /// A message that the user sees when the session begins.
    pub banner: Option<String>,
}

impl ProfileSettings {
    /// The engine of this name, made from the one that sessions without a profile get.
    pub(super) fn of(&self, name: &str, default: &Profile) -> Result<Profile, ConfigError> {
        let mut profile = default.clone();
        profile.name = format!("{} {name}", profile.name);
        profile.banner = self.banner.clone();
        let settings = self.options.iter().map(|setting| (setting.name.as_str(), setting.value.as_str()));
        profile.with(settings).map_err(|error| ConfigError::ProfileOption(name.to_owned(), error))
    }
}

/// Every name is one that a client can ask for: a word, and not the one that stands for no profile.
pub(super) fn check_names(profiles: &BTreeMap<String, ProfileSettings>) -> Result<(), ConfigError> {
    let is_word = |name: &str| {
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        !name.is_empty() && name.chars().all(fits) && name != DEFAULT_PROFILE
    };
    match profiles.keys().find(|name| !is_word(name)) {
        Some(name) => Err(ConfigError::ProfileName(name.clone())),
        None => Ok(()),
    }
}

/// Every profile that a listener names is there.
pub(super) fn check_listeners(
    listeners: &[Listen],
    profiles: &BTreeMap<String, ProfileSettings>,
) -> Result<(), ConfigError> {
    let named = listeners.iter().filter_map(|listen| Some((listen.address, listen.profile.as_ref()?)));
    match named.into_iter().find(|(_, name)| !profiles.contains_key(*name)) {
        Some((address, name)) => {
            Err(ConfigError::UnknownProfile(address, name.clone(), profiles.keys().cloned().collect()))
        }
        None => Ok(()),
    }
}
