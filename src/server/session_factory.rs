//! Makes sessions: their profile, and a seed for each.

use super::ListenerPolicy;
use crate::auth::User;
use crate::session::{Conversation, DEFAULT_PROFILE, Profile, Setup};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

/// The step from one seed to the next: 2⁶⁴ divided by the golden ratio, so that seeds differ in many bits.
const SEED_STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The profiles of a server, each made once and shared by its sessions.
pub(super) struct SessionFactory {
    /// For sessions that name no other.
    default: Arc<Profile>,
    named: Arc<BTreeMap<String, Arc<Profile>>>,
    seed: u64,
    /// Makes the identities of sessions, which no client may guess.
    identities: RandomState,
}

impl SessionFactory {
    pub(super) fn new(default: Arc<Profile>, seed: u64) -> SessionFactory {
        SessionFactory { default, named: Arc::default(), seed, identities: RandomState::new() }
    }

    /// Replaces the profile that sessions get by default.
    pub(super) fn set_default(&mut self, default: Arc<Profile>) {
        self.default = default;
    }

    /// Replaces the profiles that listeners and clients can name.
    pub(super) fn set_named(&mut self, named: BTreeMap<String, Arc<Profile>>) {
        self.named = Arc::new(named);
    }

    /// The profiles that can be named.
    pub(super) fn named(&self) -> &BTreeMap<String, Arc<Profile>> {
        &self.named
    }

    /// The profile of sessions that come in through a listener and name no other.
    pub(super) fn profile_of(&self, policy: &ListenerPolicy) -> &Arc<Profile> {
        let named = policy.profile.as_ref().and_then(|name| self.named.get(name));
        named.unwrap_or(&self.default)
    }

    /// A number that differs from call to call, and from server to server.
    pub(super) fn next_seed(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(SEED_STEP);
        self.seed
    }

    /// The profile of sessions of a user who names none: the first that the user may have. `None` if there is none.
    pub(super) fn profile_for(&self, policy: &ListenerPolicy, user: Option<&User>) -> Option<Arc<Profile>> {
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
    pub(super) fn conversation(
        &mut self,
        policy: &ListenerPolicy,
        user: Option<&User>,
        profile: Arc<Profile>,
    ) -> Conversation {
        let seed = self.next_seed();
        let setup = Setup { seed, identity: self.identities.hash_one(seed), profile };
        Conversation::new(policy.protocol, setup, self.named_for(user))
    }
}
