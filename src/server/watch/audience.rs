//! The watchers' end.

use super::WatchUpdate;
use mio::Waker;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender};

/// The wishes of all watchers together.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(in crate::server) struct Interest {
    /// Number of times that all watchers have left. They have forgotten what they were sent.
    pub(in crate::server) round: u64,
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

/// The moves of a guest in a shared analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::server) struct GuestMoves {
    /// The number of the session.
    pub(in crate::server) session: u64,
    /// The key of the shared analysis.
    pub(in crate::server) key: String,
    /// All moves from the start position.
    pub(in crate::server) moves: Vec<String>,
}

/// Asks the loop for pictures, and receives them.
pub(in crate::server) struct Audience {
    interest: Interest,
    interests: Sender<Interest>,
    guests: SyncSender<GuestMoves>,
    updates: Receiver<WatchUpdate>,
    /// Whether the last update has not been taken yet. Until then the loop makes no other.
    is_untaken: Arc<AtomicBool>,
    server: Arc<Waker>,
}

impl Audience {
    pub(super) fn new(
        (interests, guests): (Sender<Interest>, SyncSender<GuestMoves>),
        (updates, is_untaken): (Receiver<WatchUpdate>, Arc<AtomicBool>),
        server: Arc<Waker>,
    ) -> Audience {
        Audience { interest: Interest::default(), interests, guests, updates, is_untaken, server }
    }

    /// Changes what the watchers want to see.
    pub(in crate::server) fn want(&mut self, interest: Interest) {
        if interest == self.interest {
            return;
        }
        self.interest = interest.clone();
        // Without a loop the server is shutting down.
        if self.interests.send(interest).is_ok() {
            self.wake_server();
        }
    }

    /// Passes on the moves of a guest. If very many wait, they are dropped, as the guest sees.
    pub(in crate::server) fn pass(&self, moves: GuestMoves) {
        match self.guests.try_send(moves) {
            Ok(()) => self.wake_server(),
            Err(error) => log::debug!("moves of a guest are dropped: {error}"),
        }
    }

    fn wake_server(&self) {
        if let Err(error) = self.server.wake() {
            log::debug!("cannot wake the server: {error}");
        }
    }

    /// Takes the update that has come, if any.
    pub(in crate::server) fn take_update(&self) -> Option<WatchUpdate> {
        let update = self.updates.try_recv().ok()?;
        self.is_untaken.store(false, Ordering::Release);
        Some(update)
    }
}
