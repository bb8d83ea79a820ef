//! Creates sessions, with their profile and a seed for each.

use crate::auth::User;
use crate::random::GOLDEN_GAMMA;
use crate::server::ListenerPolicy;
use crate::server::os::random::random;
use crate::session::{
    Conversation, DEFAULT_PROFILE, MAX_STATE, Profile, Protocol, SessionState, Setup, StateError, StateKey,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use thiserror::Error;

pub(in crate::server) struct SessionFactory {
    /// Profile of sessions that name no other.
    pub(in crate::server) default: Arc<Profile>,
    pub(in crate::server) named: Arc<BTreeMap<String, Arc<Profile>>>,
    seed: u64,
    /// Key for what clients must not see in states, shared by servers that continue such sessions.
    pub(in crate::server) state_key: StateKey,
}

/// Error of continuing a session on this server.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(in crate::server) enum RestoreError {
    #[error(transparent)]
    State(StateError),
    /// The session's protocol differs from the listener's.
    #[error("the session speaks the protocol {session}, and this address of the server {listener}")]
    Protocol { session: &'static str, listener: &'static str },
    #[error("{NO_PROFILE}")]
    NoProfile,
}

/// Message to a client whose user may use none of the server's profiles.
pub(in crate::server) const NO_PROFILE: &str = "the server no longer has a profile that this user may use";

impl SessionFactory {
    pub(in crate::server) fn new(default: Arc<Profile>, seed: u64) -> SessionFactory {
        SessionFactory { default, named: Arc::default(), seed, state_key: StateKey::new(random()) }
    }

    /// Returns the profile of a listener's sessions that name no other.
    pub(in crate::server) fn profile_of(&self, policy: &ListenerPolicy) -> &Arc<Profile> {
        let named = policy.profile.as_ref().and_then(|name| self.named.get(name));
        named.unwrap_or(&self.default)
    }

    /// Returns a number that differs between calls, and between servers.
    pub(in crate::server) fn next_seed(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(GOLDEN_GAMMA);
        self.seed
    }

    /// Returns the profile of a user's sessions that name none: the first that the user may use.
    /// `None` if there is none.
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

    /// Returns the profiles that a client may name.
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

    /// Creates a conversation for a client of a listener.
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

    /// Restores a conversation from a state written `age` ago, for a client of a listener.
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
        let (session, listener) = (conversation.protocol().word(), policy.protocol.word());
        // A client that has sent nothing speaks the listener's protocol.
        let is_open = [policy.protocol, conversation.protocol()].contains(&Protocol::Auto);
        if !is_open && session != listener {
            return Err(RestoreError::Protocol { session, listener });
        }
        Ok(conversation)
    }

    /// Writes the state of a conversation. One longer than any that can be restored is cut.
    pub(in crate::server) fn state_text(&self, conversation: &mut Conversation, now: Instant) -> String {
        let mut text = conversation.state(now).text(&self.state_key, random());
        // The next server reports the error.
        text.truncate(text.floor_char_boundary(MAX_STATE + 1));
        text
    }
}
