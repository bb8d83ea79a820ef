//! The watchers' end.

use super::WatchUpdate;
use mio::Waker;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryIter};

/// The wishes of all watchers together.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(in crate::server) struct Interest {
    /// Whether the list of sessions is on a screen.
    pub(in crate::server) list: bool,
    /// Numbers of the sessions whose position is on a screen.
    pub(in crate::server) positions: BTreeSet<u64>,
    /// Numbers of the sessions whose whole game is watched.
    pub(in crate::server) games: BTreeSet<u64>,
}

impl Interest {
    /// Returns true if there is any.
    pub(in crate::server) fn exists(&self) -> bool {
        self.list || !self.positions.is_empty() || !self.games.is_empty()
    }
}

/// Asks the loop for pictures, and receives them.
pub(in crate::server) struct Audience {
    interest: Interest,
    interests: Sender<Interest>,
    updates: Receiver<WatchUpdate>,
    server: Arc<Waker>,
}

impl Audience {
    pub(super) fn new(
        interests: Sender<Interest>,
        updates: Receiver<WatchUpdate>,
        server: Arc<Waker>,
    ) -> Audience {
        Audience { interest: Interest::default(), interests, updates, server }
    }

    /// Changes what the watchers want to see.
    pub(in crate::server) fn want(&mut self, interest: Interest) {
        if interest == self.interest {
            return;
        }
        self.interest = interest.clone();
        // Without a loop the server is shutting down.
        if self.interests.send(interest).is_ok()
            && let Err(error) = self.server.wake()
        {
            log::debug!("cannot wake the server: {error}");
        }
    }

    /// Returns the updates that have come.
    pub(in crate::server) fn updates(&self) -> TryIter<'_, WatchUpdate> {
        self.updates.try_iter()
    }
}
