//! The built-in search without protocol and session: nothing else takes time.

use super::search_options::SearchOptions;
use super::{Decision, Engine, Thought};
use crate::draughts::endgames::{Endgames, solved};
use crate::engines::time_control::TimeControl;
use crate::matches::clock::Clocks;
use crate::matches::match_game::MatchGame;
use crate::matches::note::{Found, Note};
use crate::matches::{EngineError, Plan};
use crate::pool::processor_time;
use crate::random::mix;
use crate::search::{
    Allotment, Clock, Gate, Knowledge, Limits, Past, Request, Style, Table, TableUse, Verdict, allot, search,
};
use crate::server::NAME;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time of a move besides thinking, in milliseconds.
const OVERHEAD: u64 = 5;

pub(super) struct InProcess {
    table: Table,
    options: SearchOptions,
    /// Solved endgames of draughts.
    endgames: Option<Arc<Endgames>>,
    /// The seed of the match.
    match_seed: u64,
    /// Games played.
    games: u64,
    /// The salt of the game's table entries.
    seed: u64,
}

impl InProcess {
    pub(super) fn new(options: &[(String, String)], plan: &Plan) -> Result<InProcess, EngineError> {
        let options = SearchOptions::new(plan.hash, options)?;
        let table = Table::private(options.hash).map_err(EngineError::Memory)?;
        let endgames = plan.draughts.then(solved);
        Ok(InProcess { table, options, endgames, match_seed: plan.seed, games: 0, seed: 0 })
    }
}

impl<G: MatchGame> Engine<G> for InProcess {
    fn name(&self) -> Option<&str> {
        Some(NAME)
    }

    /// Takes another seed, so that the table's entries from the game before are not found. Where
    /// nodes are to give the same games everywhere, the table is a new one, since old entries take
    /// up space until they have aged.
    fn new_game(&mut self, game: &G, control: TimeControl) -> Result<(), EngineError> {
        if matches!(control, TimeControl::Nodes(_)) {
            self.table = Table::private(self.options.hash).map_err(EngineError::Memory)?;
        } else {
            self.games += 1;
        }
        self.seed = mix(self.match_seed ^ mix(game.root().key()) ^ mix(self.games));
        Ok(())
    }

    fn think(&mut self, game: &G, clocks: &Clocks) -> Result<Thought<G::Move>, EngineError> {
        let began = Stopwatch::start(clocks.timing.cpu_time);
        let processor = processor_time();
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let (nodes, allotment) = match clocks.control(game.turn()) {
            TimeControl::Nodes(nodes) => (Some(nodes), None),
            TimeControl::Move(each) => {
                let maximum = each.saturating_sub(Duration::from_millis(OVERHEAD));
                (None, Some(Allotment::exact(maximum)))
            }
            TimeControl::Game(clock) => {
                let left = milliseconds(clocks.left(game.turn()));
                let clock = Clock {
                    remaining: i64::try_from(left).unwrap_or(i64::MAX),
                    increment: milliseconds(clock.increment),
                    moves_to_go: None,
                    overhead: OVERHEAD,
                    later_overhead: 0,
                };
                (None, Some(allot(clock)))
            }
        };
        let limits = Limits { nodes, ..Limits::default() };
        let request = Request {
            past: Past { history: game.earlier(), played: None },
            limits,
            game: true,
            style: Style { seed: self.seed, ..self.options.style },
            knowledge: Knowledge { endgames: self.endgames.clone(), ..Knowledge::default() },
            table: TableUse::salted(self.seed),
            ..Request::of(game.root())
        };
        let mut gate = ClockGate { began, allotment };
        let done = search(&request, &self.table, &mut gate, &mut |_| {});
        let best = done.best.ok_or_else(|| EngineError::Illegal("no move".to_owned()))?;
        let note = Note {
            used: began.used(),
            cpu: Some(processor_time().saturating_sub(processor)),
            found: Some(Found { score: done.score, depth: done.depth, nodes: done.nodes }),
        };
        Ok(Thought { decision: Decision::Move(G::move_of(best)), note })
    }

    fn game_over(&mut self, _: &str) {}
}

/// Time since a moment, on the wall or of this thread.
#[derive(Clone, Copy)]
struct Stopwatch {
    wall: Instant,
    /// CPU time of the thread at the beginning, if that counts.
    processor: Option<Duration>,
}

impl Stopwatch {
    fn start(cpu_time: bool) -> Stopwatch {
        Stopwatch { wall: Instant::now(), processor: cpu_time.then(processor_time) }
    }

    fn used(&self) -> Duration {
        match self.processor {
            Some(began) => processor_time().saturating_sub(began),
            None => self.wall.elapsed(),
        }
    }
}

/// A gate that closes when the time of the move is over.
struct ClockGate {
    began: Stopwatch,
    allotment: Option<Allotment>,
}

impl Gate for ClockGate {
    fn poll(&mut self, _: u64) -> Verdict {
        match self.allotment {
            Some(allotment) if self.began.used() >= allotment.maximum => Verdict::Stop,
            _ => Verdict::Continue,
        }
    }

    fn elapsed(&self) -> Duration {
        self.began.used()
    }

    fn past_optimum(&self, scale: f32) -> bool {
        self.allotment.is_some_and(|allotment| {
            let scale = if allotment.exact && scale > 0.0 { 1.0 } else { scale };
            self.began.used().as_secs_f32() >= allotment.optimum.as_secs_f32() * scale
        })
    }

    fn past_calm(&self) -> bool {
        self.allotment.is_some_and(|allotment| self.began.used() >= allotment.calm)
    }
}
