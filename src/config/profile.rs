//! Named profiles: `[profile.NAME]`.

use super::{ConfigError, Listen, OptionSetting, engine_options};
use crate::auth::Visibility;
use crate::session::{DEFAULT_PROFILE, Profile};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Differences of a named profile from the default one.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileSettings {
    /// Options on top of the default ones.
    #[serde(default, deserialize_with = "engine_options::from_table")]
    pub options: Vec<OptionSetting>,
    /// The hosted engine that searches, one of `[engine.NAME]`; the built-in engine if unset.
    pub engine: Option<String>,
    /// A message that the user sees when the session begins.
    pub banner: Option<String>,
    /// The audience of its sessions.
    pub watch: Option<Visibility>,
}

impl ProfileSettings {
    /// The profile with this name, made from the default one.
    pub(super) fn of(&self, name: &str, default: &Profile) -> Result<Profile, ConfigError> {
        let mut profile = default.clone();
        profile.name = format!("{} {name}", profile.name);
        profile.banner = self.banner.clone();
        profile.watch = self.watch.unwrap_or(default.watch);
        let settings = self.options.iter().map(|setting| (setting.name.as_str(), setting.value.as_str()));
        profile.with(settings).map_err(|error| ConfigError::ProfileOption(name.to_owned(), error))
    }
}

/// Checks that clients can name every profile: by a word that does not stand for the default.
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

/// Checks that the engine of every profile exists.
pub(super) fn check_engines<T>(
    profiles: &BTreeMap<String, ProfileSettings>,
    engines: &BTreeMap<String, T>,
) -> Result<(), ConfigError> {
    let named = profiles.iter().filter_map(|(name, profile)| Some((name, profile.engine.as_ref()?)));
    match named.into_iter().find(|(_, engine)| !engines.contains_key(*engine)) {
        Some((name, engine)) => {
            Err(ConfigError::UnknownEngine(name.clone(), engine.clone(), engines.keys().cloned().collect()))
        }
        None => Ok(()),
    }
}

/// Checks that every profile named by a listener exists.
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
