//! Following a process that searches: its lines, and when the search is over.

use super::{HostedSearch, Leave, TICK, Use};
use crate::engines::EngineEvent;
use crate::hosting::dialect::{Dialect, Unsupported};
use crate::hosting::failure::Failure;
use crate::hosting::findings::Refusal;
use crate::hosting::running_engine::{RunningEngine, Stage};
use crate::search::{Limits, Progress, Report};
use std::time::{Duration, Instant};

/// Time between two reports of progress.
const PROGRESS: Duration = Duration::from_millis(200);

/// The effect of a line on the search.
enum Taken {
    /// It goes on.
    Goes,
    /// It has ended.
    Ended,
    /// It is useless: the engine searches excluded moves.
    Useless,
}

impl HostedSearch<'_> {
    /// Begins the search on a process that is prepared for it.
    pub(super) fn begin(&mut self, engine: &mut RunningEngine) -> Result<(), Failure> {
        self.findings.begin_anew();
        self.named = None;
        self.mute = Duration::ZERO;
        let limits = self.gate.limits(self.request.limits);
        let nodes_left = limits.nodes.map(|nodes| nodes.saturating_sub(self.findings.nodes()));
        // Only now: clearing a large table can take longer than a slice.
        self.gate.begin_slice();
        engine.go(&self.question, nodes_left)
    }

    /// Follows a process that searches until the search is over or its token is requested.
    pub(super) fn follow(&mut self, engine: &mut RunningEngine) -> Result<Use, Failure> {
        loop {
            let before = Instant::now();
            if let Some(line) = engine.line(TICK)? {
                match self.take(engine, &line)? {
                    Taken::Goes => {}
                    Taken::Ended => return Ok(Use::Over),
                    Taken::Useless => return Ok(self.give_up(engine)),
                }
            }
            if self.findings.is_mute() {
                self.mute += before.elapsed();
                if self.mute > self.host.spec.patience / 2 {
                    return Err(Failure::Mute);
                }
            } else if let Some(began) = self.began.take() {
                self.host.note_first_variation(began.elapsed());
            }
            if self.is_finished(&engine.dialect) {
                return self.end_search(engine, Use::Over);
            }
            match self.goes_on() {
                Ok(()) => {}
                Err(Leave::Stop) => return self.end_search(engine, Use::Over),
                Err(Leave::Wait) if self.host.is_crowded(self.who.priority) => {
                    let end = self.end_search(engine, Use::Interrupted)?;
                    self.report_progress(None);
                    return Ok(end);
                }
                Err(Leave::Wait) => {
                    engine.suspend();
                    return Ok(Use::Suspended);
                }
                Err(Leave::TooLate) => {
                    engine.suspend();
                    return Ok(Use::TooLate);
                }
            }
        }
    }

    /// Handles a line of this search.
    fn take(&mut self, engine: &mut RunningEngine, line: &str) -> Result<Taken, Failure> {
        match engine.dialect.receive(line) {
            EngineEvent::Thinking(said) => {
                match self.findings.take(&said, &self.question, self.gate.elapsed()) {
                    Ok(Some(info)) => (self.reports)(Report::Info(info)),
                    Ok(None) if self.progress.elapsed() >= PROGRESS => self.report_progress(None),
                    Ok(None) => {}
                    Err(Refusal::Excluded) => return Ok(Taken::Useless),
                    Err(Refusal::Illegal(word)) if engine.dialect.binds_variations() => {
                        return Err(Failure::Illegal(word));
                    }
                    Err(Refusal::Illegal(_)) => {}
                }
            }
            EngineEvent::CurrentMove { depth, mv, number } if self.progress.elapsed() >= PROGRESS => {
                self.report_progress(Some((depth, mv, number)));
            }
            EngineEvent::Error(line) => return Err(Failure::Reports(line.to_owned())),
            // Every question has a legal move. Only an engine that is stopped early may have none.
            EngineEvent::BestMove { best: None, .. } if engine.stage() == Stage::Searching => {
                return Err(Failure::NoMove);
            }
            EngineEvent::BestMove { best, ponder } => {
                engine.ended();
                return self.take_best(best, ponder);
            }
            // It will not move: what it has found is good enough.
            EngineEvent::Resigned | EngineEvent::Result(_) if engine.has_given_up() => {
                engine.ended();
                return self.findings.best.as_ref().map(|_| Taken::Ended).ok_or(Failure::NoMove);
            }
            EngineEvent::CurrentMove { .. }
            | EngineEvent::Introduced
            | EngineEvent::Ready
            | EngineEvent::Nodes(_)
            | EngineEvent::Account(_)
            | EngineEvent::Resigned
            | EngineEvent::Result(_)
            | EngineEvent::Remark(_)
            | EngineEvent::Other => {}
        }
        Ok(Taken::Goes)
    }

    fn take_best(&mut self, best: Option<&str>, ponder: Option<&str>) -> Result<Taken, Failure> {
        let Some(text) = best else { return Ok(Taken::Ended) };
        let position = &self.question.position;
        let mv = position.parse_move(text).map_err(|_| Failure::Illegal(text.to_owned()))?;
        if !self.question.allowed.contains(&mv) {
            return Ok(Taken::Useless);
        }
        // A search that began anew and was cut short knows less than one before.
        if self.findings.has_caught_up() || self.request.style.strength.is_some() {
            let mut after = *position;
            after.play(mv);
            self.named = Some((mv, ponder.and_then(|text| after.parse_move(text).ok())));
        }
        Ok(Taken::Ended)
    }

    /// Gives up a search in which the engine does not exclude moves. That is no failure: old
    /// engines do not know the command.
    fn give_up(&mut self, engine: &mut RunningEngine) -> Use {
        // If the process still searches, the next borrower stops it.
        if engine.stage() != Stage::Idle {
            engine.suspend();
        }
        self.explain(&Unsupported::Exclude.to_string());
        Use::Impossible
    }

    /// Reports progress; `current` is the depth, the move that is being searched, and its number.
    fn report_progress(&mut self, current: Option<(u8, &str, u16)>) {
        self.progress = Instant::now();
        let moves_total = u16::try_from(self.question.allowed.len()).unwrap_or(u16::MAX);
        let (depth, moves_left) = current.map_or((0, 0), |(depth, _, number)| {
            (depth, moves_total.saturating_sub(number.saturating_sub(1)))
        });
        (self.reports)(Report::Progress(Progress {
            depth: depth.max(self.findings.depth()),
            nodes: self.findings.nodes(),
            elapsed: self.gate.elapsed(),
            moves_left,
            moves_total,
            current: current.and_then(|(_, mv, _)| self.question.position.parse_move(mv).ok()),
        }));
    }

    /// Returns true if a limit is reached, or the time of the move is used up.
    fn is_finished(&self, dialect: &Dialect) -> bool {
        // The engine ends by itself at a mate.
        let Limits { depth, nodes, optimum_nodes, mate: _ } = self.gate.limits(self.request.limits);
        let Some(scale) = self.findings.time_scale(&self.question) else { return false };
        let done = self.findings.nodes();
        depth.is_some_and(|depth| self.is_deep_enough(depth, dialect))
            || nodes.is_some_and(|nodes| done >= nodes)
            || optimum_nodes.is_some_and(|nodes| done as f32 >= nodes as f32 * scale)
            || self.gate.past_optimum(scale)
    }

    /// Returns true if a limit of plies is reached.
    fn is_deep_enough(&self, depth: u8, dialect: &Dialect) -> bool {
        if dialect.heeds_depth() && self.question.request.limits.depth == Some(depth) {
            // It ends by itself, and knows whether more lines or a better move follow at that
            // depth.
            return self.findings.finished_depth(1) > depth;
        }
        self.findings.finished_depth(dialect.lines(&self.question)) >= depth
    }

    /// Stops the search on a process. Returns `end`, unless the last lines show that the search was
    /// useless.
    fn end_search(&mut self, engine: &mut RunningEngine, end: Use) -> Result<Use, Failure> {
        engine.stop()?;
        // An engine that stops at once need not be suspended first.
        let mut spent = Duration::ZERO;
        while engine.stage() == Stage::Stopping {
            let before = Instant::now();
            if let Some(line) = engine.line(TICK)?
                && let Taken::Useless = self.take(engine, &line)?
            {
                return Ok(self.give_up(engine));
            }
            spent += before.elapsed();
            if spent > self.host.spec.patience / 4 {
                return Err(Failure::Deaf);
            }
        }
        Ok(end)
    }
}
