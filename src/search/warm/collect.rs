//! Which entries are worth most: those that rest on the deepest searches, each reached through others of the kind.

use super::super::Bound;
use super::super::searchable::Searchable;
use super::super::table::Entry;
use super::super::worker::Worker;
use super::pack::{self, About, Branch, MOST_PLIES};
use super::sorted_moves;
use crate::chess::Move;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

/// Positions that are looked up at most: what takes some two milliseconds.
const MOST_PROBES: usize = 60_000;

/// Where there is no branch.
const NOWHERE: u32 = u32::MAX;

/// A position that may become a branch.
struct Candidate {
    parent: u32,
    ply: u8,
    by: u8,
    /// The move of that number; `None` for a null move.
    mv: Option<Move>,
    entry: Entry,
}

/// A branch, with its place in the tree.
struct Twig<P> {
    position: P,
    branch: Branch,
    first_child: u32,
    next_sibling: u32,
}

/// The tree as far as it is chosen.
struct Collection<'w, 'a, P> {
    worker: &'w Worker<'a>,
    twigs: Vec<Twig<P>>,
    candidates: Vec<Candidate>,
    /// Candidates by the depth of their entries, and of the same depth in the order in which they were found.
    best: BinaryHeap<(u8, bool, Reverse<usize>)>,
    seen: HashSet<u64>,
    probes: usize,
}

impl Worker<'_> {
    /// The warm part, with this entry of the searched position.
    pub(super) fn collect_warm<P: Searchable>(&self, position: &P, entry: Entry) -> Box<[u8]> {
        let most = pack::capacity(self.request.warm_limit);
        let mut collection = Collection {
            worker: self,
            twigs: Vec::new(),
            candidates: Vec::new(),
            best: BinaryHeap::new(),
            seen: HashSet::new(),
            probes: 0,
        };
        collection.add(*position, &Candidate { parent: NOWHERE, ply: 0, by: 0, mv: None, entry });
        while collection.twigs.len() < most
            && let Some((.., Reverse(index))) = collection.best.pop()
        {
            collection.choose(index);
        }
        let nodes = self.offers.nodes_before.saturating_add(self.nodes);
        let about = About { subject: self.warm_subject(position), nodes };
        pack::pack(about, Preorder { twigs: &collection.twigs, open: vec![0] })
    }
}

impl<P: Searchable> Collection<'_, '_, P> {
    /// Makes a branch of a candidate, unless there is one of the same position already.
    fn choose(&mut self, index: usize) {
        let candidate = &self.candidates[index];
        let mut position = self.twigs[candidate.parent as usize].position;
        match candidate.mv {
            Some(mv) => position.play(mv),
            None => position.pass(),
        }
        if self.seen.insert(position.key()) {
            let candidate = Candidate { ..*candidate };
            self.add(position, &candidate);
        }
    }

    fn add(&mut self, position: P, candidate: &Candidate) {
        let &Candidate { parent, ply, by, entry, .. } = candidate;
        let moves = sorted_moves(&position);
        let best = entry.mv.and_then(|best| moves.iter().position(|&mv| mv == best));
        let branch = Branch {
            ply,
            by,
            best: best.map(|index| index as u8),
            score: entry.score as i16,
            depth: entry.depth,
            bound: entry.bound,
            pv: entry.pv,
        };
        let this = self.twigs.len() as u32;
        let mut next_sibling = NOWHERE;
        if let Some(parent) = self.twigs.get_mut(parent as usize) {
            next_sibling = std::mem::replace(&mut parent.first_child, this);
        }
        self.twigs.push(Twig { position, branch, first_child: NOWHERE, next_sibling });
        if ply < MOST_PLIES {
            self.look_below(&position, this, &moves, best, &entry);
        }
    }

    /// Finds the candidates below a branch. Where a move was good enough no other matters.
    fn look_below(&mut self, position: &P, this: u32, moves: &[Move], best: Option<usize>, entry: &Entry) {
        let ply = self.twigs[this as usize].branch.ply + 1;
        let only = best.filter(|_| entry.bound == Bound::Lower);
        let range = only.map_or(0..moves.len(), |best| best..best + 1);
        for index in range {
            let mv = Some(moves[index]);
            self.probe(&position.after(moves[index]), this, ply, index as u8, mv);
        }
        if entry.bound == Bound::Lower && position.may_stand_pat() && position.can_pass() {
            let mut passed = *position;
            passed.pass();
            self.probe(&passed, this, ply, Branch::PASS, None);
        }
    }

    fn probe(&mut self, position: &P, parent: u32, ply: u8, by: u8, mv: Option<Move>) {
        if self.probes >= MOST_PROBES {
            return;
        }
        self.probes += 1;
        if let Some(entry) = self.worker.table.probe(self.worker.table_key(position)) {
            self.best.push((entry.depth, entry.pv, Reverse(self.candidates.len())));
            self.candidates.push(Candidate { parent, ply, by, mv, entry });
        }
    }
}

/// The branches of a tree, parents before their children.
struct Preorder<'t, P> {
    twigs: &'t [Twig<P>],
    /// Twigs whose turn comes later, the next one last.
    open: Vec<u32>,
}

impl<P> Iterator for Preorder<'_, P> {
    type Item = Branch;

    fn next(&mut self) -> Option<Branch> {
        let twig = &self.twigs[self.open.pop()? as usize];
        self.open.extend([twig.next_sibling, twig.first_child].into_iter().filter(|&index| index != NOWHERE));
        Some(twig.branch)
    }
}
