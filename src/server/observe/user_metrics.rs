//! Session gauges of named users, written by the loop and read by the HTTP thread.
//!
//! The gauges are atomics, so only the list of users takes a lock. The reader has a lower priority
//! than the loop and may lose its core while it holds that lock. So the loop has a list of its own
//! and never waits: it publishes changes when the lock is free, at most a few turns later.

use crate::server::observe::metrics::{SessionGauges, SessionLabels};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};

/// Gauges of each user with sessions.
type Users = BTreeMap<Arc<str>, Arc<SessionGauges>>;

/// The loop's list.
#[derive(Default, Debug)]
pub(in crate::server) struct UserMetrics {
    users: Users,
    /// Unpublished changes: users that have come, with their gauges, or gone.
    changes: BTreeMap<Arc<str>, Option<Arc<SessionGauges>>>,
}

impl UserMetrics {
    pub(in crate::server) fn change(&mut self, user: &str, change: impl FnOnce(&SessionGauges)) {
        if !self.users.contains_key(user) {
            let (user, sessions) = (Arc::<str>::from(user), Arc::<SessionGauges>::default());
            self.users.insert(Arc::clone(&user), Arc::clone(&sessions));
            self.changes.insert(user, Some(sessions));
        }
        let Some((user, sessions)) = self.users.get_key_value(user) else { return };
        change(sessions);
        if sessions.rows().all(|(_, count)| count == 0) {
            let user = Arc::clone(user);
            self.users.remove(&user);
            self.changes.insert(user, None);
        }
    }

    /// Publishes the changes, unless the list is being read.
    pub(in crate::server) fn publish(&mut self, to: &PublishedUsers) {
        if self.changes.is_empty() {
            return;
        }
        let mut users = match to.0.try_lock() {
            Ok(users) => users,
            Err(TryLockError::Poisoned(users)) => users.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        for (user, sessions) in std::mem::take(&mut self.changes) {
            match sessions {
                Some(sessions) => users.insert(user, sessions),
                None => users.remove(&user),
            };
        }
    }
}

/// The reader's list.
#[derive(Default, Debug)]
pub(in crate::server) struct PublishedUsers(Mutex<Users>);

impl PublishedUsers {
    /// Returns the sessions of each user by their labels.
    pub(in crate::server) fn rows(&self) -> Vec<(Arc<str>, (SessionLabels, u64))> {
        // Only these references are copied under the lock.
        let users = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let rows = users.iter().flat_map(|(user, sessions)| {
            let rows = sessions.rows().filter(|&(_, count)| count > 0);
            rows.map(move |row| (Arc::clone(user), row))
        });
        rows.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::observe::metrics::TransportLabel;
    use crate::session::Protocol;

    const LABELS: SessionLabels = SessionLabels { protocol: Protocol::Uci, transport: TransportLabel::Plain };

    fn read(published: &PublishedUsers) -> Vec<(String, u64)> {
        published.rows().into_iter().map(|(user, (_, count))| (user.to_string(), count)).collect()
    }

    #[test]
    fn the_loop_does_not_wait_for_a_reader() {
        let (mut users, published) = (UserMetrics::default(), PublishedUsers::default());
        users.change("alice", |sessions| sessions.of(LABELS).enter());
        users.publish(&published);
        let reading = published.0.lock().expect("not poisoned");
        users.change("alice", |sessions| sessions.of(LABELS).leave());
        users.change("bob", |sessions| sessions.of(LABELS).enter());
        users.change("carol", |sessions| sessions.of(LABELS).enter());
        users.change("carol", |sessions| sessions.of(LABELS).leave());
        users.publish(&published);
        drop(reading);
        assert!(read(&published).is_empty(), "alice has left, and bob is not published yet");
        users.publish(&published);
        assert_eq!(read(&published), [("bob".to_owned(), 1)]);
    }

    #[test]
    fn users_who_return_are_counted_anew_and_users_who_have_left_are_forgotten() {
        let (mut users, published) = (UserMetrics::default(), PublishedUsers::default());
        for _ in 0..3 {
            users.change("alice", |sessions| sessions.of(LABELS).enter());
            users.change("alice", |sessions| sessions.of(LABELS).enter());
            users.publish(&published);
            assert_eq!(read(&published), [("alice".to_owned(), 2)]);
            users.change("alice", |sessions| sessions.of(LABELS).leave());
            assert_eq!(read(&published), [("alice".to_owned(), 1)], "counts need no lock");
            users.change("alice", |sessions| sessions.of(LABELS).leave());
            users.change("alice", |sessions| sessions.of(LABELS).enter());
            users.publish(&published);
            assert_eq!(read(&published), [("alice".to_owned(), 1)]);
            users.change("alice", |sessions| sessions.of(LABELS).leave());
            users.publish(&published);
            assert!(read(&published).is_empty());
        }
        assert!(users.users.is_empty() && users.changes.is_empty());
        assert!(published.0.lock().expect("not poisoned").is_empty());
    }
}
