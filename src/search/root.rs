//! The root: iterative deepening, aspiration windows, MultiPV, and when to stop.

use super::handicap::Bias;
use super::params::{
    ASPIRATION_DELTA, ASPIRATION_DEPTH, ASPIRATION_MAX, TIME_EFFORT, TIME_EFFORT_BASE, TIME_FORCED_DEPTH,
    TIME_SCORE_DROP, TIME_STABILITY, TIME_UNSTABLE,
};
use super::report::{Bound, Done};
use super::reporter::is_final;
use super::request::ThreadRole;
use super::root_moves::{NOT_SEARCHED, Root, RootMove};
use super::score::Score;
use super::searchable::Searchable;
use super::window::Window;
use super::worker::Worker;
use crate::chess::Move;

/// Returns true if a helper skips this depth, to be ahead of the others, which find its entries
/// later. Two helpers skip alternate depths; further pairs do so at longer intervals.
fn leaves_out(thread: ThreadRole, depth: i32) -> bool {
    let ThreadRole::Helper(helper) = thread else { return false };
    let pair = (i32::from(helper) + 1) / 2;
    depth > 1 && (depth / pair + i32::from(helper)) % 2 == 0
}

impl Worker<'_> {
    /// Deepens iteratively until a limit is reached or the gate stops the search.
    pub(super) fn deepen<P: Searchable>(&mut self, position: &P) -> Done {
        self.scratch.histories.fit::<P>();
        self.root = Root::new(position, self.request);
        if self.root.moves.is_empty() {
            return Done::without_move(0, 0, self.pace.elapsed());
        }
        let lines = usize::from(self.request.first_moves.lines).clamp(1, self.root.moves.len());
        self.take_warm(position);
        let mut finished = self.resume(position, lines, self.deepest());
        if finished > 0 {
            self.note_done(finished as u8);
        }
        let mut depth = finished;
        while depth < self.deepest() && !self.pace.is_stopped() {
            depth += 1;
            if leaves_out(self.request.thread, depth) {
                continue;
            }
            if !self.iterate(position, depth, lines) {
                break;
            }
            finished = depth;
            if self.is_proven(depth, lines) {
                self.conclude(lines);
                break;
            }
            if self.pace.is_budget_spent() || self.is_enough() {
                break;
            }
        }
        self.offer_last_warm();
        self.report_last();
        self.done(finished as u8)
    }

    /// Searches all lines at one depth. Returns false if the search was stopped.
    fn iterate<P: Searchable>(&mut self, position: &P, depth: i32, lines: usize) -> bool {
        self.root.depth = depth;
        self.root.settled = depth > 1;
        for line in 0..lines {
            self.root.begin_line(line);
            self.aspire(position, depth);
            if self.pace.is_stopped() {
                return false;
            }
            self.rank_lines(depth);
        }
        self.remember(position, depth);
        self.note_done(depth as u8);
        self.root.note_iteration();
        true
    }

    /// Sorts the lines searched so far, and reports it if a later one is better than an earlier.
    pub(super) fn rank_lines(&mut self, depth: i32) {
        let searched = self.root.line;
        let lines = &mut self.root.moves[..=searched];
        if lines.is_sorted_by_key(|root| -root.score) {
            return;
        }
        lines.sort_by_key(|root| -root.score);
        for line in 0..=searched {
            self.root.line = line;
            self.report_line(depth, self.root.moves[line].score, Bound::Exact, true);
        }
    }

    /// Returns true if the requested mate is found, or all lines end in mates that deeper
    /// iterations cannot change.
    fn is_proven(&self, depth: i32, lines: usize) -> bool {
        let mate = |root: &RootMove| Score(root.score).mate_distance();
        if let Some(most) = self.pace.limits().mate {
            // A shorter mate may still be overlooked.
            return mate(self.root.best()).is_some_and(|moves| (1..=i32::from(most)).contains(&moves));
        }
        let proven = |root| mate(root).is_some_and(|moves| is_final(moves, depth));
        self.root.moves[..lines].iter().all(proven)
    }

    /// Reports the lines of an analysis at the maximum depth: some clients wait for a depth.
    fn conclude(&mut self, lines: usize) {
        if self.request.game {
            return;
        }
        for line in 0..lines {
            self.root.line = line;
            self.report_line(self.deepest(), self.root.moves[line].score, Bound::Exact, false);
        }
    }

    /// Returns true if the allotted time or nodes demand a move now; always false without either.
    fn is_enough(&self) -> bool {
        let (best, depth) = (self.root.best(), self.root.depth);
        let forced = self.root.moves.len() == 1 && depth >= TIME_FORCED_DEPTH;
        let mate = Score(best.score).mate_distance().is_some_and(|moves| depth > 2 * moves.abs() + 2);
        if forced || mate {
            return self.pace.past_optimum(0.0);
        }
        if self.root.is_calm() && self.pace.past_calm() {
            return true;
        }
        // Less time for a stable best move that takes most of the effort, more for one whose score
        // falls.
        let effort = best.nodes as f32 / self.pace.nodes().max(1) as f32;
        let (iterations, dropped) = (self.root.stability.iterations, self.root.stability.dropped);
        let stability = TIME_UNSTABLE - TIME_STABILITY * iterations as f32;
        let scale =
            stability * (TIME_EFFORT_BASE - TIME_EFFORT * effort) * (1.0 + dropped as f32 / TIME_SCORE_DROP);
        self.pace.past_optimum(scale)
    }

    /// Searches one line with a window around its last score, widened where it fails.
    pub(super) fn aspire<P: Searchable>(&mut self, position: &P, depth: i32) {
        let line = self.root.line;
        let RootMove { last, expected, .. } = self.root.moves[line];
        let last = if last == NOT_SEARCHED { expected } else { last };
        let mut delta = ASPIRATION_DELTA;
        let mut window = if depth >= ASPIRATION_DEPTH && last.abs() < Score::MATE_BOUND.0 {
            Window { alpha: last - delta, beta: last + delta, cut: false }
        } else {
            Window::FULL
        };
        loop {
            let score = self.search_root(position, depth, window);
            if self.pace.is_stopped() {
                return;
            }
            self.root.moves[line..].sort_by_key(|root| -root.score);
            if score <= window.alpha && window.alpha > -Score::INFINITE.0 {
                self.root.settled = false;
                self.report_bound(score, Bound::Upper);
                window.beta = (window.alpha + window.beta) / 2;
                window.alpha = (score - delta).max(-Score::INFINITE.0);
            } else if score >= window.beta && window.beta < Score::INFINITE.0 {
                self.root.moves[line].last = score;
                self.report_bound(score, Bound::Lower);
                window.beta = (score + delta).min(Score::INFINITE.0);
            } else {
                self.root.moves[line].last = score;
                self.root.settled = true;
                self.report(score, Bound::Exact);
                return;
            }
            delta *= 2;
            if delta > ASPIRATION_MAX {
                window = Window::FULL;
            }
        }
    }

    fn search_root<P: Searchable>(&mut self, position: &P, depth: i32, window: Window) -> i32 {
        let mut alpha = window.alpha;
        let mut best = NOT_SEARCHED;
        self.path[0].evaluation = (!position.in_check()).then(|| self.adjustment.evaluate(position));
        self.scratch.histories.clear_killers(1);
        let line = self.root.line;
        self.root.moves[line..].iter_mut().for_each(|root| root.score = NOT_SEARCHED);
        for index in line..self.root.moves.len() {
            (self.root.searched, self.root.current) = (index, Some(self.root.moves[index].mv));
            let before = self.pace.nodes();
            let score = self.search_root_move(position, index, depth, Window { alpha, ..window });
            if self.pace.is_stopped() {
                return best;
            }
            self.root.moves[index].nodes += self.pace.nodes() - before;
            best = best.max(score);
            if score > alpha || index == line {
                self.root.keep_line(index, score, self.scratch.lines.of(1));
                if index > line && score < window.beta {
                    // Sorted to the front so that an interrupted iteration ends with it.
                    self.root.moves[line..=index].rotate_right(1);
                    // Reported at once, as it may be played when time is up.
                    if depth > 4 {
                        self.report(score, Bound::Exact);
                    }
                }
            }
            alpha = alpha.max(score);
            if alpha >= window.beta {
                break;
            }
        }
        best
    }

    /// Returns the score of a root move: the first one searched fully, later ones reduced and with
    /// a null window until they prove better.
    fn search_root_move<P: Searchable>(
        &mut self,
        position: &P,
        index: usize,
        depth: i32,
        full: Window,
    ) -> i32 {
        let RootMove { mv, bias, .. } = self.root.moves[index];
        let alpha = full.alpha;
        let number = index - self.root.line;
        let mut score = alpha + 1;
        if number > 0 {
            let narrow = Window { alpha, beta: alpha + 1, cut: true };
            let reducible = !position.in_check() && !position.is_capture(mv);
            let reduction = if reducible { self.lmr.root_reduction(depth, number) } else { 0 };
            score = self.try_root_move(position, mv, bias, depth - 1 - reduction, narrow);
            if score > alpha && reduction > 0 && !self.pace.is_stopped() {
                score = self.try_root_move(position, mv, bias, depth - 1, narrow);
            }
        }
        if score > alpha && !self.pace.is_stopped() {
            score = self.try_root_move(position, mv, bias, depth - 1, full);
        }
        score
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
        let child = self.play(position, 0, mv);
        // Mate and stalemate on the board are never overlooked.
        let score = if bias.overlooked && child.has_legal_move() {
            self.visit();
            self.scratch.lines.clear(1);
            -self.adjustment.evaluate(&child)
        } else {
            let Window { alpha, beta, cut } = window;
            let below = Window { alpha: -bias.remove(beta), beta: -bias.remove(alpha), cut };
            -self.search(&child, depth, 1, below, true)
        };
        self.path.take_back();
        bias.apply(score)
    }

    fn done(&self, depth: u8) -> Done {
        let best = self.root.best();
        let known = [best.score, best.last].into_iter().find(|&score| score > NOT_SEARCHED);
        let found = known.map_or(Score::DRAW, |score| Score(best.bias.remove(score)));
        Done {
            best: Some(best.mv),
            ponder: best.line.get(1).copied(),
            score: self.known.at_root(0, i32::from(depth), found),
            ..Done::without_move(depth, self.pace.nodes(), self.pace.elapsed())
        }
    }
}
