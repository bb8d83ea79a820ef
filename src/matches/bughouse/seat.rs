//! A player of bughouse.

use crate::engines::EngineEvent;
use crate::matches::engine::{External, xboard_of};
use crate::matches::{EngineError, MatchError, Plan};
use std::sync::mpsc::SyncSender;

/// A line of an engine, with its seat.
pub(super) type SeatLine = (usize, Result<String, EngineError>);

/// An engine that has taken its seat.
pub(super) struct Seat {
    engine: External,
}

impl Seat {
    /// Starts the first or the second engine of the plan, whose lines go to `sender` with the
    /// number of the seat.
    pub(super) fn take(
        plan: &Plan,
        number: usize,
        first: bool,
        sender: SyncSender<SeatLine>,
    ) -> Result<Seat, MatchError> {
        let (spec, options) =
            if first { (&plan.first, &plan.first_option) } else { (&plan.second, &plan.second_option) };
        let failed = |reason| MatchError::Engine { engine: spec.clone(), reason };
        let mut engine = xboard_of(spec, options, plan).map_err(failed)?;
        engine.begin_bughouse(plan.clock, &format!("Seat{}", 3 - number)).map_err(failed)?;
        let lines = engine.take_lines();
        let spawned = std::thread::Builder::new().name(format!("seat {number}")).spawn(move || {
            for line in lines {
                if sender.send((number, Ok(line))).is_err() {
                    return;
                }
            }
            // There is no receiver if the game is over.
            let _ = sender.send((number, Err(EngineError::Exited)));
        });
        spawned.map_err(|error| failed(EngineError::Start { engine: "a thread".to_owned(), error }))?;
        Ok(Seat { engine })
    }

    /// Sends lines. An engine that has exited is noticed where its lines are read.
    pub(super) fn send(&mut self, lines: &str) {
        let _ = self.engine.send(lines);
    }

    /// Interprets a line.
    pub(super) fn receive<'a>(&mut self, line: &'a str) -> EngineEvent<'a> {
        self.engine.receive(line)
    }

    /// Sends a move of the opponent, after the clocks in centiseconds: the engine's own, and the
    /// opponent's.
    pub(super) fn send_move(&mut self, text: &str, clocks: [u128; 2]) {
        let [own, other] = clocks;
        let moved = self.engine.usermove(text);
        self.send(&format!("time {own}\notim {other}\n{moved}"));
    }
}
