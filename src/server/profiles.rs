//! The engines that a server has, by name.

use super::ListenerPolicy;
use crate::session::Profile;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One that sessions get if nobody names another, and others with names. Each is made once and shared.
pub(super) struct Profiles {
    pub(super) default: Arc<Profile>,
    pub(super) named: Arc<BTreeMap<String, Arc<Profile>>>,
}

impl Profiles {
    pub(super) fn new(default: Arc<Profile>) -> Profiles {
        Profiles { default, named: Arc::default() }
    }

    /// What sessions get that come in by this policy and name no other.
    pub(super) fn of(&self, policy: &ListenerPolicy) -> &Arc<Profile> {
        let named = policy.profile.as_ref().and_then(|name| self.named.get(name));
        named.unwrap_or(&self.default)
    }
}
