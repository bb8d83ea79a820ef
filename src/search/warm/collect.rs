//! Selects the entries worth most: results of deep searches near the root, each reached through
//! others.

use super::super::report::Bound;
use super::super::searchable::Searchable;
use super::super::table::Entry;
use super::super::worker::Worker;
use super::pack::{self, About, Branch, MOST_PLIES};
use super::{BestLine, is_searched, number_of, sorted_moves};
use crate::chess::Move;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

/// Maximum number of table lookups.
const MOST_PROBES: usize = 60_000;

/// Tasks between two calls of [`super::super::Gate::poll`]: well below a millisecond.
const POLL_TASKS: usize = 512;

/// Index of no branch.
const NOWHERE: u32 = u32::MAX;

/// A step of the collection.
#[derive(Clone, Copy)]
enum Task {
    /// Add this position as a branch.
    Choose(Candidate),
    /// Find candidates below this branch.
    LookBelow(u32),
}

/// A position that may become a branch.
#[derive(Clone, Copy)]
struct Candidate {
    parent: u32,
    ply: u8,
    mv: Move,
    /// Index of `mv` among the parent's sorted moves.
    by: u8,
    entry: Entry,
}

/// A branch with its position and links.
struct TreeNode<P> {
    position: P,
    branch: Branch,
    first_child: u32,
    next_sibling: u32,
}

/// The tree selected so far.
struct Collection<'w, 'a, P> {
    worker: &'w mut Worker<'a>,
    tree: Vec<TreeNode<P>>,
    tasks: Vec<Task>,
    /// Tasks by worth; among equals the first.
    queue: BinaryHeap<(i32, Reverse<usize>)>,
    seen: HashSet<u64>,
    probes: usize,
    tasks_done: usize,
}

/// Returns the worth of an entry: the work it saves, less likely to be needed the farther from the
/// root.
fn worth(depth: u8, ply: u8) -> i32 {
    2 * i32::from(depth) - i32::from(ply)
}

impl Worker<'_> {
    /// Collects the warm part of a search with this result. Returns `None` if the search is stopped
    /// meanwhile.
    pub(super) fn collect_warm<P: Searchable>(&mut self, position: &P, best: &BestLine) -> Option<Box<[u8]>> {
        let most = pack::capacity(self.request.resumption.warm_limit);
        let nodes = self.offers.nodes_before.saturating_add(self.pace.nodes());
        let about = About { subject: self.warm_subject(position), nodes };
        let mut collection = Collection {
            worker: self,
            tree: Vec::new(),
            tasks: Vec::new(),
            queue: BinaryHeap::new(),
            seen: HashSet::new(),
            probes: 0,
            tasks_done: 0,
        };
        collection.add_line(position, best, most);
        while collection.tree.len() < most && collection.next_task() {}
        if collection.worker.pace.is_stopped() {
            return None;
        }
        Some(pack::pack(about, Preorder { tree: &collection.tree, open: vec![0] }))
    }
}

impl<P: Searchable> Collection<'_, '_, P> {
    /// Runs the task worth most. Returns false if none is left or the search is stopped.
    fn next_task(&mut self) -> bool {
        let Some((_, Reverse(task))) = self.queue.pop() else { return false };
        match self.tasks[task] {
            Task::Choose(candidate) => self.choose(candidate),
            Task::LookBelow(parent) => self.look_below(parent),
        }
        self.tasks_done += 1;
        if self.tasks_done.is_multiple_of(POLL_TASKS) {
            self.worker.pace.poll_gate();
        }
        !self.worker.pace.is_stopped()
    }

    fn plan(&mut self, task: Task, worth: i32) {
        self.queue.push((worth, Reverse(self.tasks.len())));
        self.tasks.push(task);
    }

    /// Adds the best line, `most` branches of it, with its exact scores: in the table the next
    /// depth may have replaced them by bounds.
    fn add_line(&mut self, root: &P, best: &BestLine, most: usize) {
        let (mut position, mut parent, mut by) = (*root, NOWHERE, 0);
        for (ply, &mv) in (0..best.depth.min(MOST_PLIES)).zip(&best.moves).take(most) {
            let score = if ply % 2 == 0 { best.score } else { -best.score };
            let entry = self.worker.entry_of_line(&position, ply.into(), best.depth - ply, mv, score);
            self.seen.insert(position.key());
            parent = self.add(position, parent, ply, by, entry);
            let Some(number) = number_of(&position, mv) else { return };
            by = number;
            position.play(mv);
            if !is_searched(&position) || self.seen.contains(&position.key()) {
                return;
            }
        }
    }

    /// Adds a candidate as a branch, unless its position is in the tree.
    fn choose(&mut self, candidate: Candidate) {
        let Candidate { parent, ply, mv, by, entry } = candidate;
        let position = self.tree[parent as usize].position.after(mv);
        if is_searched(&position) && self.seen.insert(position.key()) {
            self.add(position, parent, ply, by, entry);
        }
    }

    /// Adds a branch and returns its index.
    fn add(&mut self, position: P, parent: u32, ply: u8, by: u8, entry: Entry) -> u32 {
        let best = entry.mv.and_then(|best| number_of(&position, best));
        let Entry { depth, bound, pv, .. } = entry;
        let score = entry.score as i16;
        let this = self.tree.len() as u32;
        let before = self.tree.get_mut(parent as usize);
        let next_sibling = before.map_or(NOWHERE, |parent| std::mem::replace(&mut parent.first_child, this));
        let branch = Branch { ply, by, best, score, depth, bound, pv };
        self.tree.push(TreeNode { position, branch, first_child: NOWHERE, next_sibling });
        if ply < MOST_PLIES {
            // Entries below are hardly deeper. Most branches come last and are never expanded.
            self.plan(Task::LookBelow(this), worth(depth.saturating_sub(1), ply + 1));
        }
        this
    }

    /// Finds the candidates below a branch: after a move that was good enough, no others.
    fn look_below(&mut self, parent: u32) {
        let TreeNode { position, branch, .. } = self.tree[parent as usize];
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
                let candidate = Candidate { parent, ply, mv, by: index as u8, entry };
                self.plan(Task::Choose(candidate), worth(entry.depth, ply));
            }
        }
    }
}

/// The branches of a tree, parents before their children.
struct Preorder<'t, P> {
    tree: &'t [TreeNode<P>],
    /// Nodes still to be visited, the next one last.
    open: Vec<u32>,
}

impl<P> Iterator for Preorder<'_, P> {
    type Item = Branch;

    fn next(&mut self) -> Option<Branch> {
        let node = &self.tree[self.open.pop()? as usize];
        self.open.extend([node.next_sibling, node.first_child].into_iter().filter(|&index| index != NOWHERE));
        Some(node.branch)
    }
}
