//! The state of a running search, and operations of every node.

use super::adjustment::Adjustment;
use super::correction::Corrections;
use super::history::{Histories, MovesBefore, PieceTo};
use super::known_scores::KnownScores;
use super::lmr::Lmr;
use super::report::{Bound, Progress, Report};
use super::request::{Gate, Limits, POLL_NODES, Request, Verdict};
use super::root_move::RootMove;
use super::score::MAX_PLY;
use super::scratch::{Lines, Scratch};
use super::searchable::Searchable;
use super::table::{Region, Table};
use super::warm::Offers;
use crate::chess::{Color, Move};
use std::time::Duration;

/// Minimum interval between progress reports.
const PROGRESS_EVERY: Duration = Duration::from_millis(200);

/// A node's data needed by its descendants.
#[derive(Clone, Copy, Default)]
pub(super) struct StackEntry {
    /// The move played from here; `None` for a null move.
    pub piece_to: Option<PieceTo>,
    /// Static evaluation; `None` in check.
    pub evaluation: Option<i32>,
    /// The move excluded to test whether it is singular.
    pub excluded: Option<Move>,
    /// Number of double extensions on the way here.
    pub doubles: u8,
    /// Number of cutoffs at this ply since the node two plies above began.
    pub cutoffs: u8,
}

/// Multiple of the optimum at which an iteration is stopped, unless its best move is failing. After
/// a ponder hit it may have begun long ago.
const MAX_OPTIMA: f32 = 2.5;

/// Maximum contempt in centipawns.
const MOST_CONTEMPT: i32 = 20_000;

/// A running search.
pub(super) struct Worker<'a> {
    pub request: &'a Request,
    pub table: Region<'a>,
    pub gate: &'a mut dyn Gate,
    pub reports: &'a mut dyn FnMut(Report),
    pub histories: Histories,
    pub corrections: Corrections,
    pub nodes: u64,
    pub selective_depth: usize,
    pub stopped: bool,
    pub epoch: u8,
    pub stack: [StackEntry; MAX_PLY + 3],
    /// Keys of the game before the root, then of the current line.
    pub keys: Vec<u64>,
    /// Index of the first key that can be repeated: the one after the last null move.
    pub repeatable: usize,
    /// The best line from each ply on.
    pub lines: Lines,
    pub root_moves: Vec<RootMove>,
    /// Index of the line being searched (MultiPV).
    pub line: usize,
    pub root_depth: i32,
    pub lmr: Lmr,
    /// Number of root moves searched in this iteration, including the current one.
    pub root_done: usize,
    /// Whether the best move is not known to be worse than expected.
    pub settled: bool,
    /// The best move, if it and its score have been stable for some iterations.
    pub calm: Option<Move>,
    pub root_current: Option<Move>,
    /// Number of nodes at which resuming is given up.
    pub patience: u64,
    /// Whether the search is stopped only for that reason, not by the gate.
    pub lost_patience: bool,
    /// Depth, line, score, first move and bound last reported.
    pub last_said: Option<(i32, usize, i32, Move, Bound)>,
    /// Score and move of the last line that was said and was no bound.
    pub last_exact: Option<(i32, Move)>,
    /// First move of the best line last reported.
    pub best_said: Option<Move>,
    next_progress: Duration,
    pub offers: Offers,
    /// The limits last returned by the gate.
    pub limits: Limits,
    /// Number of nodes at which the gate must be polled.
    pub poll_at: u64,
    /// Number of nodes that a player of limited strength spends on a move, for all lines.
    budget: u64,
    salt: u64,
    pub known: KnownScores,
    pub adjustment: Adjustment,
    /// Score of a draw for the side on move at the root, in centipawns.
    pub draw: i32,
    /// The side on move at the root.
    pub root_side: Color,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        request: &'a Request,
        table: &'a Table,
        gate: &'a mut dyn Gate,
        reports: &'a mut dyn FnMut(Report),
        scratch: Scratch,
    ) -> Worker<'a> {
        let table = table.region(request.salt, request.memory, request.game);
        let mut keys = Vec::with_capacity(request.history.len() + MAX_PLY);
        keys.extend_from_slice(&request.history);
        let limits = gate.limits(request.limits);
        let node_limit = limits.nodes.unwrap_or(u64::MAX);
        let budget = request
            .strength
            .map_or(u64::MAX, |strength| strength.means().nodes * u64::from(request.lines.max(1)));
        Worker {
            request,
            table,
            gate,
            reports,
            histories: scratch.histories,
            corrections: scratch.corrections,
            nodes: 0,
            selective_depth: 0,
            stopped: false,
            epoch: table.epoch(),
            stack: [StackEntry::default(); MAX_PLY + 3],
            keys,
            repeatable: 0,
            lines: scratch.lines,
            root_moves: Vec::new(),
            line: 0,
            root_depth: 0,
            lmr: Lmr::new(),
            root_done: 0,
            settled: false,
            calm: None,
            root_current: None,
            patience: u64::MAX,
            lost_patience: false,
            last_said: None,
            last_exact: None,
            best_said: None,
            next_progress: PROGRESS_EVERY,
            offers: Offers::NONE,
            limits,
            poll_at: POLL_NODES.min(node_limit).min(budget),
            budget,
            salt: super::table_salt::salt(request),
            known: KnownScores::of(request),
            adjustment: Adjustment::of(request),
            draw: (-i32::from(request.contempt)).clamp(-MOST_CONTEMPT, MOST_CONTEMPT),
            root_side: request.position.turn(),
        }
    }

    /// Returns the memory for the next search.
    pub(super) fn into_scratch(self) -> Scratch {
        Scratch { histories: self.histories, corrections: self.corrections, lines: self.lines }
    }

    /// Returns the table key of a position, salted so that sessions and variants do not share
    /// entries.
    #[inline]
    pub(super) fn table_key<P: Searchable>(&self, position: &P) -> u64 {
        position.key() ^ self.salt
    }

    /// Counts a node. Returns true if the search must end without it.
    #[inline]
    pub(super) fn visit(&mut self) -> bool {
        if self.nodes >= self.poll_at && !self.stopped {
            self.poll();
        }
        self.nodes += u64::from(!self.stopped);
        self.stopped
    }

    #[cold]
    fn poll(&mut self) {
        let node_limit = self.limits.nodes.unwrap_or(u64::MAX);
        let budget = if self.is_budget_spent() { u64::MAX } else { self.budget };
        self.poll_at = (self.nodes + POLL_NODES).min(node_limit).min(budget);
        let late = self.settled && (self.past_optimum(MAX_OPTIMA) || self.past_calm());
        let spent = self.nodes >= node_limit || self.root_depth > 1 && self.is_budget_spent();
        if spent || late || self.ask_gate() == Verdict::Stop {
            self.stopped = true;
        } else if self.nodes >= self.patience {
            (self.stopped, self.lost_patience) = (true, true);
        }
        self.look_at_limits();
        self.epoch = self.table.epoch();
        self.report_progress();
        self.offer_warm();
    }

    /// Applies changed limits; may stop the search in mid-iteration.
    fn look_at_limits(&mut self) {
        let limits = self.gate.limits(self.request.limits);
        if limits == std::mem::replace(&mut self.limits, limits) {
            return;
        }
        self.poll_at = self.poll_at.min(limits.nodes.unwrap_or(u64::MAX).max(self.nodes));
        self.stopped |= self.root_depth > self.deepest();
    }

    /// Polls the gate, which may block. Reports progress before, which the client would otherwise
    /// see only after the next slice.
    fn ask_gate(&mut self) -> Verdict {
        if !self.gate.pauses() {
            return self.gate.poll(self.nodes);
        }
        if self.patience != u64::MAX && self.last_said.is_none() && self.offers.nodes_before == 0 {
            // Something shallow can be shown before other searches run.
            (self.stopped, self.lost_patience) = (true, true);
            return Verdict::Continue;
        }
        self.say_progress(self.gate.elapsed());
        let verdict = self.gate.poll(self.nodes);
        self.next_progress = self.gate.elapsed() + PROGRESS_EVERY;
        verdict
    }

    /// Returns true if a player of limited strength has used up its nodes for this move.
    pub(super) fn is_budget_spent(&self) -> bool {
        self.nodes >= self.budget
    }

    /// Returns true if `scale` times the optimum of time or nodes is used up.
    pub(super) fn past_optimum(&self, scale: f32) -> bool {
        let enough = |optimum| self.nodes as f32 >= optimum as f32 * scale;
        self.limits.optimum_nodes.is_some_and(enough) || self.gate.past_optimum(scale)
    }

    /// Returns true if the time for a search with a stable best move is used up.
    pub(super) fn past_calm(&self) -> bool {
        self.calm.is_some_and(|best| self.root_moves[0].mv == best) && self.gate.past_calm()
    }

    fn report_progress(&mut self) {
        let elapsed = self.gate.elapsed();
        if elapsed >= self.next_progress && !self.stopped {
            self.next_progress = elapsed + PROGRESS_EVERY;
            self.say_progress(elapsed);
        }
    }

    fn say_progress(&mut self, elapsed: Duration) {
        let total = self.root_moves.len();
        (self.reports)(Report::Progress(Progress {
            depth: self.root_depth as u8,
            nodes: self.nodes,
            elapsed,
            moves_left: total.saturating_sub(self.root_done) as u16,
            moves_total: total as u16,
            current: self.root_current,
        }));
    }

    /// Returns the moves of the line one, two and four plies before this one.
    #[inline]
    pub(super) fn moves_before(&self, ply: usize) -> MovesBefore {
        let piece_to = |back: usize| ply.checked_sub(back).and_then(|earlier| self.stack[earlier].piece_to);
        [piece_to(1), piece_to(2), piece_to(4)]
    }

    /// Puts a move in front of the best line of the ply below.
    pub(super) fn extend_line(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line[0] = Some(mv);
        let rest = lower.first().map_or(&[][..], |below| &below[..MAX_PLY]);
        line[1..=rest.len()].copy_from_slice(rest);
    }
}
