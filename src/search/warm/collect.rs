//! Which entries are worth most: those that rest on deep searches near the root, each reached through others of the kind.

use super::super::report::Bound;
use super::super::request::Verdict;
use super::super::searchable::Searchable;
use super::super::table::Entry;
use super::super::worker::Worker;
use super::pack::{self, About, Branch, MOST_PLIES};
use super::{number_of, sorted_moves};
use crate::chess::Move;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

/// Positions that are looked up at most.
const MOST_PROBES: usize = 60_000;

/// Tasks between two calls of [`super::super::Gate::poll`]: well below a millisecond.
const POLL_TASKS: usize = 512;

/// Index that stands for no branch.
const NOWHERE: u32 = u32::MAX;

/// Something to be done for the tree.
#[derive(Clone, Copy)]
enum Task {
    /// Make a branch of this position.
    Choose(Candidate),
    /// Look for candidates below this branch.
    LookBelow(u32),
}

/// A position that may become a branch.
#[derive(Clone, Copy)]
struct Candidate {
    parent: u32,
    ply: u8,
    mv: Move,
    /// The number of that move.
    by: u8,
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
    worker: &'w mut Worker<'a>,
    twigs: Vec<Twig<P>>,
    tasks: Vec<Task>,
    /// Tasks by worth; of equal ones the first.
    best: BinaryHeap<(i32, Reverse<usize>)>,
    seen: HashSet<u64>,
    probes: usize,
    /// Tasks done.
    done: usize,
}

/// Returns the worth of an entry: the work that it saves, and the likelihood of that.
fn worth(depth: u8, ply: u8) -> i32 {
    2 * i32::from(depth) - i32::from(ply)
}

impl Worker<'_> {
    /// The warm part, with this entry of the searched position. `None` if the search is stopped meanwhile.
    pub(super) fn collect_warm<P: Searchable>(&mut self, position: &P, root: Entry) -> Option<Box<[u8]>> {
        let most = pack::capacity(self.request.warm_limit);
        let nodes = self.offers.nodes_before.saturating_add(self.nodes);
        let about = About { subject: self.warm_subject(position), nodes };
        let mut collection = Collection {
            worker: self,
            twigs: Vec::new(),
            tasks: Vec::new(),
            best: BinaryHeap::new(),
            seen: HashSet::new(),
            probes: 0,
            done: 0,
        };
        collection.add(*position, NOWHERE, 0, 0, root);
        while collection.twigs.len() < most && collection.next_task() {}
        if collection.worker.stopped {
            return None;
        }
        Some(pack::pack(about, Preorder { twigs: &collection.twigs, open: vec![0] }))
    }
}

impl<P: Searchable> Collection<'_, '_, P> {
    /// Does what is worth most. False if nothing is left to do, or the search is stopped.
    fn next_task(&mut self) -> bool {
        let Some((_, Reverse(task))) = self.best.pop() else { return false };
        match self.tasks[task] {
            Task::Choose(candidate) => self.choose(candidate),
            Task::LookBelow(twig) => self.look_below(twig),
        }
        self.done += 1;
        if self.done.is_multiple_of(POLL_TASKS) && self.worker.gate.poll(self.worker.nodes) == Verdict::Stop {
            self.worker.stopped = true;
        }
        !self.worker.stopped
    }

    fn plan(&mut self, task: Task, worth: i32) {
        self.best.push((worth, Reverse(self.tasks.len())));
        self.tasks.push(task);
    }

    /// Makes a branch of a candidate, unless there is one of the same position already.
    fn choose(&mut self, candidate: Candidate) {
        let Candidate { parent, ply, mv, by, entry } = candidate;
        let position = self.twigs[parent as usize].position.after(mv);
        if self.seen.insert(position.key()) {
            self.add(position, parent, ply, by, entry);
        }
    }

    fn add(&mut self, position: P, parent: u32, ply: u8, by: u8, entry: Entry) {
        let best = entry.mv.and_then(|best| number_of(&position, best));
        let Entry { depth, bound, pv, .. } = entry;
        let score = entry.score as i16;
        let this = self.twigs.len() as u32;
        let before = self.twigs.get_mut(parent as usize);
        let next_sibling = before.map_or(NOWHERE, |parent| std::mem::replace(&mut parent.first_child, this));
        let branch = Branch { ply, by, best, score, depth, bound, pv };
        self.twigs.push(Twig { position, branch, first_child: NOWHERE, next_sibling });
        if ply < MOST_PLIES {
            // What is below is hardly deeper: most branches are among the last, which are never looked below.
            self.plan(Task::LookBelow(this), worth(depth.saturating_sub(1), ply + 1));
        }
    }

    /// Finds the candidates below a branch. Where a move was good enough no other matters.
    fn look_below(&mut self, twig: u32) {
        let Twig { position, branch, .. } = self.twigs[twig as usize];
        let moves = sorted_moves(&position);
        let only = branch.best.filter(|_| branch.bound == Bound::Lower).map(usize::from);
        let ply = branch.ply + 1;
        for index in only.map_or(0..moves.len(), |best| best..best + 1) {
            if self.probes == MOST_PROBES {
                return;
            }
            self.probes += 1;
            let mv = moves[index];
            if let Some(entry) = self.worker.table.probe(self.worker.table_key(&position.after(mv))) {
                let candidate = Candidate { parent: twig, ply, mv, by: index as u8, entry };
                self.plan(Task::Choose(candidate), worth(entry.depth, ply));
            }
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
