//! Makes sessions: their profile, and a seed for each.

use crate::auth::User;
use crate::random::GOLDEN_GAMMA;
use crate::server::ListenerPolicy;
use crate::server::os::random::random;
use crate::session::{
    Conversation, DEFAULT_PROFILE, MAX_STATE, Profile, Protocol, SessionState, Setup, StateError, StateKey,
};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The profiles of a server, each made once and shared by its sessions.
pub(in crate::server) struct SessionFactory {
    /// For sessions that name no other.
    default: Arc<Profile>,
    named: Arc<BTreeMap<String, Arc<Profile>>>,
    seed: u64,
    /// The key of what clients must not see in states.
    state_key: StateKey,
}

/// An error of a session that cannot go on here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::server) enum RestoreError {
    /// Its state cannot be restored.
    State(StateError),
    /// It has another protocol than the listener: its own, and the listener's.
    Protocol(&'static str, &'static str),
    /// The user may have none of the server's profiles.
    NoProfile,
}

impl fmt::Display for RestoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RestoreError::State(error) => error.fmt(f),
            RestoreError::Protocol(own, listener) => {
                write!(f, "the session speaks the protocol {own}, and this address of the server {listener}")
            }
            RestoreError::NoProfile => f.write_str(NO_PROFILE),
        }
    }
}

impl std::error::Error for RestoreError {}

/// The reason for a client whose user may have no profile.
pub(in crate::server) const NO_PROFILE: &str = "the server no longer has a profile that this user may have";

impl SessionFactory {
    pub(in crate::server) fn new(default: Arc<Profile>, seed: u64) -> SessionFactory {
        SessionFactory { default, named: Arc::default(), seed, state_key: StateKey::new(random()) }
    }

    /// Replaces the key of states. Sessions whose state has something to hide can go on only where the key is the same.
    pub(in crate::server) fn set_state_key(&mut self, key: StateKey) {
        self.state_key = key;
    }

    /// Replaces the profile that sessions get by default.
    pub(in crate::server) fn set_default(&mut self, default: Arc<Profile>) {
        self.default = default;
    }

    /// Replaces the profiles that listeners and clients can name.
    pub(in crate::server) fn set_named(&mut self, named: BTreeMap<String, Arc<Profile>>) {
        self.named = Arc::new(named);
    }

    /// The profiles that can be named.
    pub(in crate::server) fn named(&self) -> &BTreeMap<String, Arc<Profile>> {
        &self.named
    }

    /// The profile of sessions that come in through a listener and name no other.
    pub(in crate::server) fn profile_of(&self, policy: &ListenerPolicy) -> &Arc<Profile> {
        let named = policy.profile.as_ref().and_then(|name| self.named.get(name));
        named.unwrap_or(&self.default)
    }

    /// A number that differs from call to call, and from server to server.
    pub(in crate::server) fn next_seed(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(GOLDEN_GAMMA);
        self.seed
    }

    /// The profile of sessions of a user who names none: the first that the user may have. `None` if there is none.
    pub(in crate::server) fn profile_for(
        &self,
        policy: &ListenerPolicy,
        user: Option<&User>,
    ) -> Option<Arc<Profile>> {
        let allowed = user.map_or(&[][..], |user| &user.profiles);
        if allowed.is_empty() {
            return Some(Arc::clone(self.profile_of(policy)));
        }
        allowed.iter().find_map(|name| match self.named.get(name) {
            _ if name == DEFAULT_PROFILE => Some(Arc::clone(self.profile_of(policy))),
            found => found.cloned(),
        })
    }

    /// The profiles that a client may name.
    fn named_for(&self, user: Option<&User>) -> Arc<BTreeMap<String, Arc<Profile>>> {
        match user {
            Some(User { profiles, .. }) if !profiles.is_empty() => {
                let mut named = BTreeMap::clone(&self.named);
                named.retain(|name, _| profiles.contains(name));
                Arc::new(named)
            }
            _ => Arc::clone(&self.named),
        }
    }

    /// A new conversation for a client of a listener.
    pub(in crate::server) fn conversation(
        &mut self,
        policy: &ListenerPolicy,
        user: Option<&User>,
        profile: Arc<Profile>,
    ) -> Conversation {
        let setup = self.setup(profile);
        Conversation::new(policy.protocol, setup, self.named_for(user))
    }

    fn setup(&mut self, profile: Arc<Profile>) -> Setup {
        Setup { seed: self.next_seed(), identity: u64::from_ne_bytes(random()), profile }
    }

    /// The conversation of a state that was written `age` ago, for a client of a listener.
    pub(in crate::server) fn restored(
        &mut self,
        policy: &ListenerPolicy,
        user: Option<&User>,
        state: &str,
        age: Duration,
        now: Instant,
    ) -> Result<Conversation, RestoreError> {
        let state = SessionState::parse(state, &self.state_key).map_err(RestoreError::State)?;
        let profile = self.profile_for(policy, user).ok_or(RestoreError::NoProfile)?;
        let (setup, named) = (self.setup(profile), self.named_for(user));
        let conversation =
            Conversation::restore(&state, setup, named, age, now).map_err(RestoreError::State)?;
        let (own, wanted) = (conversation.protocol().word(), policy.protocol.word());
        // A client that has sent nothing speaks what the listener does.
        let is_open = [policy.protocol, conversation.protocol()].contains(&Protocol::Auto);
        if !is_open && own != wanted {
            return Err(RestoreError::Protocol(own, wanted));
        }
        Ok(conversation)
    }

    /// The state of a conversation as text. One that is longer than any that can be restored is cut.
    pub(in crate::server) fn state_text(&self, conversation: &mut Conversation, now: Instant) -> String {
        let mut text = conversation.state(now).text(&self.state_key, random());
        // The next server says what is wrong with it.
        text.truncate(text.floor_char_boundary(MAX_STATE + 1));
        text
    }
}
