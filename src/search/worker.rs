//! What one running search carries with it, and the small things every node needs.

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

/// Progress is reported at most this often.
const PROGRESS_EVERY: Duration = Duration::from_millis(200);

/// The part of a line that a node needs to know of its ancestors.
#[derive(Clone, Copy, Default)]
pub struct StackEntry {
    /// The move that led from here on; `None` for a null move.
    pub piece_to: Option<PieceTo>,
    /// Static evaluation; `None` in check.
    pub evaluation: Option<i32>,
    /// The move that is left out, while it is found out whether it is singular.
    pub excluded: Option<Move>,
    /// Double extensions on the way here.
    pub doubles: u8,
    /// Moves at this ply that were good enough since the node two plies above began.
    pub cutoffs: u8,
}

/// An iteration is not finished when this multiple of the optimum is used up, unless its best move is in trouble. After a ponder
/// hit it may have begun long ago.
const MAX_OPTIMA: f32 = 2.5;

/// The largest contempt, in centipawns.
const MOST_CONTEMPT: i32 = 20_000;

/// A running search.
pub struct Worker<'a> {
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
    /// Keys of the game before the root, and then of the line being searched.
    pub keys: Vec<u64>,
    /// The first key that can be repeated: the one after the last null move.
    pub repeatable: usize,
    /// The best line found from each ply on.
    pub lines: Lines,
    pub root_moves: Vec<RootMove>,
    /// Which of several best lines is being searched, from 0.
    pub line: usize,
    pub root_depth: i32,
    pub lmr: Lmr,
    /// Root moves looked at in this iteration, and the one being looked at.
    pub root_done: usize,
    /// The best move is not known to be worse than it was thought to be.
    pub settled: bool,
    /// The best move, if it and its score have been stable for some iterations.
    pub calm: Option<Move>,
    pub root_current: Option<Move>,
    /// At this many nodes what the table was thought to know is given up.
    pub patience: u64,
    /// The search is stopped for that reason alone: the gate has not asked for it.
    pub lost_patience: bool,
    /// Depth, line, score, first move and bound last reported.
    pub last_said: Option<(i32, usize, i32, Move, Bound)>,
    /// Score and move of the last line that was said and was no bound.
    pub last_exact: Option<(i32, Move)>,
    /// The first move of the best line last reported.
    pub best_said: Option<Move>,
    next_progress: Duration,
    pub offers: Offers,
    /// The limits as the gate last gave them.
    pub limits: Limits,
    /// Nodes at which the gate must be polled before the next one.
    pub poll_at: u64,
    /// Nodes that a player of limited strength spends on a move, each of its lines counted.
    budget: u64,
    salt: u64,
    pub known: KnownScores,
    pub adjustment: Adjustment,
    /// What a draw is worth to the side on move at the root, in centipawns.
    pub draw: i32,
    /// The side on move at the root.
    pub root_side: Color,
}

impl<'a> Worker<'a> {
    pub fn new(
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

    /// What the next search can work in.
    pub fn into_scratch(self) -> Scratch {
        Scratch { histories: self.histories, corrections: self.corrections, lines: self.lines }
    }

    /// The table's key of a position: salted, so that sessions and variants do not meet.
    #[inline]
    pub fn table_key<P: Searchable>(&self, position: &P) -> u64 {
        position.key() ^ self.salt
    }

    /// Counts a node; or true, if the search must end without it.
    #[inline]
    pub fn visit(&mut self) -> bool {
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

    /// Whether the limits are others by now, and end the search in the middle of an iteration.
    fn look_at_limits(&mut self) {
        let limits = self.gate.limits(self.request.limits);
        if limits == std::mem::replace(&mut self.limits, limits) {
            return;
        }
        self.poll_at = self.poll_at.min(limits.nodes.unwrap_or(u64::MAX).max(self.nodes));
        self.stopped |= self.root_depth > self.deepest();
    }

    /// Asks whether to go on, which may take long. Reports progress before: else the client would not hear of what it did
    /// before it has another turn.
    fn ask_gate(&mut self) -> Verdict {
        if !self.gate.pauses() {
            return self.gate.poll(self.nodes);
        }
        if self.patience != u64::MAX && self.last_said.is_none() && self.offers.nodes_before == 0 {
            // Something shallow can be shown before the others have their turns.
            (self.stopped, self.lost_patience) = (true, true);
            return Verdict::Continue;
        }
        self.say_progress(self.gate.elapsed());
        let verdict = self.gate.poll(self.nodes);
        self.next_progress = self.gate.elapsed() + PROGRESS_EVERY;
        verdict
    }

    /// Whether a player of limited strength has spent what it has on this move.
    pub fn is_budget_spent(&self) -> bool {
        self.nodes >= self.budget
    }

    /// Whether `scale` times the optimum is used up, of time or of nodes.
    pub fn past_optimum(&self, scale: f32) -> bool {
        let enough = |optimum| self.nodes as f32 >= optimum as f32 * scale;
        self.limits.optimum_nodes.is_some_and(enough) || self.gate.past_optimum(scale)
    }

    /// Whether a search with a stable best move has used up the time that such a search may have.
    pub fn past_calm(&self) -> bool {
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

    /// The moves of the line one, two and four plies before this one.
    #[inline]
    pub fn moves_before(&self, ply: usize) -> MovesBefore {
        let piece_to = |back: usize| ply.checked_sub(back).and_then(|earlier| self.stack[earlier].piece_to);
        [piece_to(1), piece_to(2), piece_to(4)]
    }

    /// Puts a move in front of the best line of the ply below.
    pub fn extend_line(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line[0] = Some(mv);
        let rest = lower.first().map_or(&[][..], |below| &below[..MAX_PLY]);
        line[1..=rest.len()].copy_from_slice(rest);
    }
}
