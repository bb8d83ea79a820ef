//! Which engine plays: its profile, the options as they stand, the book.

use super::{OptionChange, OptionError, OptionKind, OptionState, Options, Profile};
use crate::book::Book;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// What the engine is called that a session begins with.
pub const DEFAULT_PROFILE: &str = "farboard";

/// The option that chooses another profile. It is declared where there is more than one.
pub(in crate::session) const PROFILE_OPTION: &str = "Profile";

/// The engine that plays, and the others of the server.
#[derive(Clone)]
pub(in crate::session) struct Engine {
    profile: Arc<Profile>,
    /// The values of the options.
    pub(in crate::session) options: Options,
    /// The book of the option `UserBook`.
    pub(in crate::session) own_book: Option<Arc<Book>>,
    /// The server's profiles besides the first, by name.
    named: Arc<BTreeMap<String, Arc<Profile>>>,
    /// The profile that the session began with and the name of the present one, if that is another.
    left: Option<(Arc<Profile>, String)>,
}

/// A profile that the server does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::session) struct UnknownProfile {
    name: String,
    known: Vec<String>,
}

impl fmt::Display for UnknownProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no profile {:?} on this server; it has {}", self.name, self.known.join(", "))
    }
}

impl Engine {
    pub(super) fn new(profile: Arc<Profile>) -> Engine {
        Engine {
            options: profile.options.clone(),
            profile,
            own_book: None,
            named: Arc::default(),
            left: None,
        }
    }

    /// The server has these profiles, too.
    pub(in crate::session) fn among(&mut self, named: Arc<BTreeMap<String, Arc<Profile>>>) {
        self.named = named;
    }

    /// The profile that plays.
    pub(in crate::session) fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Another profile plays, with all of its options.
    ///
    /// # Errors
    /// The server does not have it. Whoever asked for it has mistaken the server, or its command line.
    pub(in crate::session) fn choose(&mut self, name: &str) -> Result<(), UnknownProfile> {
        let first = self.left.as_ref().map_or(&self.profile, |(first, _)| first).clone();
        let (profile, left) = match self.named.get(name) {
            _ if name == DEFAULT_PROFILE => (first, None),
            Some(profile) => (Arc::clone(profile), Some((first, name.to_owned()))),
            None => return Err(UnknownProfile { name: name.to_owned(), known: self.names() }),
        };
        self.left = left;
        self.options = profile.options.clone();
        self.profile = profile;
        Ok(())
    }

    /// The profile plays that the session began with, with all of its options.
    pub(in crate::session) fn restore_defaults(&mut self) {
        if let Some((first, _)) = self.left.take() {
            self.profile = first;
        }
        self.options = self.profile.options.clone();
    }

    /// Sets an option of the present profile.
    ///
    /// # Errors
    /// There is no such option, or it does not take this value.
    pub(in crate::session) fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<OptionChange, OptionError> {
        self.options.set(name, value, &self.profile.books, self.profile.local)
    }

    /// All options as they stand, in the order in which they are announced; that of the profile is not among them.
    pub(in crate::session) fn options(&self) -> impl Iterator<Item = OptionState> {
        self.options.states(&self.profile)
    }

    /// The option that chooses a profile, if there is more than one.
    pub(in crate::session) fn profile_option(&self) -> Option<OptionState> {
        let names = self.names();
        let chosen = self.left.as_ref().map_or(DEFAULT_PROFILE, |(_, name)| name);
        let chosen = names.iter().position(|name| name == chosen).unwrap_or(0);
        let kind = OptionKind::Combo(names, chosen);
        let state = OptionState { name: PROFILE_OPTION, kind, change: OptionChange::Search };
        (!self.named.is_empty()).then_some(state)
    }

    /// The book of the user's own file, or the one chosen by the option `Book`.
    pub(in crate::session) fn book(&self) -> Option<&Arc<Book>> {
        if self.own_book.is_some() {
            return self.own_book.as_ref();
        }
        let books = &self.profile.books;
        let name = books.names().nth(self.options.book.checked_sub(1)?)?;
        books.get(name)
    }

    fn names(&self) -> Vec<String> {
        std::iter::once(DEFAULT_PROFILE.to_owned()).chain(self.named.keys().cloned()).collect()
    }
}
