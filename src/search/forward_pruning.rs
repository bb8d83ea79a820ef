//! Forward pruning: nodes given up before a move is searched, and moves that are skipped.

use super::Bound;
use super::alpha_beta::{Candidate, Node, Pressure};
use super::node::to_table;
use super::params::*;
use super::picker::Picker;
use super::score::Score;
use super::searchable::Searchable;
use super::table::Entry;
use super::window::Window;
use super::worker::Worker;

impl Worker<'_> {
    /// Returns a score if the node can be given up without searching its moves.
    pub(super) fn prune<P: Searchable>(
        &mut self,
        position: &P,
        node: &Node,
        null_allowed: bool,
    ) -> Option<i32> {
        let Node { depth, ply, window, evaluation, improving, .. } = *node;
        let beta = window.beta;
        if beta.abs() >= Score::MATE_BOUND.0 {
            return None;
        }
        // RFP: no quiet reply is expected to lose that much.
        let margin = position.margin(RFP_MARGIN) * (depth - i32::from(improving));
        if depth <= RFP_DEPTH && evaluation - margin >= beta {
            return Some((evaluation + beta) / 2);
        }
        // Razoring: so far below the window that only captures could help.
        if depth <= RAZOR_DEPTH && evaluation + position.margin(RAZOR_MARGIN) * depth < window.alpha {
            let score = self.quiescence(position, ply, window);
            if score <= window.alpha {
                return Some(score);
            }
        }
        let passed = self.null_move(position, node, null_allowed);
        if passed.is_some() || self.pace.is_stopped() { passed } else { self.probcut(position, node) }
    }

    /// NMP: passes; if the position is still good enough, the node is cut off. Unsound in zugzwang,
    /// so not used with pawns alone, and verified at high depth.
    fn null_move<P: Searchable>(&mut self, position: &P, node: &Node, allowed: bool) -> Option<i32> {
        let Node { depth, ply, window, evaluation, .. } = *node;
        if !allowed || depth < NMP_DEPTH || evaluation < window.beta || !position.can_pass() {
            return None;
        }
        let by_evaluation = ((evaluation - window.beta) / NMP_EVALUATION_DIVISOR).min(NMP_EVALUATION_MAX);
        let reduction = NMP_BASE + depth / NMP_DEPTH_DIVISOR + by_evaluation;
        let (child, before) = self.path.pass(position, ply);
        self.table.prefetch(self.table_key(&child));
        let beta = window.beta;
        let below = Window { alpha: -beta, beta: -beta + 1, cut: !window.cut };
        let score = -self.search(&child, depth - reduction, ply + 1, below, false);
        self.path.take_back_pass(before);
        if self.pace.is_stopped() || score < beta {
            return None;
        }
        if depth < NMP_VERIFICATION_DEPTH {
            return Some(if score >= Score::MATE_BOUND.0 { beta } else { score });
        }
        let verified = self.search(
            position,
            depth - reduction,
            ply,
            Window { alpha: beta - 1, beta, cut: false },
            false,
        );
        (verified >= beta && !self.pace.is_stopped()).then_some(verified)
    }

    /// Probcut: a capture far above the window in a shallower search is above the window in a full
    /// one.
    fn probcut<P: Searchable>(&mut self, position: &P, node: &Node) -> Option<i32> {
        let Node { depth, ply, window, .. } = *node;
        let beta = window.beta + PROBCUT_MARGIN;
        let refuted =
            |entry: Entry| i32::from(entry.depth) >= depth - PROBCUT_REDUCTION && entry.score < beta;
        if depth < PROBCUT_DEPTH || beta >= Score::MATE_BOUND.0 || node.tt_entry.is_some_and(refuted) {
            return None;
        }
        let wanted = beta - self.path[ply].evaluation?;
        let mut picker = Picker::noisy(&self.scratch);
        while let Some(mv) = picker.next(position, &mut self.scratch) {
            if !position.see_ge(mv, wanted) {
                continue;
            }
            let child = self.play(position, ply, mv);
            let below = Window { alpha: -beta, beta: -beta + 1, cut: !window.cut };
            let mut score = -self.quiescence(&child, ply + 1, below);
            if score >= beta && !self.pace.is_stopped() {
                score = -self.search(&child, depth - PROBCUT_REDUCTION, ply + 1, below, true);
            }
            self.path.take_back();
            if self.pace.is_stopped() {
                return None;
            }
            if score >= beta {
                picker.finish(&mut self.scratch);
                let depth = (depth - PROBCUT_REDUCTION + 1) as u8;
                let (mv, score_in_table, pv) = (Some(mv), to_table(score, ply), node.was_pv());
                let entry =
                    Entry { mv, score: score_in_table, evaluation: node.raw, depth, bound: Bound::Lower, pv };
                self.table.store(self.table_key(position), entry);
                return Some(score);
            }
        }
        picker.finish(&mut self.scratch);
        None
    }

    /// Returns true if a move can be skipped: late, hopeless, or losing material.
    #[inline]
    pub(super) fn can_skip<P: Searchable>(&self, position: &P, node: &Node, candidate: &Candidate) -> bool {
        if node.pressure != Pressure::None {
            return false;
        }
        let (depth, Candidate { mv, number, .. }) = (node.depth, *candidate);
        let loses = |depth_limit, margin: i32| {
            depth <= depth_limit && number > 2 && !position.see_ge(mv, margin * depth)
        };
        if !candidate.quiet || candidate.gives_check {
            return loses(SEE_NOISY_DEPTH, SEE_NOISY_MARGIN)
                || !candidate.gives_check && is_hopeless_capture(position, node, candidate);
        }
        let margin = position.margin(FUTILITY_BASE + FUTILITY_MARGIN * depth);
        let quiet_history = || self.scratch.histories.quiet(position, mv, candidate.before);
        number > lmp_limit(node)
            || depth <= FUTILITY_DEPTH && node.evaluation + margin <= node.window.alpha
            || depth <= HISTORY_DEPTH && quiet_history() < HISTORY_MARGIN * depth
            || loses(SEE_QUIET_DEPTH, SEE_QUIET_MARGIN)
    }
}

/// Futility pruning of captures: the captured piece does not make up for the deficit. Not where a
/// win is asked for, as captures may lead to a mate.
fn is_hopeless_capture<P: Searchable>(position: &P, node: &Node, candidate: &Candidate) -> bool {
    let margin = FUTILITY_CAPTURE_BASE + FUTILITY_CAPTURE_MARGIN * node.depth;
    let alpha = node.window.alpha;
    alpha < FUTILITY_CAPTURE_ALPHA
        && !position.is_promotion(candidate.mv)
        && node.depth <= FUTILITY_CAPTURE_DEPTH
        && node.evaluation + margin + position.gain(candidate.mv) <= alpha
}

/// LMP: returns the number of moves after which quiet ones are skipped.
fn lmp_limit(node: &Node) -> i32 {
    if node.depth > LMP_DEPTH {
        return i32::MAX;
    }
    let moves = LMP_BASE + node.depth * node.depth;
    moves / if node.improving { 1 } else { 2 } + i32::from(node.pv) * LMP_PV
}
