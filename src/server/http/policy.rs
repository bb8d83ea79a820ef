//! The policy of the listener, which a reload may replace at any time. The loop does not wait for this thread, so it sends a new one.

use crate::server::ListenerPolicy;
use std::sync::mpsc::{Receiver, Sender, channel};

/// The policy that holds now.
pub(super) struct CurrentPolicy {
    policy: ListenerPolicy,
    newer: Receiver<ListenerPolicy>,
}

impl CurrentPolicy {
    /// This policy, and where newer ones are sent.
    pub(super) fn new(policy: ListenerPolicy) -> (CurrentPolicy, Sender<ListenerPolicy>) {
        let (sender, newer) = channel();
        (CurrentPolicy { policy, newer }, sender)
    }

    /// The last one that was sent.
    pub(super) fn get(&mut self) -> &ListenerPolicy {
        if let Some(newest) = self.newer.try_iter().last() {
            self.policy = newest;
        }
        &self.policy
    }
}
