//! A pool without threads: the real scheduler selects the running searches, and the seed determines
//! the result of a search; shallow iterations are fast.

use farboard::chess::kriegspiel::Attempt;
use farboard::chess::{AnyPosition, Move};
use farboard::kriegspiel::Proposal;
use farboard::pool::{
    Decision, JobId, Scheduler, SearchBudget, SearchEvent, SearchId, SearchOrder, SearchParams, Shortage,
    Source, Task,
};
use farboard::random::mix;
use farboard::search::{Bound, Done, Info, Report, RootPosition, Score};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Searches that run at a time.
const TOKENS: usize = 2;
/// The deepest iteration.
const MAX_DEPTH: u8 = 40;
/// Time until the first iteration is done.
const FIRST_DEPTH: Duration = Duration::from_millis(2);
/// Nodes in a millisecond.
const SPEED: u64 = 1000;

/// An event of a search.
pub type News = (JobId, SearchEvent);

struct Job {
    task: Box<Task>,
    /// The position on the board, which the kriegspiel player does not see.
    root: RootPosition,
    budget: SearchBudget,
    depth: u8,
    /// Time with a token, up to `running`.
    worked: Duration,
    /// Start and end of the current token.
    running: Option<(Instant, Instant)>,
    gives_up_after_variation: bool,
}

pub struct Pool {
    seed: u64,
    scheduler: Scheduler,
    jobs: BTreeMap<JobId, Job>,
    /// Events added by a planted defect.
    pub late: Vec<News>,
}

/// The best move of a position for a seed.
pub fn best_move(seed: u64, root: &RootPosition, excluded: &[Move]) -> Option<Move> {
    let mut moves = root.legal_moves();
    moves.retain(|mv| !excluded.contains(mv));
    let count = moves.len() as u64;
    (count > 0).then(|| moves[(mix(root.key() ^ seed) % count) as usize])
}

/// Time until an iteration is finished.
fn cost(depth: u8) -> Duration {
    FIRST_DEPTH.mul_f64(1.6_f64.powi(i32::from(depth) - 1))
}

impl Job {
    fn excluded(&self) -> &[Move] {
        self.task.search().map_or(&[], |request| &request.first_moves.excluded)
    }

    fn worked(&self, now: Instant) -> Duration {
        self.worked + self.running.map_or(Duration::ZERO, |(since, _)| now.saturating_duration_since(since))
    }

    /// When its next event happens.
    fn wake(&self) -> Option<Instant> {
        let (since, until) = self.running?;
        let depth = since + cost(self.depth + 1).saturating_sub(self.worked);
        let deadline = self.budget.deadline().unwrap_or(depth);
        Some(depth.min(deadline).min(until).max(since))
    }

    fn done(&self, seed: u64, now: Instant) -> Done {
        let best = best_move(seed, &self.root, self.excluded());
        Done {
            best,
            ponder: self.reply(seed, best),
            score: Score(30),
            depth: self.depth,
            nodes: self.nodes(now),
            elapsed: now.saturating_duration_since(self.budget.since),
        }
    }

    fn nodes(&self, now: Instant) -> u64 {
        self.worked(now).as_millis() as u64 * SPEED + 1
    }

    fn reply(&self, seed: u64, best: Option<Move>) -> Option<Move> {
        let mut after = self.root;
        after.play(best?);
        best_move(seed, &after, &[])
    }

    /// The reports of its last iteration.
    fn report(&self, seed: u64, now: Instant) -> Vec<SearchEvent> {
        let mut reports = Vec::new();
        let mut excluded = self.excluded().to_vec();
        for line in 1..=self.task.search().map_or(1, |request| request.first_moves.lines.max(1)) {
            let Some(best) = best_move(seed, &self.root, &excluded) else { break };
            if let (Task::Kriegspiel { .. }, RootPosition::Chess(AnyPosition::Standard(position))) =
                (&*self.task, &self.root)
            {
                let attempts = vec![Attempt::of(position, best)];
                let proposal = Proposal { attempts, score: Score(30), boards: 1, belief: None };
                return vec![SearchEvent::Attempts(Box::new(proposal))];
            }
            let info = Info {
                depth: self.depth,
                selective_depth: self.depth,
                score: Score(30 - 10 * i32::from(line)),
                bound: Bound::Exact,
                elapsed: now.saturating_duration_since(self.budget.since),
                nodes: self.nodes(now),
                line,
                pv: [Some(best), self.reply(seed, Some(best))].into_iter().flatten().collect(),
                again: false,
                table_usage: None,
            };
            reports.push(SearchEvent::Report(Report::Info(info)));
            excluded.push(best);
        }
        reports
    }

    /// Returns true if it ends after this iteration.
    fn is_over(&self, now: Instant) -> bool {
        let limits = self.budget.limits.unwrap_or(self.task.limits());
        let elapsed = now.saturating_duration_since(self.budget.since);
        let nodes = limits.nodes.into_iter().chain(limits.optimum_nodes).min();
        self.depth >= limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH)
            || nodes.is_some_and(|nodes| self.nodes(now) >= nodes)
            || matches!(*self.task, Task::Perft { .. }) && self.depth >= 6
            || matches!(*self.task, Task::Kriegspiel { .. }) && self.depth >= 5
            || self.budget.allotment.is_some_and(|allotment| elapsed >= allotment.optimum)
    }
}

impl Pool {
    pub fn new(seed: u64) -> Pool {
        Pool { seed, scheduler: Scheduler::new(TOKENS, 64), jobs: BTreeMap::new(), late: Vec::new() }
    }

    /// Executes a session's order. `board` is the position on its board.
    pub fn order(
        &mut self,
        owner: u64,
        search: SearchId,
        order: SearchOrder,
        board: Option<AnyPosition>,
        now: Instant,
    ) -> Option<News> {
        let id = JobId { owner, search };
        let mut decisions = Vec::new();
        match order {
            SearchOrder::Start(task, budget) => {
                let params = SearchParams::from(&budget);
                let root = match &*task {
                    Task::Search(request) | Task::External(_, request) => request.position,
                    Task::Perft { position, .. } => (*position).into(),
                    Task::Kriegspiel { .. } => board.expect("a board").into(),
                };
                let admitted = self.scheduler.admit(id, Source::of(owner), params, now, &mut decisions);
                if admitted.is_err() {
                    return Some((id, SearchEvent::Refused(Shortage::Searches(64))));
                }
                let job = Job {
                    task,
                    root,
                    budget,
                    depth: 0,
                    worked: Duration::ZERO,
                    running: None,
                    gives_up_after_variation: false,
                };
                assert!(self.jobs.insert(id, job).is_none(), "a number used twice");
            }
            SearchOrder::Retime(budget) => {
                self.change(id, budget);
                self.scheduler.set_params(id, SearchParams::from(&budget), now, &mut decisions);
            }
            SearchOrder::Hold => self.scheduler.hold(id, now, &mut decisions),
            SearchOrder::Resume(budget) => {
                self.change(id, budget);
                self.scheduler.resume(id, SearchParams::from(&budget), now, &mut decisions);
            }
            SearchOrder::Stop => {
                self.jobs.remove(&id);
                self.scheduler.remove(id, now, &mut decisions);
            }
        }
        self.execute(decisions, now);
        None
    }

    /// Removes a session.
    pub fn forget(&mut self, owner: u64, now: Instant) {
        let mut decisions = Vec::new();
        let gone: Vec<JobId> = self.jobs.keys().filter(|id| id.owner == owner).copied().collect();
        for id in gone {
            self.jobs.remove(&id);
            self.scheduler.remove(id, now, &mut decisions);
        }
        self.execute(decisions, now);
    }

    fn change(&mut self, id: JobId, budget: SearchBudget) {
        if let Some(job) = self.jobs.get_mut(&id) {
            job.budget = budget;
        }
    }

    /// Grants and revokes tokens: a search polls at once.
    fn execute(&mut self, mut decisions: Vec<Decision>, now: Instant) {
        while let Some(decision) = (!decisions.is_empty()).then(|| decisions.remove(0)) {
            match decision {
                Decision::Grant { job, until, until_variation, .. } => {
                    if let Some(job) = self.jobs.get_mut(&job) {
                        job.running = Some((now, until));
                        job.gives_up_after_variation = until_variation;
                    }
                }
                Decision::Revoke { job } => self.give_back(job, now, &mut decisions),
            }
        }
    }

    fn give_back(&mut self, id: JobId, now: Instant, decisions: &mut Vec<Decision>) {
        if let Some(job) = self.jobs.get_mut(&id) {
            job.worked = job.worked(now);
            job.running = None;
        }
        self.scheduler.yield_token(id, now, decisions);
    }

    /// When the next event happens.
    pub fn wake(&self) -> Option<Instant> {
        self.jobs.values().filter_map(Job::wake).min()
    }

    /// Returns the events up to now.
    pub fn advance(&mut self, now: Instant) -> Vec<News> {
        let mut news = std::mem::take(&mut self.late);
        let due = |job: &Job| job.wake().is_some_and(|at| at <= now);
        let ids: Vec<JobId> = self.jobs.iter().filter(|(_, job)| due(job)).map(|(id, _)| *id).collect();
        for id in ids {
            self.step(id, now, &mut news);
        }
        news
    }

    fn step(&mut self, id: JobId, now: Instant, news: &mut Vec<News>) {
        let seed = self.seed;
        let Some(job) = self.jobs.get_mut(&id).filter(|job| job.running.is_some()) else { return };
        let mut is_over = job.budget.deadline().is_some_and(|deadline| deadline <= now);
        let mut yields = job.running.is_some_and(|(_, until)| until <= now);
        // Another iteration, or the first one: a search that is out of time has a move all the
        // same.
        if job.worked(now) >= cost(job.depth + 1) || (is_over && job.depth == 0) {
            job.depth += 1;
            yields |= std::mem::take(&mut job.gives_up_after_variation);
            if !matches!(*job.task, Task::Perft { .. }) {
                let reports = job.report(seed, now).into_iter();
                news.extend(reports.map(|event| (id, event)));
            }
            is_over |= job.is_over(now);
        }
        let mut decisions = Vec::new();
        if is_over {
            let mut done = job.done(seed, now);
            if matches!(*job.task, Task::Perft { .. }) {
                let moves = job.root.legal_moves();
                done.nodes = 20 * moves.len() as u64;
                let leaves = moves.into_iter().map(|mv| SearchEvent::Leaves(mv, 20));
                news.extend(leaves.map(|event| (id, event)));
            }
            news.push((id, SearchEvent::Done(done)));
            self.jobs.remove(&id);
            self.scheduler.remove(id, now, &mut decisions);
        } else if yields {
            self.give_back(id, now, &mut decisions);
        }
        self.execute(decisions, now);
    }
}
