//! What a session wants, carried out: the one driver of effects, for sockets and for a single session without one.

use crate::pool::{SearchId, SearchOrder};
use crate::protocol::Line;
use crate::session::{Effect, FileRequest};
use std::time::Instant;

/// Where a session lives.
pub(super) trait EffectHandler {
    /// Sends this to the client.
    fn send(&mut self, line: Line);
    /// SearchQueue a search, or changes one.
    fn search(&mut self, search: SearchId, order: SearchOrder);
    /// Wakes the session at this instant, or never.
    fn set_timer(&mut self, at: Option<Instant>);
    /// Does something with files.
    fn request_file(&mut self, request: FileRequest);
    /// Ends the session; what was sent before is still sent.
    fn close(&mut self);
}

/// Does what a session wants, in order. Nothing comes after its end.
pub(super) fn run_effects(effects: &mut Vec<Effect>, handler: &mut impl EffectHandler) {
    for effect in effects.drain(..) {
        match effect {
            Effect::Send(line) => handler.send(line),
            Effect::Search(search, order) => handler.search(search, order),
            Effect::Timer(at) => handler.set_timer(at),
            Effect::FileRequest(request) => handler.request_file(request),
            Effect::Close => {
                handler.close();
                break;
            }
        }
    }
    effects.clear();
}
