//! The driver of effects, for sockets and for local sessions.

use crate::draughts::endgames::SharedEndgames;
use crate::pool::{SearchId, SearchOrder};
use crate::protocol::Line;
use crate::server::os::process::lower_thread_priority;
use crate::session::{Effect, FileRequest};
use std::sync::Arc;
use std::time::Instant;

pub(in crate::server) trait EffectHandler {
    fn send(&mut self, line: Line);
    fn search(&mut self, search: SearchId, order: SearchOrder);
    /// Wakes the session at this instant, or never.
    fn set_timer(&mut self, at: Option<Instant>);
    fn request_file(&mut self, request: FileRequest);
    /// Ends the session; output sent before still goes out.
    fn close(&mut self);
}

/// Runs the effects of a session in order, up to its end.
pub(in crate::server) fn run_effects(effects: &mut Vec<Effect>, handler: &mut impl EffectHandler) {
    for effect in effects.drain(..) {
        match effect {
            Effect::Send(line) => handler.send(line),
            Effect::Search(search, order) => handler.search(search, order),
            Effect::Timer(at) => handler.set_timer(at),
            Effect::FileRequest(request) => handler.request_file(request),
            Effect::SolveEndgames(endgames) => solve_endgames(&endgames),
            Effect::Close => {
                handler.close();
                break;
            }
        }
    }
    effects.clear();
}

fn solve_endgames(endgames: &Arc<SharedEndgames>) {
    if let Err(error) = endgames.solve(lower_thread_priority) {
        log::warn!("cannot start the thread that solves draughts endgames: {error}");
    }
}
