//! Sessions of named users: the loop counts them, the thread of HTTP reads.
//!
//! The counts are atomics, so only the list of the users takes a lock. The reader has a lower priority than the loop, and may lose its
//! core while it holds that lock. So the loop never waits for it: it has a list of its own, and hands over what has changed when the lock
//! is free, at the latest some turns later.

use crate::server::observe::metrics::{SessionGauges, SessionLabels};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};

/// The gauges of each user who has sessions.
type Users = BTreeMap<Arc<str>, Arc<SessionGauges>>;

/// The loop's list.
#[derive(Default, Debug)]
pub(in crate::server) struct UserMetrics {
    users: Users,
    /// Users of whom the reader does not know yet that they have come, with their gauges, or gone.
    news: BTreeMap<Arc<str>, Option<Arc<SessionGauges>>>,
}

impl UserMetrics {
    /// Changes the gauges of a user.
    pub(in crate::server) fn change(&mut self, user: &str, change: impl FnOnce(&SessionGauges)) {
        if !self.users.contains_key(user) {
            let (user, sessions) = (Arc::<str>::from(user), Arc::<SessionGauges>::default());
            self.users.insert(Arc::clone(&user), Arc::clone(&sessions));
            self.news.insert(user, Some(sessions));
        }
        let Some((user, sessions)) = self.users.get_key_value(user) else { return };
        change(sessions);
        if sessions.rows().all(|(_, count)| count == 0) {
            let user = Arc::clone(user);
            self.users.remove(&user);
            self.news.insert(user, None);
        }
    }

    /// Hands over what has changed, unless somebody reads just now.
    pub(in crate::server) fn publish(&mut self, to: &PublishedUsers) {
        if self.news.is_empty() {
            return;
        }
        let mut users = match to.0.try_lock() {
            Ok(users) => users,
            Err(TryLockError::Poisoned(users)) => users.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        for (user, sessions) in std::mem::take(&mut self.news) {
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
    /// The sessions of each user, by what they are counted under.
    pub(in crate::server) fn rows(&self) -> Vec<(Arc<str>, (SessionLabels, u64))> {
        // Nothing but these references is copied under the lock.
        let users = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let there = users.iter().flat_map(|(user, sessions)| {
            let rows = sessions.rows().filter(|&(_, count)| count > 0);
            rows.map(move |row| (Arc::clone(user), row))
        });
        there.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::observe::metrics::{ProtocolLabel, TransportLabel};

    const LABELS: SessionLabels =
        SessionLabels { protocol: ProtocolLabel::Uci, transport: TransportLabel::Plain };

    fn read(published: &PublishedUsers) -> Vec<(String, u64)> {
        published.rows().into_iter().map(|(user, (_, count))| (user.to_string(), count)).collect()
    }

    #[test]
    fn the_loop_does_not_wait_for_a_reader() {
        let (mut users, published) = (UserMetrics::default(), PublishedUsers::default());
        users.change("alice", |sessions| sessions.of(LABELS).enter());
        users.publish(&published);
        let reading = published.0.lock().expect("nobody else");
        users.change("alice", |sessions| sessions.of(LABELS).leave());
        users.change("bob", |sessions| sessions.of(LABELS).enter());
        users.change("carol", |sessions| sessions.of(LABELS).enter());
        users.change("carol", |sessions| sessions.of(LABELS).leave());
        // It would wait for ever.
        users.publish(&published);
        drop(reading);
        assert!(read(&published).is_empty(), "alice has gone, and bob is not known yet");
        users.publish(&published);
        assert_eq!(read(&published), [("bob".to_owned(), 1)]);
    }

    #[test]
    fn who_comes_back_is_counted_anew_and_who_has_gone_is_forgotten() {
        let (mut users, published) = (UserMetrics::default(), PublishedUsers::default());
        for _ in 0..3 {
            users.change("alice", |sessions| sessions.of(LABELS).enter());
            users.change("alice", |sessions| sessions.of(LABELS).enter());
            users.publish(&published);
            assert_eq!(read(&published), [("alice".to_owned(), 2)]);
            users.change("alice", |sessions| sessions.of(LABELS).leave());
            assert_eq!(read(&published), [("alice".to_owned(), 1)], "counts need no lock");
            users.change("alice", |sessions| sessions.of(LABELS).leave());
            // Before anybody was told that she has gone.
            users.change("alice", |sessions| sessions.of(LABELS).enter());
            users.publish(&published);
            assert_eq!(read(&published), [("alice".to_owned(), 1)]);
            users.change("alice", |sessions| sessions.of(LABELS).leave());
            users.publish(&published);
            assert!(read(&published).is_empty());
        }
        assert!(users.users.is_empty() && users.news.is_empty());
        assert!(published.0.lock().expect("nobody else").is_empty());
    }
}
