//! The recursive search: principal variation search with the usual prunings and reductions.

use super::Bound;
use super::history::PieceTo;
use super::lmr::{LateMove, Lmr};
use super::node::{from_table, to_table};
use super::params::*;
use super::picker::Picker;
use super::score::Score;
use super::searchable::Searchable;
use super::table::Entry;
use super::window::Window;
use super::worker::Worker;
use crate::chess::{List, Move};

/// Everything a node has worked out before it looks at moves.
struct Node {
    depth: i32,
    ply: usize,
    window: Window,
    /// In check, or obliged to capture: the static evaluation says nothing.
    compelled: bool,
    evaluation: i32,
    improving: bool,
    tt_move: Option<Move>,
    pv: bool,
}

impl Worker<'_> {
    /// The score of a position, searched `asked` plies deep.
    pub fn search<P: Searchable>(
        &mut self,
        position: &P,
        asked: i32,
        ply: usize,
        mut window: Window,
        null_allowed: bool,
    ) -> i32 {
        let pv = window.beta - window.alpha > 1;
        let in_check = position.in_check();
        let mut depth = asked + i32::from(in_check);
        if depth <= 0 {
            return self.quiescence(position, ply, window);
        }
        if let Some(score) = self.enter(position, ply) {
            return score;
        }
        if let Some(score) = self.known.score(position.key(), asked) {
            return from_table(score.0, ply);
        }
        // A mate found nearer the root cannot be improved on here.
        window.alpha = window.alpha.max(Score::mated_in(ply).0);
        window.beta = window.beta.min(Score::mate_in(ply + 1).0);
        if window.alpha >= window.beta {
            return window.alpha;
        }

        let key = self.table_key(position);
        let tt_entry = self.table.probe(key);
        if let Some(entry) = tt_entry.filter(|entry| !pv && i32::from(entry.depth) >= depth)
            && let Some(score) = self.settled(position, &entry, ply, window)
        {
            return score;
        }
        let compelled = !position.may_stand_pat();
        let evaluation = self.static_evaluation(position, ply, compelled, tt_entry);
        let improving = !compelled
            && ply >= 2
            && self.stack[ply - 2].evaluation.is_some_and(|earlier| evaluation > earlier);
        self.histories.clear_killers(ply + 1);

        let tt_move = tt_entry.and_then(|entry| entry.mv);
        // IIR: without a TT move the search would begin with a bad one.
        if tt_move.is_none() && depth >= IIR_DEPTH && (pv || window.cut) {
            depth -= 1;
        }
        let node = Node { depth, ply, window, compelled, evaluation, improving, tt_move, pv };
        if !pv
            && !compelled
            && let Some(score) = self.prune(position, &node, null_allowed)
        {
            return score;
        }
        self.search_moves(position, &node, key, tt_entry.is_some_and(|entry| entry.pv))
    }

    /// The static evaluation, corrected by what the TT knows better.
    fn static_evaluation<P: Searchable>(
        &mut self,
        position: &P,
        ply: usize,
        compelled: bool,
        tt_entry: Option<Entry>,
    ) -> i32 {
        if compelled {
            self.stack[ply].evaluation = None;
            return 0;
        }
        let raw = tt_entry.map_or_else(|| self.adjustment.evaluate(position), |entry| entry.evaluation);
        self.stack[ply].evaluation = Some(raw);
        match tt_entry {
            Some(entry) if entry.score.abs() < Score::MATE_BOUND.0 => match entry.bound {
                Bound::Exact => entry.score,
                Bound::Lower => raw.max(entry.score),
                Bound::Upper => raw.min(entry.score),
            },
            _ => raw,
        }
    }

    /// Whether the node can be given up without looking at moves: so far above the window that even passing holds.
    fn prune<P: Searchable>(&mut self, position: &P, node: &Node, null_allowed: bool) -> Option<i32> {
        let Node { depth, ply, window, evaluation, improving, .. } = *node;
        let beta = window.beta;
        if beta.abs() >= Score::MATE_BOUND.0 {
            return None;
        }
        // RFP: no quiet reply is expected to lose that much.
        if depth <= RFP_DEPTH && evaluation - RFP_MARGIN * (depth - i32::from(improving)) >= beta {
            return Some((evaluation + beta) / 2);
        }
        // Razoring: so far below that only captures could help.
        if depth <= RAZOR_DEPTH && evaluation + RAZOR_MARGIN * depth < window.alpha {
            let score = self.quiescence(position, ply, window);
            if score <= window.alpha {
                return Some(score);
            }
        }
        self.null_move(position, node, null_allowed)
    }

    /// NMP: lets the opponent move twice; if that is still good enough, the position is. Unsound in zugzwang, so not
    /// with pawns alone, and verified where a mistake would be dear.
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

    fn search_moves<P: Searchable>(&mut self, position: &P, node: &Node, key: u64, was_pv: bool) -> i32 {
        let Node { ply, window, .. } = *node;
        let before = self.moves_before(ply);
        let mut picker = Picker::all(node.tt_move, before, ply);
        let (mut best, mut best_move, mut alpha) = (-Score::INFINITE.0, None, window.alpha);
        let (mut quiets, mut captures) = (P::List::default(), P::List::default());
        let checks = position.checks();
        let mut number = 0;

        while let Some(mv) = picker.next(position, &self.histories) {
            let quiet = position.is_quiet(mv);
            let calm = quiet && !position.gives_check(mv, &checks);
            if best > -Score::MATE_BOUND.0 && self.can_skip(position, node, mv, calm, number, before) {
                continue;
            }
            number += 1;
            let score = self.search_move(position, node, mv, quiet, number, alpha);
            if self.stopped {
                return 0;
            }
            if quiet {
                quiets.push(mv);
            } else {
                captures.push(mv);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if node.pv {
                        self.extend_line(ply, mv);
                    }
                    if score >= window.beta {
                        self.learn(position, node, mv, quiet, &quiets, &captures, before);
                        break;
                    }
                    alpha = score;
                }
            }
        }
        if number == 0 {
            return self.score_without_moves(position, ply);
        }
        let bound = if best >= window.beta {
            Bound::Lower
        } else if best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry {
            mv: best_move,
            score: to_table(best, ply),
            evaluation: self.stack[ply].evaluation.unwrap_or(0),
            depth: node.depth.clamp(0, 255) as u8,
            bound,
            pv: node.pv || was_pv,
        };
        self.table.store(key, entry, self.epoch);
        best
    }

    #[allow(clippy::too_many_arguments)]
    fn learn<P: Searchable>(
        &mut self,
        position: &P,
        node: &Node,
        mv: Move,
        quiet: bool,
        quiets: &[Move],
        captures: &[Move],
        before: [Option<PieceTo>; 2],
    ) {
        if quiet {
            self.histories.learn_quiet(position, mv, quiets, before, node.ply, node.depth);
        }
        self.histories.learn_captures(position, mv, captures, node.depth);
    }

    /// Whether a move is not worth a look: late, or without hope, or losing material. `calm` moves neither
    /// take nor promote nor give check.
    fn can_skip<P: Searchable>(
        &self,
        position: &P,
        node: &Node,
        mv: Move,
        calm: bool,
        number: i32,
        before: [Option<PieceTo>; 2],
    ) -> bool {
        if node.compelled {
            return false;
        }
        let depth = node.depth;
        if calm {
            if number >= lmp_limit(node) {
                return true;
            }
            let margin = FUTILITY_BASE + FUTILITY_MARGIN * depth;
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

    /// Plays a move and searches what follows: the first fully, later ones reduced and with a null window
    /// until they prove better.
    fn search_move<P: Searchable>(
        &mut self,
        position: &P,
        node: &Node,
        mv: Move,
        quiet: bool,
        number: i32,
        alpha: i32,
    ) -> i32 {
        let Node { ply, depth, window, .. } = *node;
        let mut child = *position;
        child.play(mv);
        self.table.prefetch(self.table_key(&child));
        let history = if quiet { self.histories.quiet(position, mv, self.moves_before(ply)) } else { 0 };
        self.stack[ply].piece_to = Some(PieceTo::of(position, mv));
        self.keys.push(position.key());

        let full = depth - 1;
        let score = if number == 1 {
            let cut = !node.pv && !window.cut;
            -self.search(&child, full, ply + 1, Window { alpha: -window.beta, beta: -alpha, cut }, true)
        } else {
            let reduction = self.reduction(node, quiet, number, child.in_check(), history, mv);
            let narrow = |cut| Window { alpha: -alpha - 1, beta: -alpha, cut };
            let mut score = -self.search(&child, full - reduction, ply + 1, narrow(true), true);
            if score > alpha && reduction > 0 && !self.stopped {
                score = -self.search(&child, full, ply + 1, narrow(!window.cut), true);
            }
            if score > alpha && node.pv && !self.stopped {
                let open = Window { alpha: -window.beta, beta: -alpha, cut: false };
                score = -self.search(&child, full, ply + 1, open, true);
            }
            score
        };
        self.keys.pop();
        score
    }

    fn reduction(&self, node: &Node, quiet: bool, number: i32, checks: bool, history: i32, mv: Move) -> i32 {
        let Node { depth, ply, pv, improving, compelled, .. } = *node;
        if compelled || !Lmr::is_late(depth, number, pv) {
            return 0;
        }
        let (killer, cut) = (quiet && self.histories.is_killer(ply, mv), node.window.cut);
        self.lmr.reduction(&LateMove { depth, number, quiet, history, killer, checks, pv, cut, improving })
    }
}

/// LMP: the number of the first quiet move that is skipped.
fn lmp_limit(node: &Node) -> i32 {
    if node.depth > LMP_DEPTH {
        return i32::MAX;
    }
    let moves = LMP_BASE + node.depth * node.depth;
    moves / if node.improving { 1 } else { 2 } + i32::from(node.pv) * LMP_PV
}
