//! A program that plays draughts, and speaks the Checkers Protocol. The protocol has no clocks,
//! only time for a move.

use super::peer::Peer;
use super::{Decision, Engine, Thought};
use crate::draughts::{Game, Move};
use crate::engines::time_control::TimeControl;
use crate::engines::{CheckersEngine, CheckersEvent, CheckersManners, CheckersThinking};
use crate::matches::EngineError;
use crate::matches::clock::Clocks;
use crate::matches::note::Found;
use std::time::{Duration, Instant};

/// Timeout of answers that take no thought.
const PATIENCE: Duration = Duration::from_secs(60);
const SECONDS_ONLY: &str = "the Checkers Protocol has no clocks and no nodes; use --seconds";

pub(super) struct Checkers {
    peer: Peer,
    engine: CheckersEngine,
}

impl Checkers {
    /// Initializes an engine and sets its options.
    pub(super) fn greet(
        peer: Peer,
        manners: CheckersManners,
        options: &[(String, String)],
    ) -> Result<Checkers, EngineError> {
        let mut checkers = Checkers { peer, engine: CheckersEngine::new(manners) };
        let is_started = |event: CheckersEvent<'_>| matches!(event, CheckersEvent::Started).then_some(());
        checkers.wait_for(Instant::now() + PATIENCE, is_started)?;
        checkers.peer.send(&checkers.engine.initialize(options))?;
        checkers.wait_until_ready()?;
        Ok(checkers)
    }

    /// Waits for a line in which `found` finds something.
    fn wait_for<T>(
        &mut self,
        deadline: Instant,
        mut found: impl FnMut(CheckersEvent<'_>) -> Option<T>,
    ) -> Result<T, EngineError> {
        loop {
            let line = self.peer.line(deadline)?;
            match self.engine.receive(&line) {
                CheckersEvent::Error(line) => return Err(EngineError::Reports(line.to_owned())),
                event => {
                    if let Some(found) = found(event) {
                        return Ok(found);
                    }
                }
            }
        }
    }

    fn wait_until_ready(&mut self) -> Result<(), EngineError> {
        let is_ready = |event: CheckersEvent<'_>| matches!(event, CheckersEvent::Ready).then_some(());
        self.wait_for(Instant::now() + PATIENCE, is_ready)
    }

    /// Waits for the move, and stops the engine when its time is over. Takes what the engine
    /// reports before it.
    fn await_move(
        &mut self,
        time: Duration,
        patience: Duration,
        found: &mut Option<Found>,
    ) -> Result<String, EngineError> {
        let began = Instant::now();
        let mut best = |event: CheckersEvent<'_>| match event {
            CheckersEvent::BestMove(text) => Some(text.to_owned()),
            CheckersEvent::Thinking(CheckersThinking { score, depth, nodes }) => {
                *found = Some(Found { score, depth, nodes });
                None
            }
            CheckersEvent::Started
            | CheckersEvent::Ready
            | CheckersEvent::Error(_)
            | CheckersEvent::Other => None,
        };
        match self.wait_for(began + time, &mut best) {
            Err(EngineError::Silent) => self.peer.send(self.engine.stop())?,
            answer => return answer,
        }
        self.wait_for(began + patience, best)
    }
}

fn time_of_move(control: TimeControl) -> Result<Duration, EngineError> {
    match control {
        TimeControl::Move(time) => Ok(time),
        TimeControl::Game(_) | TimeControl::Nodes(_) => Err(EngineError::TimeControl(SECONDS_ONLY)),
    }
}

impl Engine<Game> for Checkers {
    /// Only some texts of the protocol have a command for it.
    fn name(&self) -> Option<&str> {
        None
    }

    fn new_game(&mut self, game: &Game, control: TimeControl) -> Result<(), EngineError> {
        time_of_move(control)?;
        // Lines about the game before.
        self.peer.waiting_lines();
        self.peer.send(&self.engine.begin_game(game.start()))?;
        self.wait_until_ready()
    }

    fn think(&mut self, game: &Game, clocks: &Clocks) -> Result<Thought<Move>, EngineError> {
        // A second answer would be taken for the next one.
        for line in self.peer.waiting_lines() {
            match self.engine.receive(&line) {
                CheckersEvent::Error(line) => return Err(EngineError::Reports(line.to_owned())),
                CheckersEvent::BestMove(text) => {
                    return Err(EngineError::Illegal(format!("{text} (not requested)")));
                }
                CheckersEvent::Started
                | CheckersEvent::Ready
                | CheckersEvent::Thinking(_)
                | CheckersEvent::Other => {}
            }
        }
        let side = game.position().turn();
        let (time, patience) = (time_of_move(clocks.control(side))?, clocks.patience(side));
        let stopwatch = self.peer.stopwatch();
        self.peer.send(&self.engine.ask_for_move(game, time))?;
        let mut found = None;
        let best = self.await_move(time, patience, &mut found)?;
        let note = self.peer.note_since(stopwatch, clocks.timing.cpu_time, found);
        let mv = self.engine.read_move(game.position(), &best);
        let mv = mv.map_err(|error| EngineError::Illegal(format!("{best} ({error})")))?;
        Ok(Thought { decision: Decision::Move(mv), note })
    }

    fn game_over(&mut self, _: &str) {}
}
