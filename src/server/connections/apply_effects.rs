//! Carrying out a session's effects.

use super::Connections;
use crate::pool::{JobId, SearchId, SearchOrder, Shortage};
use crate::protocol::Line;
use crate::server::outcome::CloseReason;
use crate::server::sessions::effect_driver::{EffectHandler, run_effects};
use crate::session::{FileRequest, Input};
use std::time::Instant;

impl Connections {
    /// Gives a session an input, and runs its effects.
    pub(in crate::server) fn deliver(&mut self, slot: usize, input: Input<'_>, now: Instant) {
        if let Some(connection) = self.slots.get_mut(slot)
            && let Some(session) = &mut connection.session
        {
            session.handle(input, now, &mut self.effects);
            self.run_effects(slot, now);
        }
    }

    /// Returns the user's limit of searches, if it is reached.
    fn full_user(&self, slot: usize) -> Option<usize> {
        let user = self.slots[slot].user.as_ref()?;
        let most = user.searches?;
        let of_user = self.admission.slots_of(&user.name).filter_map(|slot| self.slots.get(slot));
        (of_user.map(|connection| connection.searches.len()).sum::<usize>() >= most).then_some(most)
    }

    /// Runs the effects of a handled input, updates the metrics, and lets watchers see the change.
    pub(super) fn run_effects(&mut self, slot: usize, now: Instant) {
        if let Some(connection) = self.slots.get_mut(slot) {
            connection.count(&mut self.observer);
        }
        if let Some(gallery) = &mut self.gallery {
            gallery.mark(slot);
        }
        let mut effects = std::mem::take(&mut self.effects);
        run_effects(&mut effects, &mut SlotHandler { connections: self, slot, now });
        self.effects = effects;
    }
}

struct SlotHandler<'a> {
    connections: &'a mut Connections,
    slot: usize,
    now: Instant,
}

impl EffectHandler for SlotHandler<'_> {
    fn send(&mut self, line: Line) {
        self.connections.slots[self.slot].send(line);
    }

    fn search(&mut self, search: SearchId, mut order: SearchOrder) {
        let refused =
            matches!(order, SearchOrder::Start(..)).then(|| self.connections.full_user(self.slot)).flatten();
        let warm = self.connections.limits.warm;
        let connection = &mut self.connections.slots[self.slot];
        match &mut order {
            // First: it must be known even if starting it fails.
            SearchOrder::Start(task, _) => {
                connection.searches.push(search);
                if let Some(request) = task.search_mut().filter(|_| connection.link.is_some()) {
                    request.resumption.warm_limit = warm;
                }
            }
            SearchOrder::Stop => connection.searches.retain(|&other| other != search),
            SearchOrder::Retime(_) | SearchOrder::Hold | SearchOrder::Resume(_) => {}
        }
        let job = JobId { owner: connection.owner, search };
        if let Some(most) = refused {
            return self.connections.searches.pool.refuse(job, Shortage::OfUser(most));
        }
        self.connections.searches.order(job, order, connection.source);
    }

    fn set_timer(&mut self, at: Option<Instant>) {
        self.connections.timers.main.set(self.slot, at);
    }

    fn request_file(&mut self, request: FileRequest) {
        match request {
            FileRequest::Archive(game) => self.connections.archive_game(self.slot, game),
            // A remote user has no files here.
            request => log::error!(
                "{}: file request of a remote client ignored: {request:?}",
                self.connections.slots[self.slot].peer
            ),
        }
    }

    fn close(&mut self) {
        let connection = &mut self.connections.slots[self.slot];
        if !connection.input.eof && connection.close_reason == CloseReason::Closed {
            connection.close_reason = CloseReason::Quit;
        }
        self.connections.close(self.slot, self.now);
    }
}
