//! The recursive search: principal variation search with the usual prunings and reductions.

use super::Bound;
use super::history::PieceTo;
use super::node::{from_table, to_table};
use super::picker::Picker;
use super::score::Score;
use super::searchable::Searchable;
use super::table::Entry;
use super::worker::Worker;
use crate::chess::{List, Move};
use std::sync::LazyLock;

/// Plies a late move is reduced by, by depth and by its number.
pub fn reductions() -> &'static [[u8; 64]; 64] {
    static TABLE: LazyLock<[[u8; 64]; 64]> = LazyLock::new(|| {
        std::array::from_fn(|depth| {
            std::array::from_fn(|number| {
                if depth == 0 || number == 0 {
                    return 0;
                }
                (0.8 + (depth as f64).ln() * (number as f64).ln() / 2.2) as u8
            })
        })
    });
    &TABLE
}

/// The window and how a node came about.
#[derive(Clone, Copy)]
pub struct Window {
    pub alpha: i32,
    pub beta: i32,
    /// Whether the best score is expected to be at least `beta`.
    pub cut: bool,
}

/// Everything a node has worked out before it looks at moves.
struct Node {
    depth: i32,
    ply: usize,
    window: Window,
    in_check: bool,
    evaluation: i32,
    improving: bool,
    hash: Option<Move>,
    pv: bool,
}

impl Worker<'_> {
    /// The score of a position, searched so many plies deep as asked.
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
        if let Some(known) = self.known.score(position.key(), asked) {
            return from_table(known.0, ply);
        }
        // A mate found nearer the root cannot be improved on here.
        window.alpha = window.alpha.max(Score::mated_in(ply).0);
        window.beta = window.beta.min(Score::mate_in(ply + 1).0);
        if window.alpha >= window.beta {
            return window.alpha;
        }

        let key = self.table_key(position);
        let known = self.table.probe(key);
        if let Some(entry) = known.filter(|entry| !pv && i32::from(entry.depth) >= depth)
            && let Some(score) = self.settled(position, &entry, ply, window)
        {
            return score;
        }
        let evaluation = self.static_evaluation(position, ply, in_check, known);
        let improving = !in_check
            && ply >= 2
            && self.stack[ply - 2].evaluation.is_some_and(|earlier| evaluation > earlier);
        self.histories.clear_killers(ply + 1);

        let hash = known.and_then(|entry| entry.mv);
        if hash.is_none() && depth >= 4 && (pv || window.cut) {
            depth -= 1;
        }
        let node = Node { depth, ply, window, in_check, evaluation, improving, hash, pv };
        if !pv
            && !in_check
            && let Some(score) = self.prune(position, &node, null_allowed)
        {
            return score;
        }
        self.search_moves(position, &node, key, known.is_some_and(|entry| entry.pv))
    }

    /// The static evaluation, corrected by what the table knows better.
    fn static_evaluation<P: Searchable>(
        &mut self,
        position: &P,
        ply: usize,
        in_check: bool,
        known: Option<Entry>,
    ) -> i32 {
        if in_check {
            self.stack[ply].evaluation = None;
            return 0;
        }
        let raw = known.map_or_else(|| self.noise.evaluate(position), |entry| entry.evaluation);
        self.stack[ply].evaluation = Some(raw);
        match known {
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
        // Reverse futility: no quiet reply is expected to lose that much.
        if depth <= 7 && evaluation - 75 * (depth - i32::from(improving)) >= beta {
            return Some((evaluation + beta) / 2);
        }
        // Razoring: so far below that only captures could help.
        if depth <= 2 && evaluation + 220 * depth < window.alpha {
            let score = self.quiescence(position, ply, window);
            if score <= window.alpha {
                return Some(score);
            }
        }
        self.null_move(position, node, null_allowed)
    }

    /// Lets the opponent move twice; if that is still good enough, the position is. Unsound in zugzwang, so not
    /// with pawns alone, and verified where a mistake would be dear.
    fn null_move<P: Searchable>(&mut self, position: &P, node: &Node, allowed: bool) -> Option<i32> {
        let Node { depth, ply, window, evaluation, .. } = *node;
        if !allowed || depth < 3 || evaluation < window.beta || !position.can_pass() {
            return None;
        }
        let reduction = 3 + depth / 4 + ((evaluation - window.beta) / 200).min(3);
        let (child, before) = self.pass(position, ply);
        self.table.prefetch(self.table_key(&child));
        let beta = window.beta;
        let below = Window { alpha: -beta, beta: -beta + 1, cut: !window.cut };
        let score = -self.search(&child, depth - reduction, ply + 1, below, false);
        self.take_back_pass(before);
        if self.stopped || score < beta {
            return None;
        }
        if depth < 12 {
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
        let mut picker = Picker::all(node.hash, before, ply);
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
            return self.outcome_score(position.outcome_without_moves(), position.turn(), ply);
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
        if node.in_check {
            return false;
        }
        let depth = node.depth;
        if calm {
            if number >= late(node) {
                return true;
            }
            if depth <= 6 && node.evaluation + 90 + 90 * depth <= node.window.alpha {
                return true;
            }
            if depth <= 3 && self.histories.quiet(position, mv, before) < -4000 * depth {
                return true;
            }
            depth <= 7 && number > 1 && !position.see_ge(mv, -50 * depth)
        } else {
            depth <= 6 && number > 1 && !position.see_ge(mv, -90 * depth)
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
        if node.depth < 3 || number <= 1 + i32::from(node.pv) || node.in_check {
            return 0;
        }
        let table = self.reductions[node.depth.min(63) as usize][number.min(63) as usize];
        let mut plies = i32::from(table);
        if quiet {
            plies += i32::from(!node.improving) + i32::from(node.window.cut);
            plies -= history / 8000;
            plies -= i32::from(self.histories.is_killer(node.ply, mv));
        } else {
            plies /= 2;
        }
        plies -= i32::from(node.pv) + i32::from(checks);
        plies.clamp(0, node.depth - 2)
    }
}

/// From which move on quiet moves are too late to matter.
fn late(node: &Node) -> i32 {
    if node.depth > 8 {
        return i32::MAX;
    }
    (3 + node.depth * node.depth) / if node.improving { 1 } else { 2 } + i32::from(node.pv) * 4
}

/// Whether a bound from the table settles a node.
#[inline]
pub fn decides(bound: Bound, score: i32, window: Window) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    }
}
