//! Sessions as watchers see them.

use super::Connections;
use crate::auth::Visibility;
use crate::pool::{JobId, Occupancy};
use crate::protocol::web::{Request, ServerLoad};
use crate::server::searches::session_number;
use crate::server::watch::{GuestMoves, Watched};
use crate::session::{Conversation, Extent, Input};
use std::time::Instant;

impl Connections {
    /// Sends watchers what has changed, if an update is due.
    pub(in crate::server) fn serve_watchers(&mut self) {
        self.deliver_guest_moves();
        let Some(mut gallery) = self.gallery.take() else { return };
        if gallery.take_interest() {
            self.slots.taken().into_iter().for_each(|slot| gallery.mark(slot));
        }
        let now = Instant::now();
        let load = || {
            let Occupancy { tokens, running, waiting, .. } = self.searches.pool.occupancy();
            ServerLoad { cores: tokens, searching: running, waiting, ..ServerLoad::default() }
        };
        gallery.update(now, load, |slot, extent| {
            let number = self.watch_number(slot)?;
            Some((number, self.watched(slot, extent(number), now)))
        });
        self.gallery = Some(gallery);
    }

    /// Delivers the moves of guests to the analyses that are shared with them.
    fn deliver_guest_moves(&mut self) {
        let Some(gallery) = &self.gallery else { return };
        for (slot, GuestMoves { session, key, moves }) in gallery.take_guest_moves() {
            let conversation = self.slots.get(slot).and_then(|connection| connection.session.as_ref());
            let admits = |conversation: &Conversation| {
                conversation.watch_number() == Some(session) && conversation.admits_guest(&key)
            };
            if conversation.is_some_and(admits) {
                let line = Request::GuestMoves { key, moves }.line();
                let now = Instant::now();
                self.deliver(slot, Input::Line(line.trim_end().as_bytes()), now);
                self.flush(slot, now);
            }
        }
    }

    /// Returns the number under which the session in a slot can be watched.
    pub(super) fn watch_number(&self, slot: usize) -> Option<u64> {
        self.slots.get(slot)?.session.as_ref()?.watch_number()
    }

    /// Returns the session in a slot; `None` if it cannot be watched.
    fn watched(&self, slot: usize, extent: Extent, now: Instant) -> Option<Watched> {
        let connection = self.slots.get(slot)?;
        let session = connection.session.as_ref()?;
        let of_user = connection.user.as_ref().and_then(|user| user.watch);
        let visibility = of_user.unwrap_or(session.visibility());
        if visibility == Visibility::Nobody {
            return None;
        }
        let picture = session.picture(extent, now)?;
        let search = connection.searches.last().map(|&search| JobId { owner: connection.owner, search });
        let waits = search.is_some_and(|job| self.searches.pool.waiting(job, now).is_some());
        Some(Watched { connection: session_number(connection.owner), visibility, waits, picture })
    }
}
