//! A player of bughouse.

use crate::engines::ChessEngine;
use crate::matches::engine::{External, Peer, xboard_of};
use crate::matches::player::Player;
use crate::matches::{EngineError, MatchError, Plan};
use std::sync::mpsc::SyncSender;

/// A line of an engine, with its seat.
pub(super) type SeatLine = (usize, Result<String, EngineError>);

/// An engine that has taken its seat.
pub(super) struct Seat {
    peer: Peer,
    pub(super) engine: ChessEngine,
}

impl Seat {
    /// Starts an engine, whose lines go to `sender` with the number of the seat.
    pub(super) fn take(
        plan: &Plan,
        player: &Player,
        number: usize,
        sender: SyncSender<SeatLine>,
    ) -> Result<Seat, MatchError> {
        let failed = |reason| player.failed(reason);
        let mut external = xboard_of(player, plan).map_err(failed)?;
        external.begin_bughouse(plan.clock, &format!("Seat{}", 3 - number)).map_err(failed)?;
        let External { mut peer, engine } = external;
        let lines = peer.take_lines();
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
        Ok(Seat { peer, engine })
    }

    /// Sends lines. An engine that has exited is noticed where its lines are read.
    pub(super) fn send(&mut self, lines: &str) {
        let _ = self.peer.send(lines);
    }

    /// Sends a move of the opponent, after the clocks in centiseconds: the engine's own, and the
    /// opponent's.
    pub(super) fn send_move(&mut self, text: &str, [own, other]: [u128; 2]) {
        // No other protocol has bughouse.
        let ChessEngine::Xboard(engine) = &self.engine else { return };
        let moved = engine.usermove(text);
        self.send(&format!("time {own}\notim {other}\n{moved}"));
    }
}
