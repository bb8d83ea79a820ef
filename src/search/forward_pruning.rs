//! Forward pruning: nodes given up before a move is searched, and moves that are skipped.

use super::Bound;
use super::alpha_beta::Node;
use super::history::{MovesBefore, PieceTo};
use super::node::to_table;
use super::params::*;
use super::picker::Picker;
use super::score::Score;
use super::searchable::Searchable;
use super::table::Entry;
use super::window::Window;
use super::worker::Worker;
use crate::chess::Move;

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
        let volatility = position.volatility();
        // RFP: no quiet reply is expected to lose that much.
        let margin = RFP_MARGIN * volatility * (depth - i32::from(improving));
        if depth <= RFP_DEPTH && evaluation - margin >= beta {
            return Some((evaluation + beta) / 2);
        }
        // Razoring: so far below the window that only captures could help.
        if depth <= RAZOR_DEPTH && evaluation + RAZOR_MARGIN * volatility * depth < window.alpha {
            let score = self.quiescence(position, ply, window);
            if score <= window.alpha {
                return Some(score);
            }
        }
        let passed = self.null_move(position, node, null_allowed);
        if passed.is_some() || self.stopped { passed } else { self.probcut(position, node) }
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
        let (child, before) = self.pass(position, ply);
        self.table.prefetch(self.table_key(&child));
        let beta = window.beta;
        let below = Window { alpha: -beta, beta: -beta + 1, cut: !window.cut };
        let score = -self.search(&child, depth - reduction, ply + 1, below, false);
        self.take_back_pass(before);
        if self.stopped || score < beta {
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
        (verified >= beta && !self.stopped).then_some(verified)
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
        let wanted = beta - self.stack[ply].evaluation?;
        let mut picker = Picker::noisy();
        while let Some(mv) = picker.next(position, &self.histories) {
            if !position.see_ge(mv, wanted) {
                continue;
            }
            let mut child = *position;
            child.play(mv);
            self.stack[ply].piece_to = Some(PieceTo::of(position, mv));
            self.keys.push(position.key());
            let below = Window { alpha: -beta, beta: -beta + 1, cut: !window.cut };
            let mut score = -self.quiescence(&child, ply + 1, below);
            if score >= beta && !self.stopped {
                score = -self.search(&child, depth - PROBCUT_REDUCTION, ply + 1, below, true);
            }
            self.keys.pop();
            if self.stopped {
                return None;
            }
            if score >= beta {
                let depth = (depth - PROBCUT_REDUCTION + 1) as u8;
                let (mv, score_in_table, pv) = (Some(mv), to_table(score, ply), node.was_pv());
                let entry =
                    Entry { mv, score: score_in_table, evaluation: node.raw, depth, bound: Bound::Lower, pv };
                self.table.store(self.table_key(position), entry, self.epoch);
                return Some(score);
            }
        }
        None
    }

    /// Returns true if a move can be skipped: late, hopeless, or losing material. `calm` moves
    /// neither capture nor promote nor give check.
    pub(super) fn can_skip<P: Searchable>(
        &self,
        position: &P,
        node: &Node,
        mv: Move,
        calm: bool,
        number: i32,
        before: MovesBefore,
    ) -> bool {
        if node.compelled || node.threatened {
            return false;
        }
        let depth = node.depth;
        if calm {
            if number >= lmp_limit(node) {
                return true;
            }
            let margin = (FUTILITY_BASE + FUTILITY_MARGIN * depth) * position.volatility();
            if depth <= FUTILITY_DEPTH && node.evaluation + margin <= node.window.alpha {
                return true;
            }
            let threshold = HISTORY_MARGIN * depth;
            if depth <= HISTORY_DEPTH && self.histories.quiet(position, mv, before) < threshold {
                return true;
            }
            depth <= SEE_QUIET_DEPTH && number > 1 && !position.see_ge(mv, SEE_QUIET_MARGIN * depth)
        } else {
            depth <= SEE_NOISY_DEPTH && number > 1 && !position.see_ge(mv, SEE_NOISY_MARGIN * depth)
        }
    }
}

/// Futility pruning of captures: the captured piece does not make up for the deficit. Not where a
/// win is asked for, as captures may lead to a mate.
pub(super) fn hopeless_capture<P: Searchable>(position: &P, node: &Node, mv: Move) -> bool {
    let margin = FUTILITY_CAPTURE_BASE + FUTILITY_CAPTURE_MARGIN * node.depth;
    let promotes = position.is_promotion(mv);
    !node.compelled
        && !node.threatened
        && node.window.alpha < FUTILITY_CAPTURE_ALPHA
        && !promotes
        && node.depth <= FUTILITY_CAPTURE_DEPTH
        && node.evaluation + margin + position.gain(mv) <= node.window.alpha
}

/// LMP: returns the number of the first quiet move that is skipped.
fn lmp_limit(node: &Node) -> i32 {
    if node.depth > LMP_DEPTH {
        return i32::MAX;
    }
    let moves = LMP_BASE + node.depth * node.depth;
    moves / if node.improving { 1 } else { 2 } + i32::from(node.pv) * LMP_PV
}
