//! Commands about the game that come while it thinks.
//!
//! "The engine must process the commands synchronously, in the order that they are read from the stream": they wait until
//! the best move is out. Whoever begins another game does not want to wait, so that ends the search as `STOP` does. A second
//! `GO` is not permitted while it thinks, unless something stands between the two.
//!
//! The first command that finds no room makes a hole in the game. What follows in that game is refused, too: played behind a
//! hole it would be another game.

use super::commands::ALREADY_INITIALISED;
use super::{Session, Step, alert};
use crate::protocol::checkers::{GameCommand, MUCH_WAITS, STILL_THINKING};

/// Commands that may wait. A client that sends more does not look at what it gets.
pub(super) const MAX_WAITING: usize = 256;

impl Session {
    /// Takes a command about the game while it thinks.
    pub(super) fn let_wait(&mut self, command: GameCommand, step: &mut Step<'_>) {
        match self.objection(&command) {
            Some(objection) => alert(objection, step),
            None if self.waiting.len() >= MAX_WAITING && !begins_game(&command) => {
                self.has_hole = true;
                alert(MUCH_WAITS, step);
            }
            None => self.waiting.push_back(command),
        }
    }

    /// Returns why the command is refused at once.
    fn objection(&self, command: &GameCommand) -> Option<String> {
        match command {
            GameCommand::Go(_) => {
                let follows_go = matches!(self.waiting.back(), None | Some(GameCommand::Go(_)));
                follows_go.then(|| STILL_THINKING.to_owned())
            }
            GameCommand::Init => self.initialised.then(|| ALREADY_INITIALISED.to_owned()),
            GameCommand::Newgame { position, moves } => {
                self.board.with_game(position.as_ref(), moves).err().map(|error| error.to_string())
            }
            GameCommand::Move(_) => None,
        }
    }

    /// Obeys what waits, as far as it can.
    pub(super) fn catch_up(&mut self, step: &mut Step<'_>) {
        loop {
            if self.thinking.is_some() {
                if !self.waiting.iter().any(begins_game) {
                    return;
                }
                self.stop_thinking(step);
            } else {
                match self.waiting.pop_front() {
                    Some(command) => self.game_command(command, step),
                    None => return,
                }
            }
        }
    }
}

fn begins_game(command: &GameCommand) -> bool {
    match command {
        GameCommand::Init | GameCommand::Newgame { .. } => true,
        GameCommand::Move(_) | GameCommand::Go(_) => false,
    }
}
