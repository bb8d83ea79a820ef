//! The warm part: the table entries that a search would miss most on another server.
//!
//! It is a tree of positions with the searched one at its root, and the table entry of each
//! ([`Branch`]). Positions are reached by legal moves from the root, so there are no keys: the
//! receiving table uses its own salt, a forged part only holds positions of the same search, and an
//! entry takes six bytes. The resumed search takes depth and score of its best line from here: a
//! client that forges the part deceives only itself.
//!
//! * `collect` selects the entries, `pack` encodes the tree, `take_in` reads it into a table.

mod collect;
mod pack;
mod take_in;
#[cfg(test)]
mod tests;

use super::report::Report;
use super::root_moves::RootMove;
use super::root_position::with_searchable;
use super::searchable::Searchable;
use super::table_salt::salt_of_session;
use super::worker::Worker;
use crate::chess::{Move, MoveList};
use pack::Branch;
use std::time::Duration;

/// Search time before the first warm part: a shorter search is quickly repeated.
const FIRST_AFTER: Duration = Duration::from_secs(2);
/// Minimum time between two collections.
const EVERY: Duration = Duration::from_secs(10);

/// Result of a finished depth.
struct BestLine {
    depth: u8,
    /// Score from the root's view.
    score: i32,
    moves: Vec<Move>,
}

/// State of the warm parts that a search reads and reports.
pub(super) struct Offers {
    /// Search time from which the next warm part may be reported.
    due: Duration,
    /// Result of the last finished depth, until it is reported.
    best: Option<BestLine>,
    /// Nodes behind the request's warm part; 0 without one.
    pub nodes_before: u64,
}

impl Offers {
    /// Nothing to report yet, and no warm part read.
    pub(super) const NONE: Offers = Offers { due: FIRST_AFTER, best: None, nodes_before: 0 };
}

impl Worker<'_> {
    /// Records that a depth is finished, if warm parts are wanted. Players of limited strength move
    /// too soon for that.
    pub(super) fn note_done(&mut self, depth: u8) {
        if pack::capacity(self.request.resumption.warm_limit) > 0 && self.request.style.strength.is_none() {
            let RootMove { score, ref line, .. } = *self.root.best();
            self.offers.best = Some(BestLine { depth, score, moves: line.clone() });
        }
    }

    /// Reports a warm part if a depth has been finished since the last one and the interval has
    /// passed.
    pub(super) fn offer_warm(&mut self) {
        let elapsed = self.pace.elapsed();
        if self.pace.is_stopped() || elapsed < self.offers.due {
            return;
        }
        let Some(best) = self.offers.best.take() else { return };
        self.offers.due = elapsed + EVERY;
        let request = self.request;
        if let Some(bytes) = with_searchable!(request, position => self.collect_warm(position, &best)) {
            self.reporter.send(Report::Warm(bytes));
        }
    }

    /// Reports the last warm part of an analysis that has ended by itself. The next search of a
    /// game has another position, and a session that has stopped a search drops its reports.
    pub(super) fn offer_last_warm(&mut self) {
        if !self.request.game && self.pace.elapsed() >= FIRST_AFTER {
            self.offers.due = Duration::ZERO;
            self.offer_warm();
        }
    }

    /// Identifies searches that agree about scores: of the same position, with the same excluded
    /// moves and settings, in any session.
    fn warm_subject<P: Searchable>(&self, position: &P) -> u64 {
        self.root_key(position) ^ self.table_key(position) ^ position.key() ^ salt_of_session(self.request, 0)
    }
}

/// Returns true if the search looks up a position: not where the game is over or won by the next
/// move.
fn is_searched<P: Searchable>(position: &P) -> bool {
    position.decided().is_none() && position.winning_move().is_none()
}

/// Returns the legal moves in the order of their bits, which does not depend on how they are
/// generated.
fn sorted_moves<P: Searchable>(position: &P) -> MoveList {
    let mut moves = position.legal_moves();
    moves.sort_unstable_by_key(|mv| mv.bits());
    moves.truncate(usize::from(Branch::MOVES));
    moves
}

/// Returns the index of a legal move in [`sorted_moves`], if it is among them.
fn number_of<P: Searchable>(position: &P, mv: Move) -> Option<u8> {
    let (mut number, mut found) = (0, false);
    for other in position.legal_moves() {
        number += usize::from(other.bits() < mv.bits());
        found |= other == mv;
    }
    u8::try_from(number).ok().filter(|&number| found && number < Branch::MOVES)
}
