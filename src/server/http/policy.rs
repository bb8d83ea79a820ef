//! The listener's policy, which a reload may replace at any time. The loop sends a new one rather
//! than wait for this thread.

use crate::server::ListenerPolicy;
use std::sync::mpsc::{Receiver, Sender, channel};

pub(super) struct CurrentPolicy {
    policy: ListenerPolicy,
    newer: Receiver<ListenerPolicy>,
}

impl CurrentPolicy {
    /// Creates the policy and the sender for newer ones.
    pub(super) fn new(policy: ListenerPolicy) -> (CurrentPolicy, Sender<ListenerPolicy>) {
        let (sender, newer) = channel();
        (CurrentPolicy { policy, newer }, sender)
    }

    pub(super) fn get(&mut self) -> &ListenerPolicy {
        if let Some(newest) = self.newer.try_iter().last() {
            self.policy = newest;
        }
        &self.policy
    }
}
