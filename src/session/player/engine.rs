//! The engine in use: its profile, its options and its book.

use super::{Audience, OptionChange, OptionError, OptionState, Options, Profile};
use crate::book::Book;
use crate::protocol::DEFAULT_PROFILE;
use crate::protocol::OptionKind;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The option that selects a profile; announced if there are several.
pub(in crate::session) const PROFILE_OPTION: &str = "Profile";

/// The engine in use, and the server's other profiles.
#[derive(Clone)]
pub(in crate::session) struct Engine {
    profile: Arc<Profile>,
    /// The current values of the options, shared with the profile until one is set.
    pub(in crate::session) options: Arc<Options>,
    /// The book of the option `UserBook`.
    pub(in crate::session) own_book: Option<Arc<Book>>,
    /// The server's profiles besides the initial one, by name.
    named: Arc<BTreeMap<String, Arc<Profile>>>,
    /// After a switch: the initial profile, and the name of the current one.
    switched_from: Option<(Arc<Profile>, String)>,
}

/// An unknown profile.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no profile {name:?} on this server; it has {}", known.join(", "))]
pub(in crate::session) struct UnknownProfile {
    name: String,
    known: Vec<String>,
}

impl Engine {
    pub(super) fn new(profile: Arc<Profile>) -> Engine {
        Engine {
            options: profile.options.clone(),
            profile,
            own_book: None,
            named: Arc::default(),
            switched_from: None,
        }
    }

    /// Adds the server's other profiles.
    pub(in crate::session) fn set_profiles(&mut self, named: Arc<BTreeMap<String, Arc<Profile>>>) {
        self.named = named;
    }

    /// The server's profiles besides the initial one, by name.
    pub(in crate::session) fn named_profiles(&self) -> impl Iterator<Item = (&str, &Profile)> {
        self.named.iter().map(|(name, profile)| (name.as_str(), &**profile))
    }

    /// The name for persons, with the rating if strength is limited: `Farboard (1500)`.
    pub(in crate::session) fn shown_name(&self) -> String {
        let name = &self.profile.name;
        self.options
            .strength()
            .map_or_else(|| name.clone(), |strength| format!("{name} ({})", strength.elo()))
    }

    /// The current profile.
    pub(in crate::session) fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Switches to another profile, with all of its options.
    ///
    /// # Errors
    /// The server has no such profile: a client of another server, or a mistake in a command line.
    pub(in crate::session) fn choose_profile(&mut self, name: &str) -> Result<(), UnknownProfile> {
        let first = self.first_profile();
        // Case matters only if two profiles differ in nothing else.
        let same = |known: &str| known.eq_ignore_ascii_case(name);
        let named =
            self.named.get_key_value(name).or_else(|| self.named.iter().find(|(known, _)| same(known)));
        let (profile, switched_from) = match named {
            _ if name == DEFAULT_PROFILE => (first, None),
            Some((name, profile)) => (Arc::clone(profile), Some((first, name.clone()))),
            None if same(DEFAULT_PROFILE) => (first, None),
            None => return Err(UnknownProfile { name: name.to_owned(), known: self.profile_names() }),
        };
        self.switched_from = switched_from;
        self.options = profile.options.clone();
        self.profile = profile;
        Ok(())
    }

    /// Returns to the initial profile and its options.
    pub(in crate::session) fn restore_defaults(&mut self) {
        if let Some((first, _)) = self.switched_from.take() {
            self.profile = first;
        }
        self.options = self.profile.options.clone();
    }

    /// The values of the options, for changes.
    pub(in crate::session) fn options_mut(&mut self) -> &mut Options {
        Arc::make_mut(&mut self.options)
    }

    /// Sets an option of the current profile.
    ///
    /// # Errors
    /// There is no such option, or the value is invalid.
    pub(in crate::session) fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<OptionChange, OptionError> {
        Arc::make_mut(&mut self.options).set(name, value, &self.profile.books, self.profile.local)
    }

    /// All options with their values in the order of announcement, except the one that selects a
    /// profile.
    pub(in crate::session) fn options(&self) -> impl Iterator<Item = OptionState> {
        self.options.states(&self.profile)
    }

    /// The option that selects a profile, if there are several.
    pub(in crate::session) fn profile_option(&self) -> Option<OptionState> {
        let names = self.profile_names();
        let chosen = self.profile_name();
        let chosen = names.iter().position(|name| name == chosen).unwrap_or(0);
        let kind = OptionKind::Combo(names, chosen);
        let state = OptionState {
            name: PROFILE_OPTION,
            audience: Audience::Players,
            kind,
            change: OptionChange::Search,
        };
        (!self.named.is_empty()).then_some(state)
    }

    /// The book of the option `UserBook`, or else of the option `Book`.
    pub(in crate::session) fn book(&self) -> Option<&Arc<Book>> {
        if self.own_book.is_some() {
            return self.own_book.as_ref();
        }
        let books = &self.profile.books;
        let name = books.names().nth(self.options.book.checked_sub(1)?)?;
        books.get(name)
    }

    /// The name by which a client selects the current profile.
    pub(super) fn profile_name(&self) -> &str {
        self.switched_from.as_ref().map_or(DEFAULT_PROFILE, |(_, name)| name)
    }

    /// The initial profile of the session.
    pub(super) fn first_profile(&self) -> Arc<Profile> {
        Arc::clone(self.switched_from.as_ref().map_or(&self.profile, |(first, _)| first))
    }

    fn profile_names(&self) -> Vec<String> {
        std::iter::once(DEFAULT_PROFILE.to_owned()).chain(self.named.keys().cloned()).collect()
    }
}
