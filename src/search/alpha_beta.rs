//! The recursive search: principal variation search with the usual prunings and reductions.

use super::history::{MovesBefore, PieceTo};
use super::lmr::{LateMove, Lmr};
use super::node::{from_table, to_table};
use super::params::*;
use super::picker::Picker;
use super::score::Score;
use super::searchable::Searchable;
use super::table::Entry;
use super::window::Window;
use super::worker::Worker;
use super::{Bound, forward_pruning};
use crate::chess::{List, Move};

/// Facts about a node established before its moves are searched.
pub(super) struct Node {
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) window: Window,
    /// Whether the side on move is in check or must capture, so that the static evaluation is
    /// meaningless.
    pub(super) compelled: bool,
    /// Whether the opponent would win with its next move, which also makes it meaningless.
    pub(super) threatened: bool,
    /// Corrected static evaluation.
    pub(super) evaluation: i32,
    /// Uncorrected static evaluation.
    pub(super) raw: i32,
    pub(super) improving: bool,
    pub(super) tt_entry: Option<Entry>,
    pub(super) tt_move: Option<Move>,
    pub(super) noisy_tt_move: bool,
    /// The excluded move.
    pub(super) excluded: Option<Move>,
    pub(super) pv: bool,
}

impl Node {
    /// Returns true if the node is, or once was, on a principal variation.
    pub(super) fn was_pv(&self) -> bool {
        self.pv || self.tt_entry.is_some_and(|entry| entry.pv)
    }
}

impl Worker<'_> {
    /// Returns the score of a position searched `asked` plies deep.
    pub(super) fn search<P: Searchable>(
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
        // A mate found nearer the root cannot be improved on here: a win takes a move, unless none
        // is needed.
        let soonest = if position.may_win_without_moves() { ply } else { ply + 1 };
        window.alpha = window.alpha.max(Score::mated_in(ply).0);
        window.beta = window.beta.min(Score::mate_in(soonest).0);
        if window.alpha >= window.beta {
            return window.alpha;
        }

        let key = self.table_key(position);
        let tt_entry = self.table.probe(key);
        let excluded = self.stack[ply].excluded;
        let may_settle = !pv && excluded.is_none();
        let settles = |entry: &Entry| {
            i32::from(entry.depth) >= depth && (may_settle || pv && self.settles_recalled_line(entry))
        };
        if let Some(entry) = tt_entry.filter(settles)
            && let Some(score) = self.settled(position, &entry, ply, window)
        {
            if pv {
                self.recall_line(position, &entry, ply);
            }
            return score;
        }
        let compelled = !position.may_stand_pat();
        let (raw, evaluation) = self.static_evaluation(position, ply, compelled, tt_entry);
        let improving = !compelled
            && ply >= 2
            && self.stack[ply - 2].evaluation.is_some_and(|earlier| evaluation > earlier);
        self.histories.clear_killers(ply + 1);
        self.stack[ply + 2].cutoffs = 0;

        // A forced move costs no depth.
        if compelled && excluded.is_none() && position.has_only_capture() {
            depth += 1;
        }
        let tt_move = tt_entry.and_then(|entry| entry.mv);
        // IIR: without a TT move the search would begin with a bad move.
        if tt_move.is_none() && depth >= IIR_DEPTH && (pv || window.cut) {
            depth -= 1;
        }
        let node = Node {
            depth,
            ply,
            window,
            compelled,
            threatened: !compelled && position.is_threatened(),
            evaluation,
            raw,
            improving,
            tt_entry,
            tt_move,
            noisy_tt_move: tt_move.is_some_and(|mv| !position.is_quiet(mv)),
            excluded,
            pv,
        };
        if may_settle
            && !compelled
            && !node.threatened
            && let Some(score) = self.prune(position, &node, null_allowed)
        {
            return score;
        }
        self.search_moves(position, &node, key)
    }

    /// Returns the static evaluation, and its correction by similar positions and the TT.
    fn static_evaluation<P: Searchable>(
        &mut self,
        position: &P,
        ply: usize,
        compelled: bool,
        tt_entry: Option<Entry>,
    ) -> (i32, i32) {
        if compelled {
            self.stack[ply].evaluation = None;
            return (0, 0);
        }
        let raw = tt_entry.map_or_else(|| self.adjustment.evaluate(position), |entry| entry.evaluation);
        let corrected = raw + self.corrections.of(position);
        self.stack[ply].evaluation = Some(corrected);
        (raw, tt_entry.map_or(corrected, |entry| refined(corrected, &entry)))
    }

    fn search_moves<P: Searchable>(&mut self, position: &P, node: &Node, key: u64) -> i32 {
        let Node { ply, window, .. } = *node;
        let before = self.moves_before(ply);
        let mut picker = Picker::all(node.tt_move, before, ply);
        let (mut best, mut best_move, mut alpha) = (-Score::INFINITE.0, None, window.alpha);
        let (mut quiets, mut captures) = (P::List::default(), P::List::default());
        let checks = position.checks();
        let mut number = 0;

        while let Some(mv) = picker.next(position, &self.histories) {
            if Some(mv) == node.excluded {
                continue;
            }
            let quiet = position.is_quiet(mv);
            let gives_check = position.gives_check(mv, &checks);
            let calm = quiet && !gives_check;
            if best > -Score::MATE_BOUND.0
                && (self.can_skip(position, node, mv, calm, number, before)
                    || !quiet && !gives_check && forward_pruning::hopeless_capture(position, node, mv))
            {
                continue;
            }
            number += 1;
            let mut extension = 0;
            if Some(mv) == node.tt_move {
                extension = match self.singularity(position, node, mv) {
                    Ok(plies) => plies,
                    Err(score) => return score,
                };
                if self.stopped {
                    return 0;
                }
            }
            let score =
                self.search_move(position, node, mv, quiet, gives_check, number, alpha, best, extension);
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
                        self.stack[ply].cutoffs = self.stack[ply].cutoffs.saturating_add(1);
                        self.learn(position, node, mv, quiet, &quiets, &captures, before);
                        break;
                    }
                    alpha = score;
                }
            }
        }
        if number == 0 && node.excluded.is_some() {
            return window.alpha;
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
        if node.excluded.is_some() {
            return best;
        }
        if let Some(evaluation) = self.stack[ply].evaluation {
            self.learn_error(position, evaluation, node.depth, best, best_move, bound);
        }
        let entry = Entry {
            mv: best_move,
            score: to_table(best, ply),
            evaluation: node.raw,
            depth: node.depth.clamp(0, 255) as u8,
            bound,
            pv: node.was_pv(),
        };
        self.table.store(key, entry, self.epoch);
        best
    }

    /// Updates the correction history with the error of the static evaluation, unless captures
    /// caused it.
    pub(super) fn learn_error<P: Searchable>(
        &mut self,
        position: &P,
        evaluation: i32,
        depth: i32,
        best: i32,
        best_move: Option<Move>,
        bound: Bound,
    ) {
        let tells = match bound {
            Bound::Exact => true,
            Bound::Lower => best > evaluation,
            Bound::Upper => best < evaluation,
        };
        let noisy = best_move.is_some_and(|mv| !position.is_quiet(mv));
        if tells && !noisy && best.abs() < Score::MATE_BOUND.0 {
            self.corrections.learn(position, best - evaluation, depth);
        }
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
        before: MovesBefore,
    ) {
        if quiet {
            self.histories.learn_quiet(position, mv, quiets, before, node.ply, node.depth);
        }
        self.histories.learn_captures(position, mv, captures, node.depth);
    }

    /// Plays a move and searches the rest: the first move fully, later ones reduced and with a null
    /// window until they prove better.
    #[allow(clippy::too_many_arguments)]
    fn search_move<P: Searchable>(
        &mut self,
        position: &P,
        node: &Node,
        mv: Move,
        quiet: bool,
        gives_check: bool,
        number: i32,
        alpha: i32,
        best: i32,
        extension: i32,
    ) -> i32 {
        let Node { ply, depth, window, .. } = *node;
        let mut child = *position;
        child.play(mv);
        self.table.prefetch(self.table_key(&child));
        let history = if quiet { self.histories.quiet(position, mv, self.moves_before(ply)) } else { 0 };
        self.stack[ply].piece_to = Some(PieceTo::of(position, mv));
        self.keys.push(position.key());

        self.stack[ply + 1].doubles = self.stack[ply].doubles + u8::from(extension > 1);
        let full = depth - 1 + extension;
        let score = if number == 1 {
            let cut = !node.pv && !window.cut;
            -self.search(&child, full, ply + 1, Window { alpha: -window.beta, beta: -alpha, cut }, true)
        } else {
            let reduction = self.reduction(node, quiet, number, gives_check, history, mv);
            let narrow = |cut| Window { alpha: -alpha - 1, beta: -alpha, cut };
            let child_depth = full - reduction;
            let mut score = -self.search(&child, child_depth, ply + 1, narrow(true), true);
            if score > alpha && reduction > 0 && !self.stopped {
                // A score much better than expected is worth a deeper search, a hardly better one a
                // shallower.
                let much = reduction > 1 && score > best + LMR_DEEPER_MARGIN;
                let full = full + i32::from(much) - i32::from(score < best + LMR_SHALLOWER_MARGIN);
                if full > child_depth {
                    score = -self.search(&child, full, ply + 1, narrow(!window.cut), true);
                }
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
        self.lmr.reduction(&LateMove {
            depth,
            number,
            quiet,
            history,
            killer: quiet && self.histories.is_killer(ply, mv),
            checks,
            pv,
            cut: node.window.cut,
            improving,
            noisy_tt_move: node.noisy_tt_move,
            was_pv: node.was_pv(),
            refuted: self.stack[ply + 1].cutoffs > LMR_CUTOFFS,
        })
    }
}

/// Returns the static evaluation corrected by the TT.
pub(super) fn refined(evaluation: i32, entry: &Entry) -> i32 {
    if entry.score.abs() >= Score::MATE_BOUND.0 {
        return evaluation;
    }
    match entry.bound {
        Bound::Exact => entry.score,
        Bound::Lower => evaluation.max(entry.score),
        Bound::Upper => evaluation.min(entry.score),
    }
}
