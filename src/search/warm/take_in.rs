//! Reads a warm part into the table.

use super::super::gate::POLL_NODES;
use super::super::history::PieceTo;
use super::super::report::Bound;
use super::super::score::Score;
use super::super::searchable::Searchable;
use super::super::table::Entry;
use super::super::worker::Worker;
use super::pack::{Branch, unpack};
use super::{is_searched, sorted_moves};
use crate::chess::MoveList;

/// Maximum length read, which takes some tenths of a second.
const MOST_BYTES: usize = 1 << 20;

/// A position on the path to the branch being read, and its sorted moves.
struct Step<P: Searchable> {
    position: P,
    moves: MoveList,
}

impl Worker<'_> {
    /// Writes the request's warm part into the table, up to the first impossible branch.
    pub(crate) fn take_warm<P: Searchable>(&mut self, position: &P) {
        let Some(bytes) = &self.request.resumption.warm else { return };
        let Some((about, branches)) = unpack(&bytes[..bytes.len().min(MOST_BYTES)]) else { return };
        if about.subject != self.warm_subject(position) {
            return;
        }
        self.scratch.histories.fit::<P>();
        self.offers.nodes_before = about.nodes;
        let mut path: Vec<Step<P>> = Vec::new();
        for (number, branch) in (1..).zip(branches) {
            if !self.take_branch(position, &mut path, branch) {
                return;
            }
            if number % POLL_NODES == 0 {
                self.pace.poll_gate();
                if self.pace.is_stopped() {
                    return;
                }
            }
        }
    }

    /// Stores one branch. Returns false if the search could not meet it.
    fn take_branch<P: Searchable>(&mut self, root: &P, path: &mut Vec<Step<P>>, branch: Branch) -> bool {
        let ply = usize::from(branch.ply);
        path.truncate(ply);
        let reached = if ply == 0 { Some(*root) } else { self.follow(path, ply, branch.by) };
        let Some(position) = reached else { return false };
        let moves = sorted_moves(&position);
        let mv = branch.best.and_then(|best| moves.get(usize::from(best)).copied());
        if mv.is_some() != branch.best.is_some() || i32::from(branch.score).abs() > Score::mate_in(0).0 {
            return false;
        }
        let evaluation = position.may_stand_pat().then(|| self.adjustment.evaluate(&position));
        let Branch { depth, bound, pv, .. } = branch;
        let score = branch.score.into();
        let entry = Entry { mv, score, evaluation: evaluation.unwrap_or(0), depth, bound, pv };
        let key = if ply == 0 { self.root_key(&position) } else { self.table_key(&position) };
        self.table.adopt(key, entry);
        self.learn_from(&position, ply, &entry, evaluation);
        path.push(Step { position, moves });
        true
    }

    /// Returns the position after move `by` of the last position of a path of `ply` plies. Returns
    /// `None` if there is no such move or path, or the search would not look the position up.
    fn follow<P: Searchable>(&mut self, path: &[Step<P>], ply: usize, by: u8) -> Option<P> {
        let from = path.last().filter(|_| path.len() == ply)?;
        let mut position = from.position;
        let mv = *from.moves.get(usize::from(by))?;
        self.path[ply - 1].piece_to = Some(PieceTo::of(&position, mv));
        position.play(mv);
        is_searched(&position).then_some(position)
    }

    /// Updates the histories as a search with this result would. Otherwise late moves would be
    /// reduced less than before, and the entries would not be deep enough.
    fn learn_from<P: Searchable>(
        &mut self,
        position: &P,
        ply: usize,
        entry: &Entry,
        evaluation: Option<i32>,
    ) {
        let depth = entry.depth.into();
        if let Some(mv) = entry.mv.filter(|_| entry.bound != Bound::Upper) {
            let before = self.path.moves_before(ply);
            if position.is_quiet(mv) {
                self.scratch.histories.learn_quiet(position, mv, &[], before, ply, depth);
            }
            self.scratch.histories.learn_captures(position, mv, &[], depth);
        }
        if let Some(evaluation) = evaluation {
            self.learn_error(position, evaluation, depth, entry.score, entry.mv, entry.bound);
        }
    }
}
