//! The root: iterative deepening, aspiration windows, MultiPV, and when to stop.

use super::handicap::{Bias, Handicap};
use super::history::PieceTo;
use super::params::{
    ASPIRATION_DELTA, ASPIRATION_DEPTH, ASPIRATION_MAX, CALM_DROP, CALM_ITERATIONS, TIME_EFFORT,
    TIME_EFFORT_BASE, TIME_FORCED_DEPTH, TIME_SCORE_DROP, TIME_STABILITY, TIME_UNSTABLE,
};
use super::report::{Bound, Done, Info, Report};
use super::root_move::{NOT_SEARCHED, RootMove};
use super::score::{MAX_PLY, Score};
use super::searchable::Searchable;
use super::window::Window;
use super::worker::Worker;
use crate::chess::Move;
use std::time::Duration;

/// Fail highs and lows are not reported before this time: at low depth they are noise.
const BOUNDS_AFTER: Duration = Duration::from_secs(1);

/// Returns true if a helper skips this depth, to be ahead of the others, which find its entries
/// later. Two helpers skip alternate depths; further pairs do so at longer intervals.
fn leaves_out(helper: u8, depth: i32) -> bool {
    let pair = (i32::from(helper) + 1) / 2;
    helper > 0 && depth > 1 && (depth / pair + i32::from(helper)) % 2 == 0
}

/// Returns true if a mate in `moves` moves (negative: against the side on move) can no longer
/// change at higher depths. That is certain for a mate in one; a longer one is reliable when depth
/// exceeds all reductions on its way.
fn is_final(moves: i32, depth: i32) -> bool {
    moves.abs() <= 1 || depth >= 4 * moves.abs() + 4
}

impl Worker<'_> {
    /// Deepens iteratively until a limit is reached or the gate stops the search.
    pub(super) fn deepen<P: Searchable>(&mut self, position: &P) -> Done {
        self.histories.fit::<P>();
        let excluded = &self.request.excluded;
        let handicap = Handicap::of(self.request);
        self.root_moves = position
            .legal_moves()
            .into_iter()
            .filter(|mv| !excluded.contains(mv))
            .map(|mv| RootMove::new(mv, handicap.of_move(mv)))
            .collect();
        if self.root_moves.is_empty() {
            let elapsed = self.gate.elapsed();
            return Done { best: None, ponder: None, score: Score::DRAW, depth: 0, nodes: 0, elapsed };
        }
        let lines = usize::from(self.request.lines).clamp(1, self.root_moves.len());
        self.take_warm(position);
        let known = self.resume(position, lines, self.deepest());
        if known > 0 {
            self.note_done(known as u8);
        }
        let (mut finished, mut stable, mut previous) = (known as u8, 0, None);
        let (mut last_score, mut depth) = (0, known);
        while depth < self.deepest() && !self.stopped {
            depth += 1;
            if leaves_out(self.request.helper, depth) {
                continue;
            }
            self.root_depth = depth;
            self.settled = depth > 1;
            for line in 0..lines {
                self.line = line;
                self.selective_depth = 0;
                self.aspire(position, depth);
                if self.stopped {
                    break;
                }
                self.rank_lines(depth);
            }
            if self.stopped {
                break;
            }
            finished = depth as u8;
            self.remember(position, depth);
            self.note_done(finished);
            let best = self.root_moves[0].mv;
            stable = if previous == Some(best) { (stable + 1).min(6) } else { 0 };
            previous = Some(best);
            let score = self.root_moves[0].score;
            let dropped = if depth > 5 { (last_score - score).clamp(0, 80) } else { 0 };
            last_score = score;
            self.calm = (stable >= CALM_ITERATIONS && dropped <= CALM_DROP).then_some(best);
            if self.is_proven(depth, lines) {
                self.conclude(lines);
                break;
            }
            if self.is_budget_spent() || self.enough(depth, stable, dropped) {
                break;
            }
        }
        self.offer_last_warm();
        self.report_last();
        self.done(finished)
    }

    /// Returns the current maximum depth.
    pub(super) fn deepest(&self) -> i32 {
        if self.root_moves.iter().all(|root| root.bias.overlooked) {
            return 1;
        }
        i32::from(self.limits.depth.unwrap_or(u8::MAX)).clamp(1, MAX_PLY as i32 - 8)
    }

    /// Sorts the lines searched so far, and reports it if a later one is better than an earlier.
    pub(super) fn rank_lines(&mut self, depth: i32) {
        let searched = self.line;
        let lines = &mut self.root_moves[..=searched];
        if lines.is_sorted_by_key(|root| -root.score) {
            return;
        }
        lines.sort_by_key(|root| -root.score);
        for line in 0..=searched {
            self.line = line;
            self.report_again(depth, self.root_moves[line].score);
        }
    }

    /// Returns true if the requested mate is found, or all lines end in mates that deeper
    /// iterations cannot change.
    fn is_proven(&self, depth: i32, lines: usize) -> bool {
        if let Some(most) = self.limits.mate {
            // A shorter mate may still be overlooked.
            let found = Score(self.root_moves[0].score).mate_distance();
            return found.is_some_and(|moves| (1..=i32::from(most)).contains(&moves));
        }
        let proven =
            |root: &RootMove| Score(root.score).mate_distance().is_some_and(|moves| is_final(moves, depth));
        self.root_moves[..lines].iter().all(proven)
    }

    /// Reports the lines of an analysis at the maximum depth: some clients wait for a depth.
    fn conclude(&mut self, lines: usize) {
        if self.request.game {
            return;
        }
        for line in 0..lines {
            self.line = line;
            self.say(self.deepest(), self.root_moves[line].score, Bound::Exact, false);
        }
    }

    /// Returns true if the allotted time or nodes demand a move now; always false without either.
    fn enough(&self, depth: i32, stable: i32, dropped: i32) -> bool {
        let best = &self.root_moves[0];
        let forced = self.root_moves.len() == 1 && depth >= TIME_FORCED_DEPTH;
        let mate = Score(best.score).mate_distance().is_some_and(|moves| depth > 2 * moves.abs() + 2);
        if forced || mate {
            return self.past_optimum(0.0);
        }
        if self.past_calm() {
            return true;
        }
        // Less time for a stable best move that takes most of the effort, more for one whose score
        // falls.
        let effort = best.nodes as f32 / self.nodes.max(1) as f32;
        let stability = TIME_UNSTABLE - TIME_STABILITY * stable as f32;
        let scale =
            stability * (TIME_EFFORT_BASE - TIME_EFFORT * effort) * (1.0 + dropped as f32 / TIME_SCORE_DROP);
        self.past_optimum(scale)
    }

    /// Searches one line with a window around its last score, widened where it fails.
    pub(super) fn aspire<P: Searchable>(&mut self, position: &P, depth: i32) {
        let RootMove { last, expected, .. } = self.root_moves[self.line];
        let last = if last == NOT_SEARCHED { expected } else { last };
        let mut delta = ASPIRATION_DELTA;
        let mut window = if depth >= ASPIRATION_DEPTH && last.abs() < Score::MATE_BOUND.0 {
            Window { alpha: last - delta, beta: last + delta, cut: false }
        } else {
            Window { alpha: -Score::INFINITE.0, beta: Score::INFINITE.0, cut: false }
        };
        loop {
            let score = self.search_root(position, depth, window);
            if self.stopped {
                return;
            }
            let line = self.line;
            self.root_moves[line..].sort_by_key(|root| -root.score);
            if score <= window.alpha && window.alpha > -Score::INFINITE.0 {
                self.settled = false;
                self.report_bound(depth, score, Bound::Upper);
                window.beta = (window.alpha + window.beta) / 2;
                window.alpha = (score - delta).max(-Score::INFINITE.0);
            } else if score >= window.beta && window.beta < Score::INFINITE.0 {
                self.root_moves[line].last = score;
                self.report_bound(depth, score, Bound::Lower);
                window.beta = (score + delta).min(Score::INFINITE.0);
            } else {
                self.root_moves[line].last = score;
                self.settled = true;
                self.report(depth, score, Bound::Exact);
                return;
            }
            delta *= 2;
            if delta > ASPIRATION_MAX {
                window = Window { alpha: -Score::INFINITE.0, beta: Score::INFINITE.0, cut: false };
            }
        }
    }

    fn search_root<P: Searchable>(&mut self, position: &P, depth: i32, window: Window) -> i32 {
        let mut alpha = window.alpha;
        let mut best = -Score::INFINITE.0;
        self.stack[0].evaluation = (!position.in_check()).then(|| self.adjustment.evaluate(position));
        self.histories.clear_killers(1);
        for root in &mut self.root_moves[self.line..] {
            root.score = -Score::INFINITE.0;
        }
        for index in self.line..self.root_moves.len() {
            let RootMove { mv, bias, .. } = self.root_moves[index];
            self.root_done = index;
            self.root_current = Some(mv);
            let before = self.nodes;
            let full = Window { alpha, beta: window.beta, cut: false };
            let score = if index == self.line {
                self.try_root_move(position, mv, bias, depth - 1, full)
            } else {
                let narrow = Window { alpha, beta: alpha + 1, cut: true };
                let reduction = self.root_reduction(position, mv, depth, index - self.line);
                let mut score = self.try_root_move(position, mv, bias, depth - 1 - reduction, narrow);
                if score > alpha && reduction > 0 && !self.stopped {
                    score = self.try_root_move(position, mv, bias, depth - 1, narrow);
                }
                if score > alpha && !self.stopped {
                    score = self.try_root_move(position, mv, bias, depth - 1, full);
                }
                score
            };
            if self.stopped {
                return best;
            }
            self.root_moves[index].nodes += self.nodes - before;
            best = best.max(score);
            if score > alpha || index == self.line {
                self.keep_root_line(index, mv, score);
                if index > self.line && score < window.beta {
                    self.report_new_best(depth, index, score);
                }
            }
            alpha = alpha.max(score);
            if alpha >= window.beta {
                break;
            }
        }
        best
    }

    /// Returns the (misjudged) score of a root move in a window from the root's view.
    fn try_root_move<P: Searchable>(
        &mut self,
        position: &P,
        mv: Move,
        bias: Bias,
        depth: i32,
        window: Window,
    ) -> i32 {
        let mut child = *position;
        child.play(mv);
        // Mate and stalemate on the board are never overlooked.
        if bias.overlooked && child.has_legal_move() {
            self.visit();
            self.lines[1][0] = None;
            return bias.apply(-self.adjustment.evaluate(&child));
        }
        let Window { alpha, beta, cut } = window;
        let below = Window { alpha: -bias.remove(beta), beta: -bias.remove(alpha), cut };
        self.stack[0].piece_to = Some(PieceTo::of(position, mv));
        self.keys.push(position.key());
        let score = -self.search(&child, depth, 1, below, true);
        self.keys.pop();
        bias.apply(score)
    }

    fn root_reduction<P: Searchable>(&self, position: &P, mv: Move, depth: i32, number: usize) -> i32 {
        if position.in_check() || position.is_capture(mv) {
            return 0;
        }
        self.lmr.root_reduction(depth, number)
    }

    fn keep_root_line(&mut self, index: usize, mv: Move, score: i32) {
        let below = self.lines[1].iter().map_while(|mv| *mv);
        let root = &mut self.root_moves[index];
        root.score = score;
        root.line.clear();
        root.line.push(mv);
        root.line.extend(below);
    }

    /// Reports a new best move at once: it may be played when time is up.
    fn report_new_best(&mut self, depth: i32, index: usize, score: i32) {
        // Sorted to the front so that an interrupted iteration ends with it.
        let line = self.line;
        self.root_moves[line..=index].rotate_right(1);
        if depth > 4 {
            self.report(depth, score, Bound::Exact);
        }
    }

    fn report_bound(&mut self, depth: i32, score: i32, bound: Bound) {
        if self.gate.elapsed() >= BOUNDS_AFTER && self.request.lines <= 1 {
            self.report(depth, score, bound);
        }
    }

    /// Reports the final move if it was not reported yet.
    fn report_last(&mut self) {
        let RootMove { mv, score, last, .. } = self.root_moves[0];
        self.line = 0;
        if self.best_said == Some(mv) {
            return;
        }
        if score > -Score::INFINITE.0 {
            self.report(self.root_depth, score, Bound::Exact);
        } else if last > -Score::INFINITE.0 {
            self.report(self.root_depth, last, Bound::Lower);
        }
    }

    /// Reports the current line, unless it is a mate that was already reported at a lower depth. In
    /// an analysis only proven mates are left out, as the client may wait for a depth.
    fn report(&mut self, depth: i32, score: i32, bound: Bound) {
        let settled = |moves| self.request.game || is_final(moves, depth);
        let mate = Score(score).mate_distance().is_some_and(settled) && self.request.lines <= 1;
        if mate && bound == Bound::Exact && self.last_exact == Some((score, self.root_moves[self.line].mv)) {
            return;
        }
        self.say(depth, score, bound, false);
    }

    /// Reports a line whose rank has changed again.
    fn report_again(&mut self, depth: i32, score: i32) {
        self.say(depth, score, Bound::Exact, true);
    }

    fn say(&mut self, depth: i32, score: i32, bound: Bound, again: bool) {
        // A new best move that is still best when the iteration ends need not be said twice.
        let said = Some((depth, self.line, score, self.root_moves[self.line].mv, bound));
        if bound == Bound::Exact && self.last_said == said {
            return;
        }
        if self.last_said.is_none() {
            // With many searches the first slice ends with the first variation.
            self.poll_at = self.poll_at.min(self.nodes);
        }
        self.last_said = said;
        if bound == Bound::Exact {
            self.last_exact = Some((score, self.root_moves[self.line].mv));
        }
        if self.line == 0 {
            self.best_said = Some(self.root_moves[0].mv);
        }
        let root = &self.root_moves[self.line];
        let score = self.known.at_root(self.line, depth, Score(root.bias.remove(score)));
        (self.reports)(Report::Info(Info {
            depth: depth as u8,
            selective_depth: (self.selective_depth + 1).min(255) as u8,
            score,
            bound,
            elapsed: self.gate.elapsed(),
            nodes: self.nodes,
            line: (self.line + 1) as u8,
            pv: root.line.clone(),
            again,
            table_usage: self.table.usage(self.epoch),
        }));
    }

    fn done(&self, depth: u8) -> Done {
        let best = &self.root_moves[0];
        let known = [best.score, best.last].into_iter().find(|&score| score > -Score::INFINITE.0);
        let found = known.map_or(Score::DRAW, |score| Score(best.bias.remove(score)));
        let score = self.known.at_root(0, i32::from(depth), found);
        let (nodes, elapsed) = (self.nodes, self.gate.elapsed());
        Done { best: Some(best.mv), ponder: best.line.get(1).copied(), score, depth, nodes, elapsed }
    }
}
