//! Reports of variations and progress.

use super::report::{Bound, Info, Progress, Report};
use super::root_moves::{NOT_SEARCHED, RootMove};
use super::score::Score;
use super::worker::Worker;
use crate::chess::Move;
use std::time::Duration;

/// Minimum interval between progress reports.
const PROGRESS_EVERY: Duration = Duration::from_millis(200);

/// Fail highs and lows are not reported before this time: at low depth they are noise.
const BOUNDS_AFTER: Duration = Duration::from_secs(1);

/// A reported variation.
#[derive(Clone, Copy, PartialEq)]
struct Reported {
    depth: i32,
    line: usize,
    score: i32,
    mv: Move,
    bound: Bound,
}

/// The receiver of reports, and what it has received.
pub(super) struct Reporter<'a> {
    reports: &'a mut dyn FnMut(Report),
    last: Option<Reported>,
    /// The last variation with an exact score.
    last_exact: Option<Reported>,
    /// First move of the best line last reported.
    best: Option<Move>,
    next_progress: Duration,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(reports: &'a mut dyn FnMut(Report)) -> Reporter<'a> {
        Reporter { reports, last: None, last_exact: None, best: None, next_progress: PROGRESS_EVERY }
    }

    pub(super) fn send(&mut self, report: Report) {
        (self.reports)(report);
    }

    /// Returns true if no variation has been reported.
    pub(super) fn is_silent(&self) -> bool {
        self.last.is_none()
    }

    /// Schedules the next progress report after one at this time.
    pub(super) fn postpone_progress(&mut self, elapsed: Duration) {
        self.next_progress = elapsed + PROGRESS_EVERY;
    }
}

/// Returns true if a mate in `moves` moves (negative: against the side on move) can no longer
/// change at higher depths. That is certain for a mate in one; a longer one is reliable when depth
/// exceeds all reductions on its way.
pub(super) fn is_final(moves: i32, depth: i32) -> bool {
    moves.abs() <= 1 || depth >= 4 * moves.abs() + 4
}

impl Worker<'_> {
    /// Reports progress if it is due.
    pub(super) fn report_progress(&mut self) {
        let elapsed = self.pace.elapsed();
        if elapsed >= self.reporter.next_progress && !self.pace.is_stopped() {
            self.reporter.postpone_progress(elapsed);
            self.report_progress_at(elapsed);
        }
    }

    /// Reports progress at this time.
    pub(super) fn report_progress_at(&mut self, elapsed: Duration) {
        let total = self.root.moves.len();
        self.reporter.send(Report::Progress(Progress {
            depth: self.root.depth as u8,
            nodes: self.pace.nodes(),
            elapsed,
            moves_left: total.saturating_sub(self.root.searched) as u16,
            moves_total: total as u16,
            current: self.root.current,
        }));
    }

    /// Reports a fail high or low of the only line.
    pub(super) fn report_bound(&mut self, score: i32, bound: Bound) {
        if self.pace.elapsed() >= BOUNDS_AFTER && self.request.first_moves.lines <= 1 {
            self.report(score, bound);
        }
    }

    /// Reports the final move if it was not reported yet.
    pub(super) fn report_last(&mut self) {
        let RootMove { mv, score, last, .. } = *self.root.best();
        self.root.line = 0;
        if self.reporter.best == Some(mv) {
            return;
        }
        if score > NOT_SEARCHED {
            self.report(score, Bound::Exact);
        } else if last > NOT_SEARCHED {
            self.report(last, Bound::Lower);
        }
    }

    /// Reports the current line, unless it is a mate that was already reported at a lower depth. In
    /// an analysis only proven mates are left out, as the client may wait for a depth.
    pub(super) fn report(&mut self, score: i32, bound: Bound) {
        let depth = self.root.depth;
        let settled = |moves| self.request.game || is_final(moves, depth);
        let mate = Score(score).mate_distance().is_some_and(settled) && self.request.first_moves.lines <= 1;
        let mv = self.root.moves[self.root.line].mv;
        let known = |last: Reported| (last.score, last.mv) == (score, mv);
        if mate && bound == Bound::Exact && self.reporter.last_exact.is_some_and(known) {
            return;
        }
        self.report_line(depth, score, bound, false);
    }

    /// Reports the current line; `again` if only its rank is new.
    pub(super) fn report_line(&mut self, depth: i32, score: i32, bound: Bound, again: bool) {
        let line = self.root.line;
        let root = &self.root.moves[line];
        // A new best move that is still best when the iteration ends need not be reported twice.
        let reported = Some(Reported { depth, line, score, mv: root.mv, bound });
        if bound == Bound::Exact && self.reporter.last == reported {
            return;
        }
        if self.reporter.is_silent() {
            // With many searches the first slice ends with the first variation.
            self.pace.poll_soon();
        }
        self.reporter.last = reported;
        if bound == Bound::Exact {
            self.reporter.last_exact = reported;
        }
        if line == 0 {
            self.reporter.best = Some(root.mv);
        }
        self.reporter.send(Report::Info(Info {
            depth: depth as u8,
            selective_depth: (self.root.selective_depth + 1).min(255) as u8,
            score: self.known.at_root(line, depth, Score(root.bias.remove(score))),
            bound,
            elapsed: self.pace.elapsed(),
            nodes: self.pace.nodes(),
            line: (line + 1) as u8,
            pv: root.line.clone(),
            again,
            table_usage: self.table.usage(),
        }));
    }
}
