//! What a session wants, carried out: the one driver of effects, for sockets and for a single session without one.

use crate::pool::{SearchId, SearchOrder};
use crate::protocol::Line;
use crate::session::{Effect, FileRequest};
use std::time::Instant;

/// Where a session lives.
pub(super) trait Host {
    /// Sends this to the client.
    fn send(&mut self, line: Line);
    /// SearchQueue a search, or changes one.
    fn search(&mut self, search: SearchId, order: SearchOrder);
    /// Wakes the session at this instant, or never.
    fn set_timer(&mut self, at: Option<Instant>);
    /// Does something with files.
    fn run_file_request(&mut self, request: FileRequest);
    /// Ends the session; what was sent before is still sent.
    fn close(&mut self);
}

/// Does what a session wants, in order. Nothing comes after its end.
pub(super) fn carry_out(effects: &mut Vec<Effect>, host: &mut impl Host) {
    for effect in effects.drain(..) {
        match effect {
            Effect::Send(line) => host.send(line),
            Effect::Search(search, order) => host.search(search, order),
            Effect::Timer(at) => host.set_timer(at),
            Effect::FileRequest(request) => host.run_file_request(request),
            Effect::Close => {
                host.close();
                break;
            }
        }
    }
    effects.clear();
}
