//! Tasks of the pool and their reports.

use crate::chess::{AnyPosition, Move};
use crate::kriegspiel::{self, Proposal, Question};
use crate::search::{self, Contexts, Done, ExternalEngine, Gate, Limits, Progress, Report, Request, Table};
use std::sync::Arc;

/// Work for a thread of the pool.
#[derive(Clone, Debug)]
pub enum Task {
    /// A search by the built-in engine.
    Search(Request),
    /// A search by an external engine. The built-in one takes over if that fails.
    External(Arc<dyn ExternalEngine>, Request),
    /// Counts the leaves of the tree of legal moves.
    Perft {
        /// The root of the tree.
        position: AnyPosition,
        /// Depth of the tree in plies.
        depth: u8,
    },
    /// A turn of the kriegspiel player.
    Kriegspiel {
        /// The player's knowledge.
        question: Box<Question>,
        /// Limits on boards (as nodes) and rounds (as depth).
        limits: Limits,
        /// Seed of random choices.
        seed: u64,
    },
}

/// A report of a running task.
#[derive(Clone, Debug)]
pub enum TaskReport {
    /// A report of a search.
    Search(Report),
    /// The number of leaves below a first move.
    Leaves(Move, u64),
    /// The attempts of the kriegspiel player; replaces an earlier proposal.
    Attempts(Box<Proposal>),
}

impl From<Report> for TaskReport {
    fn from(report: Report) -> TaskReport {
        TaskReport::Search(report)
    }
}

impl TaskReport {
    /// Returns the report with the nodes of helper threads added.
    pub(super) fn with_more(self, more: u64) -> TaskReport {
        match self {
            TaskReport::Search(report) => TaskReport::Search(report.with_more(more)),
            TaskReport::Leaves(..) | TaskReport::Attempts(_) => self,
        }
    }
}

impl Task {
    /// Returns the request, if a position is searched.
    pub fn search(&self) -> Option<&Request> {
        match self {
            Task::Search(request) | Task::External(_, request) => Some(request),
            Task::Perft { .. } | Task::Kriegspiel { .. } => None,
        }
    }

    /// Like [`Task::search`].
    pub fn search_mut(&mut self) -> Option<&mut Request> {
        match self {
            Task::Search(request) | Task::External(_, request) => Some(request),
            Task::Perft { .. } | Task::Kriegspiel { .. } => None,
        }
    }

    /// Returns the limits set when the task was created.
    pub fn limits(&self) -> Limits {
        match self {
            Task::Search(request) | Task::External(_, request) => request.limits,
            Task::Perft { .. } => Limits::default(),
            Task::Kriegspiel { limits, .. } => *limits,
        }
    }

    /// Returns the number of helper threads requested.
    pub(super) fn helpers(&self) -> u8 {
        match self {
            Task::Search(request) => request.helpers,
            Task::External(..) | Task::Perft { .. } | Task::Kriegspiel { .. } => 0,
        }
    }

    /// Returns true if suspending the task costs milliseconds, so that its slices must be long.
    pub(super) fn is_coarse(&self) -> bool {
        matches!(self, Task::External(..))
    }

    /// Runs the task on the calling thread until a limit is reached or the gate stops it.
    pub(super) fn run(
        &self,
        contexts: &Contexts,
        table: &Arc<Table>,
        gate: &mut dyn Gate,
        reports: &mut dyn FnMut(TaskReport),
    ) -> Done {
        let search = |request: &Request, gate: &mut dyn Gate, reports: &mut dyn FnMut(TaskReport)| {
            table.fetch_pages();
            search::search_in(contexts, request, table, gate, &mut |report| reports(report.into()))
        };
        match self {
            Task::Search(request) => search(request, gate, reports),
            Task::External(engine, request) => engine
                .search(request, gate, &mut |report| reports(report.into()))
                .unwrap_or_else(|| search(request, gate, reports)),
            Task::Perft { position, depth } => search::perft(position, *depth, gate, &mut |mv, leaves| {
                reports(TaskReport::Leaves(mv, leaves))
            }),
            Task::Kriegspiel { question, limits, seed } => {
                let done = kriegspiel::answer(question, *seed, *limits, gate, &mut |proposal| {
                    reports(TaskReport::Attempts(Box::new(proposal)));
                });
                let Done { depth, nodes, elapsed, .. } = done;
                let progress =
                    Progress { depth, nodes, elapsed, moves_left: 0, moves_total: 0, current: None };
                reports(Report::Progress(progress).into());
                done
            }
        }
    }
}
