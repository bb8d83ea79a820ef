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
use super::root_move::RootMove;
use super::root_position::with_searchable;
use super::searchable::Searchable;
use super::table::Entry;
use super::table_salt::salt_of_session;
use super::worker::Worker;
use crate::chess::{List, Move};
use pack::Branch;
use std::time::Duration;

/// A shorter search is quickly repeated.
const FIRST_AFTER: Duration = Duration::from_secs(2);
/// Least time between two collections.
const EVERY: Duration = Duration::from_secs(10);

/// Warm part to be reported, and its time.
pub struct Offers {
    /// Time of the search from which on another warm part may be reported.
    due: Duration,
    /// What the table is to know of the searched position: the result of the last depth that was done. `None` if it was
    /// reported.
    root: Option<Entry>,
    /// Nodes of the searches that the request's warm part is from; 0 without one.
    pub nodes_before: u64,
}

impl Offers {
    /// Nothing was found yet.
    pub const NONE: Offers = Offers { due: FIRST_AFTER, root: None, nodes_before: 0 };
}

impl Worker<'_> {
    /// Notes that a depth is done, if warm parts are wanted. A player of limited strength is done too soon for that.
    pub fn note_done<P: Searchable>(&mut self, position: &P, depth: u8) {
        if pack::capacity(self.request.warm_limit) > 0 && self.request.strength.is_none() {
            let RootMove { mv, score, .. } = self.root_moves[0];
            self.offers.root = Some(self.entry_of_line(position, 0, depth, mv, score));
        }
    }

    /// Reports a warm part if a depth was done since the last one, and that was long enough ago.
    pub fn offer_warm(&mut self) {
        let Some(root) = self.offers.root.filter(|_| !self.stopped) else { return };
        let elapsed = self.gate.elapsed();
        if elapsed >= self.offers.due {
            (self.offers.due, self.offers.root) = (elapsed + EVERY, None);
            let request = self.request;
            if let Some(bytes) = with_searchable!(request, position => self.collect_warm(position, root)) {
                (self.reports)(Report::Warm(bytes));
            }
        }
    }

    /// Reports the last warm part of an analysis that has ended by itself. The next search of a game has another position,
    /// and a session that has stopped a search hears nothing more of it.
    pub fn offer_last_warm(&mut self) {
        if !self.request.game && self.gate.elapsed() >= FIRST_AFTER {
            self.offers.due = Duration::ZERO;
            self.offer_warm();
        }
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

/// The number of a legal move among them, if it has one.
fn number_of<P: Searchable>(position: &P, mv: Move) -> Option<u8> {
    let (mut number, mut found) = (0, false);
    for other in position.legal_moves() {
        number += usize::from(other.bits() < mv.bits());
        found |= other == mv;
    }
    u8::try_from(number).ok().filter(|&number| found && number < Branch::MOVES)
}
