//! A warm part from outside into the table.

use super::super::request::{POLL_NODES, Verdict};
use super::super::score::Score;
use super::super::searchable::Searchable;
use super::super::table::Entry;
use super::super::worker::Worker;
use super::pack::{Branch, unpack};
use super::sorted_moves;
use crate::chess::Move;

/// The most bytes that are read: what takes some tenths of a second.
const MOST_BYTES: usize = 1 << 20;

/// A position that is being read, and its moves in the order in which they are named.
struct Step<P: Searchable> {
    position: P,
    moves: P::List<Move>,
}

impl Worker<'_> {
    /// Writes the warm part of the request into the table, up to the first branch that cannot be.
    pub fn take_warm<P: Searchable>(&mut self, position: &P) {
        let Some(bytes) = &self.request.warm else { return };
        let subject = self.warm_subject(position);
        let mut path: Vec<Step<P>> = Vec::new();
        for (number, branch) in unpack(subject, &bytes[..bytes.len().min(MOST_BYTES)]).enumerate() {
            if !self.take_branch(position, &mut path, branch) {
                return;
            }
            if number as u64 % POLL_NODES == POLL_NODES - 1 && self.gate.poll(self.nodes) == Verdict::Stop {
                self.stopped = true;
                return;
            }
        }
    }

    /// Takes in one branch. False if it is none of the positions that this search can meet.
    fn take_branch<P: Searchable>(&self, root: &P, path: &mut Vec<Step<P>>, branch: Branch) -> bool {
        let ply = usize::from(branch.ply);
        let reached =
            if ply == 0 { Some(*root) } else { path.get(ply - 1).and_then(|from| below(from, branch.by)) };
        let Some(position) = reached else { return false };
        let moves = sorted_moves(&position);
        let best = branch.best.map(|best| moves.get(usize::from(best)).copied());
        if best == Some(None) || i32::from(branch.score).abs() > Score::mate_in(0).0 {
            return false;
        }
        let entry = Entry {
            mv: best.flatten(),
            score: branch.score.into(),
            evaluation: if position.may_stand_pat() { self.adjustment.evaluate(&position) } else { 0 },
            depth: branch.depth,
            bound: branch.bound,
            pv: branch.pv,
        };
        let key = if ply == 0 { self.root_key(&position) } else { self.table_key(&position) };
        self.table.adopt(key, entry, self.epoch);
        path.truncate(ply);
        path.push(Step { position, moves });
        true
    }
}

/// The position after a move of that number. `None` if there is no such move, or the game is over there.
fn below<P: Searchable>(from: &Step<P>, by: u8) -> Option<P> {
    let mut position = from.position;
    if by == Branch::PASS {
        if !(position.may_stand_pat() && position.can_pass()) {
            return None;
        }
        position.pass();
    } else {
        position.play(*from.moves.get(usize::from(by))?);
    }
    (position.decided().is_none() && position.winning_move().is_none()).then_some(position)
}
