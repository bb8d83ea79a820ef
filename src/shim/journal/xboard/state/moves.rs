//! Moves of both sides, pondering, and the end of a game.

use super::{GameStep, Line, Mode, Over, State};
use std::sync::Arc;
use std::time::Instant;

impl State {
    pub(super) fn client_move(&mut self, line: &[u8], at: Instant) {
        self.settle();
        if self.due {
            return;
        }
        let pondered = self.ordered.take();
        self.stop(at);
        match pondered {
            Some(place) => self.play_instead(place, line),
            None => self.played(line.into()),
        }
        if self.mode == Mode::Play(self.turn) {
            self.think(at);
        }
    }

    /// The client has the engine ponder on a move, which is on the board from now on.
    pub(super) fn ponder_on(&mut self, mv: &[u8], at: Instant) {
        self.settle();
        let pondered = self.ordered.take();
        self.stop(at);
        let place = match pondered {
            Some(place) => {
                self.play_instead(place, mv);
                place
            }
            None => {
                self.mode = Mode::Play(!self.turn);
                self.played(mv.into());
                self.record.len() - 1
            }
        };
        self.ordered = Some(place);
    }

    /// Makes this move in place of the one that was pondered on, perhaps the same.
    fn play_instead(&mut self, place: usize, line: &[u8]) {
        let last = |line: &[u8]| line.rsplit(|&byte| byte == b' ').next().map(<[u8]>::to_vec);
        if let Some(GameStep::Move(pondered)) = self.record.replace(place, GameStep::Move(line.into()))
            && last(&pondered) != last(line)
        {
            self.excluded = Arc::default();
        }
        self.over = Over::No;
    }

    fn played(&mut self, line: Line) {
        self.record.push(GameStep::Move(line));
        self.turn = !self.turn;
        self.over = Over::No;
        self.excluded = Arc::default();
        self.ordered = None;
    }

    /// The engine has made this move.
    pub(in crate::shim::journal::xboard) fn engine_moved(&mut self, mv: &str, at: Instant) {
        self.clock.moved(at, self.plies());
        self.engine_moves += 1;
        self.due = false;
        self.paused = false;
        self.draw = false;
        self.sat_out();
        let line = if self.usermove { format!("usermove {mv}") } else { mv.to_owned() };
        self.played(line.into_bytes().into());
    }

    /// The engine has announced the end of the game instead of a move or after it.
    pub(in crate::shim::journal::xboard) fn ended(&mut self, over: Over, at: Instant) {
        self.stop(at);
        self.draw = false;
        self.over = over;
    }
}
