//! The warm part: what a search has in the table and would miss most if it had to continue on another server.
//!
//! That is a tree of positions, the searched one at its root, with the table's entry of each ([`Branch`]). It names no keys:
//! positions are reached by legal moves from the root, so the receiving table gets its own salt, a part that was tampered
//! with can hold nothing but positions of that search, and an entry takes six bytes.
//!
//! * `collect`: which entries those are. `pack`: the tree as bytes. `take_in`: from bytes into a table.

mod collect;
mod pack;
mod take_in;
#[cfg(test)]
mod tests;

use super::report::Report;
use super::searchable::Searchable;
use super::table_salt::salt_of_session;
use super::worker::Worker;
use crate::chess::{List, Move};
use pack::Branch;
use std::time::Duration;

/// A shorter search is quickly repeated.
const FIRST_AFTER: Duration = Duration::from_secs(2);
/// Least time between two collections.
const EVERY: Duration = Duration::from_secs(10);

/// When a search last reported its warm part.
pub struct Offers {
    /// Time of the search at which another one is due.
    due: Duration,
    /// Nodes at the last one.
    nodes: u64,
}

impl Offers {
    /// No warm part was reported yet.
    pub const NONE: Offers = Offers { due: FIRST_AFTER, nodes: 0 };
}

impl Worker<'_> {
    /// Reports the warm part if one is due. To be called when a depth is done.
    pub fn offer_warm<P: Searchable>(&mut self, position: &P, depth: u8) {
        if self.wants_warm() && self.gate.elapsed() >= self.offers.due {
            self.report_warm(position, depth);
        }
    }

    /// Reports the last warm part of an analysis that has ended by itself. The next search of a game has another position,
    /// and a session that has stopped a search hears nothing more of it.
    pub fn offer_last_warm<P: Searchable>(&mut self, position: &P, depth: u8) {
        let wanted = self.wants_warm() && !self.request.game && !self.stopped;
        if wanted && self.gate.elapsed() >= FIRST_AFTER && self.nodes > self.offers.nodes {
            self.report_warm(position, depth);
        }
    }

    /// A player of limited strength is soon done.
    fn wants_warm(&self) -> bool {
        self.request.warm_limit > 0 && self.request.strength.is_none()
    }

    fn report_warm<P: Searchable>(&mut self, position: &P, depth: u8) {
        self.offers = Offers { due: self.gate.elapsed() + EVERY, nodes: self.nodes };
        let bytes = self.collect_warm(position, depth);
        (self.reports)(Report::Warm(bytes));
    }

    /// A number that is the same for searches that agree about scores: of this position, with the same excluded moves and
    /// settings, in any session.
    fn warm_subject<P: Searchable>(&self, position: &P) -> u64 {
        self.root_key(position) ^ self.table_key(position) ^ position.key() ^ salt_of_session(self.request, 0)
    }
}

/// The legal moves of a position in the order of their bits, so that the order does not depend on how they are generated.
fn sorted_moves<P: Searchable>(position: &P) -> P::List<Move> {
    let mut moves = position.legal_moves();
    moves.sort_unstable_by_key(|mv| mv.bits());
    moves.truncate(usize::from(Branch::MOVES));
    moves
}
