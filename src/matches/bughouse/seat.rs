//! A player of bughouse: an engine, its board and what it has been told.

use crate::matches::engine::{EngineError, Xboard, xboard_of};
use crate::matches::{MatchError, Plan};
use std::sync::mpsc::SyncSender;

/// A line of an engine, with its seat.
pub(super) type SeatLine = (usize, Result<String, EngineError>);

/// An engine that has taken its seat.
pub(super) struct Seat {
    engine: Xboard,
}

impl Seat {
    /// Starts the first engine of the plan, or the second, and has its lines sent with the number of the seat.
    pub fn take(
        plan: &Plan,
        number: usize,
        first: bool,
        sender: SyncSender<SeatLine>,
    ) -> Result<Seat, MatchError> {
        let (spec, options) =
            if first { (&plan.first, &plan.first_option) } else { (&plan.second, &plan.second_option) };
        let failed = |error| MatchError::Engine(spec.clone(), error);
        let mut engine = xboard_of(spec, options, plan).map_err(failed)?;
        engine.prepare_bughouse(plan.clock, &format!("Seat{}", 3 - number)).map_err(failed)?;
        let lines = engine.take_lines();
        let spawned = std::thread::Builder::new().name(format!("seat {number}")).spawn(move || {
            for line in lines {
                if sender.send((number, Ok(line))).is_err() {
                    return;
                }
            }
            // Nobody listens any more if the game is over.
            let _ = sender.send((number, Err(EngineError::Gone)));
        });
        spawned.map_err(|error| failed(EngineError::Start("a thread".to_owned(), error)))?;
        Ok(Seat { engine })
    }

    /// Sends lines. An engine that has gone is noticed where its lines are read.
    pub fn tell(&mut self, lines: &str) {
        let _ = self.engine.send(lines);
    }

    /// Sends a move of the opponent, after the clocks in centiseconds: its own, and the opponent's.
    pub fn tell_move(&mut self, text: &str, clocks: [u128; 2]) {
        let [own, other] = clocks;
        let moved = self.engine.usermove(text);
        self.tell(&format!("time {own}\notim {other}\n{moved}"));
    }
}
