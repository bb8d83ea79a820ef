//! What one running search carries with it, and the small things every node needs.

use super::history::{Histories, Step};
use super::report::{Progress, Report};
use super::request::{Gate, POLL_NODES, Request, Verdict};
use super::root::RootMove;
use super::score::MAX_PLY;
use super::table::Table;
use crate::chess::{Move, Position, Rules};
use std::time::Duration;

/// Progress is reported at most this often.
const PROGRESS_EVERY: Duration = Duration::from_millis(200);

/// The part of a line that a node needs to know of its ancestors.
#[derive(Clone, Copy, Default)]
pub struct Frame {
    /// The move that led from here on; `None` for a null move.
    pub step: Option<Step>,
    /// Static evaluation; `None` in check.
    pub evaluation: Option<i32>,
}

/// An iteration is not finished when so many optima are used up, unless its best move is in trouble. After a ponder
/// hit it may have begun long ago.
const LATE: f32 = 2.5;

/// A running search.
pub struct Worker<'a> {
    pub request: &'a Request,
    pub table: &'a Table,
    pub gate: &'a mut dyn Gate,
    pub reports: &'a mut dyn FnMut(Report),
    pub histories: Histories,
    pub nodes: u64,
    pub selective_depth: usize,
    pub stopped: bool,
    pub epoch: u8,
    pub frames: [Frame; MAX_PLY + 3],
    /// Keys of the game before the root, and then of the line being searched.
    pub keys: Vec<u64>,
    /// The best line found from each ply on.
    pub lines: Box<[[Option<Move>; MAX_PLY + 1]]>,
    pub root_moves: Vec<RootMove>,
    /// Which of several best lines is being searched, from 0.
    pub line: usize,
    pub root_depth: i32,
    pub reductions: &'static [[u8; 64]; 64],
    /// Root moves looked at in this iteration, and the one being looked at.
    pub root_done: usize,
    /// The best move is not known to be worse than it was thought to be.
    pub settled: bool,
    pub root_current: Option<Move>,
    /// Depth, line, score and first move last reported as exact.
    pub last_said: Option<(i32, usize, i32, Move)>,
    next_progress: Duration,
    salt: u64,
}

impl<'a> Worker<'a> {
    pub fn new(
        request: &'a Request,
        table: &'a Table,
        gate: &'a mut dyn Gate,
        reports: &'a mut dyn FnMut(Report),
    ) -> Worker<'a> {
        let mut keys = Vec::with_capacity(request.history.len() + MAX_PLY);
        keys.extend_from_slice(&request.history);
        let variant = request.position.variant() as u64;
        Worker {
            request,
            table,
            gate,
            reports,
            histories: Histories::new(),
            nodes: 0,
            selective_depth: 0,
            stopped: false,
            epoch: table.epoch(),
            frames: [Frame::default(); MAX_PLY + 3],
            keys,
            lines: vec![[None; MAX_PLY + 1]; MAX_PLY + 1].into_boxed_slice(),
            root_moves: Vec::new(),
            line: 0,
            root_depth: 0,
            reductions: super::alpha_beta::reductions(),
            root_done: 0,
            settled: false,
            root_current: None,
            last_said: None,
            next_progress: PROGRESS_EVERY,
            salt: crate::chess::zobrist::mix(request.salt ^ variant << 56),
        }
    }

    /// The table's key of a position: salted, so that sessions and variants do not meet.
    #[inline]
    pub fn table_key<R: Rules>(&self, position: &Position<R>) -> u64 {
        position.key() ^ self.salt
    }

    /// Counts a node; true if the search must end.
    #[inline]
    pub fn visit(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL_NODES) {
            self.poll();
        }
        self.stopped
    }

    #[cold]
    fn poll(&mut self) {
        let out_of_nodes = self.request.limits.nodes.is_some_and(|limit| self.nodes >= limit);
        let late = self.settled && self.gate.past_optimum(LATE);
        if out_of_nodes || late || self.gate.poll() == Verdict::Stop {
            self.stopped = true;
        }
        self.epoch = self.table.epoch();
        self.report_progress();
    }

    fn report_progress(&mut self) {
        let elapsed = self.gate.elapsed();
        if elapsed < self.next_progress || self.stopped {
            return;
        }
        self.next_progress = elapsed + PROGRESS_EVERY;
        let total = self.root_moves.len();
        (self.reports)(Report::Progress(Progress {
            depth: self.root_depth as u8,
            nodes: self.nodes,
            moves_left: total.saturating_sub(self.root_done) as u16,
            moves_total: total as u16,
            current: self.root_current,
        }));
    }

    /// Steps of the line one and two plies before this one.
    #[inline]
    pub fn steps_before(&self, ply: usize) -> [Option<Step>; 2] {
        let step = |back: usize| ply.checked_sub(back).and_then(|earlier| self.frames[earlier].step);
        [step(1), step(2)]
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
