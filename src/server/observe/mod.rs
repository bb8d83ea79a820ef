//! The server as administrators and their programs see it: the access log and metrics.

mod access_log;
pub(super) mod metrics;
pub(super) mod user_metrics;

pub(super) use access_log::SessionName;

use crate::server::ServerLimits;
use metrics::{Metrics, SessionLabels};
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;
use user_metrics::UserMetrics;

/// Records of the loop: its metrics, and the gauges of named users.
pub(super) struct Observer {
    metrics: Arc<Metrics>,
    users: UserMetrics,
}

impl Deref for Observer {
    type Target = Arc<Metrics>;

    fn deref(&self) -> &Arc<Metrics> {
        &self.metrics
    }
}

impl Observer {
    pub(super) fn new(limits: &ServerLimits) -> Observer {
        Observer { metrics: Arc::new(Metrics::new(limits)), users: UserMetrics::default() }
    }

    /// Moves a session to other labels: it begins, shows its protocol, or ends.
    pub(super) fn session_changes(
        &mut self,
        before: Option<SessionLabels>,
        after: Option<SessionLabels>,
        user: Option<&str>,
    ) {
        match user {
            Some(user) => self.users.change(user, |sessions| sessions.change(before, after)),
            None => self.metrics.counts.sessions.change(before, after),
        }
        if let (None, Some(after)) = (before, after) {
            self.metrics.counts.begun.of(after.transport).add(1);
        }
    }

    /// Publishes the figures at the end of a turn of the loop that took this long.
    pub(super) fn turn_ended(&mut self, took: Duration) {
        self.users.publish(&self.metrics.counts.of_users);
        self.metrics.turn_ended(took);
    }
}
