//! The recursive search: principal variation search with the usual prunings and reductions.

use super::Bound;
use super::history::MovesBefore;
use super::node::to_table;
use super::params::*;
use super::picker::Picker;
use super::score::Score;
use super::searchable::Searchable;
use super::table::Entry;
use super::window::Window;
use super::worker::Worker;
use crate::chess::Move;
use arrayvec::ArrayVec;

/// Pressure on the side on move, under which the static evaluation is meaningless.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pressure {
    None,
    /// The opponent would win with its next move.
    Threatened,
    /// The side on move is in check or must capture.
    Compelled,
}

/// Facts about a node established before its moves are searched.
pub(super) struct Node {
    pub depth: i32,
    pub ply: usize,
    pub window: Window,
    pub pressure: Pressure,
    /// Corrected static evaluation.
    pub evaluation: i32,
    /// Uncorrected static evaluation.
    pub raw: i32,
    /// Whether the static evaluation is better than two plies before.
    pub improving: bool,
    pub tt_entry: Option<Entry>,
    pub tt_move: Option<Move>,
    /// Whether the TT move captures or promotes.
    pub noisy_tt_move: bool,
    /// The excluded move.
    pub excluded: Option<Move>,
    pub pv: bool,
}

impl Node {
    /// Returns true if the node is, or once was, on a principal variation.
    pub(super) fn was_pv(&self) -> bool {
        self.pv || self.tt_entry.is_some_and(|entry| entry.pv)
    }
}

/// A move of a node.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub mv: Move,
    /// Number of the move among those searched, from 1.
    pub number: i32,
    /// Whether it neither captures nor promotes.
    pub quiet: bool,
    /// Whether it gives check; false where that does not matter: first, and under compulsion.
    pub gives_check: bool,
    /// Earlier moves of the line.
    pub before: MovesBefore,
}

/// The first moves that have been searched without a cutoff.
type Tried = ArrayVec<Move, 32>;

/// The static evaluation of a position.
#[derive(Clone, Copy, Default)]
pub(super) struct StaticEvaluation {
    /// Without corrections.
    pub raw: i32,
    /// Corrected by the errors in similar positions.
    pub corrected: i32,
    /// Corrected by the TT as well.
    pub refined: i32,
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
        let depth = asked + i32::from(position.in_check());
        if depth <= 0 {
            return self.quiescence(position, ply, window);
        }
        if let Some(score) = self.enter(position, ply, asked) {
            return score;
        }
        let pv = window.is_open();
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
        let may_settle = !pv && self.path[ply].excluded.is_none();
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
        let node = self.node(position, depth, ply, window, pv, tt_entry);
        if may_settle
            && node.pressure == Pressure::None
            && let Some(score) = self.prune(position, &node, null_allowed)
        {
            return score;
        }
        self.search_moves(position, &node, key)
    }

    /// Returns the facts about a node that is searched.
    #[inline]
    fn node<P: Searchable>(
        &mut self,
        position: &P,
        mut depth: i32,
        ply: usize,
        window: Window,
        pv: bool,
        tt_entry: Option<Entry>,
    ) -> Node {
        let compelled = !position.may_stand_pat();
        let StaticEvaluation { raw, refined, .. } =
            self.static_evaluation(position, ply, compelled, tt_entry);
        let earlier = ply.checked_sub(2).and_then(|earlier| self.path[earlier].evaluation);
        self.scratch.histories.clear_killers(ply + 1);
        self.path[ply + 2].cutoffs = 0;

        // A forced move costs no depth.
        let excluded = self.path[ply].excluded;
        if compelled && excluded.is_none() && position.has_only_capture() {
            depth += 1;
        }
        let tt_move = tt_entry.and_then(|entry| entry.mv);
        // IIR: without a TT move the search would begin with a bad move.
        if tt_move.is_none() && depth >= IIR_DEPTH && (pv || window.cut) {
            depth -= 1;
        }
        let pressure = match compelled {
            true => Pressure::Compelled,
            false if position.is_threatened() => Pressure::Threatened,
            false => Pressure::None,
        };
        Node {
            depth,
            ply,
            window,
            pressure,
            evaluation: refined,
            raw,
            improving: !compelled && earlier.is_some_and(|earlier| refined > earlier),
            tt_entry,
            tt_move,
            noisy_tt_move: tt_move.is_some_and(|mv| !position.is_quiet(mv)),
            excluded,
            pv,
        }
    }

    /// Returns the static evaluation, zeros if the side on move is compelled.
    #[inline(always)]
    pub(super) fn static_evaluation<P: Searchable>(
        &mut self,
        position: &P,
        ply: usize,
        compelled: bool,
        tt_entry: Option<Entry>,
    ) -> StaticEvaluation {
        if compelled {
            self.path[ply].evaluation = None;
            return StaticEvaluation::default();
        }
        let raw = tt_entry.map_or_else(|| self.adjustment.evaluate(position), |entry| entry.evaluation);
        let corrected = raw + self.scratch.corrections.of(position);
        self.path[ply].evaluation = Some(corrected);
        let refined = tt_entry.map_or(corrected, |entry| refined(corrected, &entry));
        StaticEvaluation { raw, corrected, refined }
    }

    fn search_moves<P: Searchable>(&mut self, position: &P, node: &Node, key: u64) -> i32 {
        let mut picker = Picker::all(&self.scratch, node.tt_move, self.path.moves_before(node.ply), node.ply);
        let score = self.search_picked(position, node, key, &mut picker);
        picker.finish(&mut self.scratch);
        score
    }

    #[inline]
    fn search_picked<P: Searchable>(
        &mut self,
        position: &P,
        node: &Node,
        key: u64,
        picker: &mut Picker,
    ) -> i32 {
        let Node { ply, window, .. } = *node;
        let before = self.path.moves_before(ply);
        let (mut best, mut best_move, mut alpha) = (-Score::INFINITE.0, None, window.alpha);
        let (mut quiets, mut captures) = (Tried::new(), Tried::new());
        let checks = position.checks();
        let mut number = 0;

        while let Some(mv) = picker.next(position, &mut self.scratch) {
            if Some(mv) == node.excluded {
                continue;
            }
            let quiet = position.is_quiet(mv);
            // Neither a first move nor one under compulsion is skipped or reduced.
            let gives_check =
                number > 0 && node.pressure != Pressure::Compelled && position.gives_check(mv, &checks);
            let candidate = Candidate { mv, number: number + 1, quiet, gives_check, before };
            if best > -Score::MATE_BOUND.0 && self.can_skip(position, node, &candidate) {
                continue;
            }
            number += 1;
            let extension =
                if Some(mv) == node.tt_move { self.singularity(position, node, mv) } else { Ok(0) };
            let score = match extension {
                Ok(plies) => self.search_move(position, node, &candidate, alpha, best, plies),
                Err(score) => return score,
            };
            if self.pace.is_stopped() {
                return 0;
            }
            let tried = if quiet { &mut quiets } else { &mut captures };
            // Moves beyond those keep their histories.
            let _ = tried.try_push(mv);
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if node.pv {
                        self.scratch.lines.extend(ply, mv);
                    }
                    if score >= window.beta {
                        self.path[ply].cutoffs = self.path[ply].cutoffs.saturating_add(1);
                        if quiet {
                            self.scratch
                                .histories
                                .learn_quiet(position, mv, &quiets, before, ply, node.depth);
                        }
                        self.scratch.histories.learn_captures(position, mv, &captures, node.depth);
                        break;
                    }
                    alpha = score;
                }
            }
        }
        match (number, node.excluded) {
            (0, Some(_)) => return window.alpha,
            (0, None) => return self.score_without_moves(position, ply),
            (_, Some(_)) => {}
            (_, None) => self.store_result(position, node, key, best, best_move),
        }
        best
    }

    /// Stores the result of a node in the TT and in the correction history.
    fn store_result<P: Searchable>(
        &mut self,
        position: &P,
        node: &Node,
        key: u64,
        best: i32,
        best_move: Option<Move>,
    ) {
        let bound = if best >= node.window.beta {
            Bound::Lower
        } else if best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if let Some(evaluation) = self.path[node.ply].evaluation {
            self.learn_error(position, evaluation, node.depth, best, best_move, bound);
        }
        let entry = Entry {
            mv: best_move,
            score: to_table(best, node.ply),
            evaluation: node.raw,
            depth: node.depth.clamp(0, 255) as u8,
            bound,
            pv: node.was_pv(),
        };
        self.table.store(key, entry);
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
            self.scratch.corrections.learn(position, best - evaluation, depth);
        }
    }

    /// Plays a move and searches the rest: the first move fully, later ones reduced and with a null
    /// window until they prove better.
    fn search_move<P: Searchable>(
        &mut self,
        position: &P,
        node: &Node,
        candidate: &Candidate,
        alpha: i32,
        best: i32,
        extension: i32,
    ) -> i32 {
        let Node { ply, depth, window, .. } = *node;
        self.prefetch_after(position, candidate.mv);
        let reduction = self.reduction(position, node, candidate);
        let child = self.play(position, ply, candidate.mv);
        self.path[ply + 1].doubles = self.path[ply].doubles + u8::from(extension > 1);
        let full = depth - 1 + extension;
        let open = |cut| Window { alpha: -window.beta, beta: -alpha, cut };
        let narrow = |cut| Window { alpha: -alpha - 1, beta: -alpha, cut };
        let score = if candidate.number == 1 {
            -self.search(&child, full, ply + 1, open(!node.pv && !window.cut), true)
        } else {
            let child_depth = full - reduction;
            let mut score = -self.search(&child, child_depth, ply + 1, narrow(true), true);
            if score > alpha && reduction > 0 && !self.pace.is_stopped() {
                // A score much better than expected is worth a deeper search, a hardly better one a
                // shallower.
                let much = reduction > 1 && score > best + LMR_DEEPER_MARGIN;
                let full = full + i32::from(much) - i32::from(score < best + LMR_SHALLOWER_MARGIN);
                if full > child_depth {
                    score = -self.search(&child, full, ply + 1, narrow(!window.cut), true);
                }
            }
            if score > alpha && node.pv && !self.pace.is_stopped() {
                score = -self.search(&child, full, ply + 1, open(false), true);
            }
            score
        };
        self.path.take_back();
        score
    }
}

/// Returns the static evaluation corrected by the TT.
fn refined(evaluation: i32, entry: &Entry) -> i32 {
    if entry.score.abs() >= Score::MATE_BOUND.0 {
        return evaluation;
    }
    match entry.bound {
        Bound::Exact => entry.score,
        Bound::Lower => evaluation.max(entry.score),
        Bound::Upper => evaluation.min(entry.score),
    }
}
