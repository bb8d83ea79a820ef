//! Tasks of the pool.

use super::{SearchBudget, SearchEvent, Timebase};
use crate::chess::AnyPosition;
use crate::kriegspiel::{self, Question};
use crate::search::{self, Done, ExternalEngine, Gate, Limits, Progress, Report, Request, Table};
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
            Task::Search(request) => request.thread.helpers(),
            Task::External(..) | Task::Perft { .. } | Task::Kriegspiel { .. } => 0,
        }
    }

    /// Returns true if suspending the task costs milliseconds, so that its slices must be long.
    pub(super) fn is_coarse(&self) -> bool {
        matches!(self, Task::External(..))
    }

    /// The budget by the clock that can count for the task: the thread of an external engine's
    /// search uses hardly any CPU time.
    pub(super) fn counted(&self, budget: SearchBudget) -> SearchBudget {
        match self {
            Task::External(..) => SearchBudget { timebase: Timebase::Wall, ..budget },
            Task::Search(_) | Task::Perft { .. } | Task::Kriegspiel { .. } => budget,
        }
    }

    /// Runs the task on the calling thread until a limit is reached or the gate stops it.
    pub(super) fn run(
        &self,
        table: &Arc<Table>,
        gate: &mut dyn Gate,
        reports: &mut dyn FnMut(SearchEvent),
    ) -> Done {
        let search = |request: &Request, gate: &mut dyn Gate, reports: &mut dyn FnMut(SearchEvent)| {
            table.fetch_pages();
            search::search(request, table, gate, &mut |report| reports(report.into()))
        };
        match self {
            Task::Search(request) => search(request, gate, reports),
            Task::External(engine, request) => engine
                .search(request, gate, &mut |report| reports(report.into()))
                .unwrap_or_else(|| search(request, gate, reports)),
            Task::Perft { position, depth } => search::perft(position, *depth, gate, &mut |mv, leaves| {
                reports(SearchEvent::Leaves(mv, leaves))
            }),
            Task::Kriegspiel { question, limits, seed } => {
                let done = kriegspiel::answer(question, *seed, *limits, gate, &mut |proposal| {
                    reports(SearchEvent::Attempts(Box::new(proposal)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Variant;
    use crate::pool::Class;
    use std::time::Instant;

    #[derive(Debug)]
    struct Elsewhere;

    impl ExternalEngine for Elsewhere {
        fn search(&self, _: &Request, _: &mut dyn Gate, _: &mut dyn FnMut(Report)) -> Option<Done> {
            None
        }
    }

    #[test]
    fn the_servers_processor_time_does_not_count_for_another_process() {
        let request = Request::of(AnyPosition::start(Variant::NORMAL));
        let timebase = Timebase::Processor;
        let since = Instant::now();
        let budget = SearchBudget { class: Class::Reply, since, allotment: None, limits: None, timebase };
        let external = Task::External(Arc::new(Elsewhere), request.clone());
        assert_eq!(external.counted(budget), SearchBudget { timebase: Timebase::Wall, ..budget });
        assert_eq!(Task::Search(request).counted(budget), budget);
    }
}
