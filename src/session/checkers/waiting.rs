//! Commands about the game that come while it thinks.
//!
//! "The engine must process the commands synchronously, in the order that they are read from the stream": they wait until
//! the best move is out. Whoever begins another game does not want to wait, so that ends the search as `STOP` does. A second
//! `GO` is not permitted while it thinks, unless something stands between the two.
//!
//! The first command that finds no room makes a hole in the game. What follows in that game is refused, too: played behind a
//! hole it would be another game.

use super::{Session, Step, alert};
use crate::protocol::checkers::{Command, MUCH_WAITS, STILL_THINKING};

/// Commands that may wait. A client that sends more does not look at what it gets.
pub(super) const MAX_WAITING: usize = 256;

impl Session {
    /// Takes a command about the game while it thinks.
    pub(super) fn let_wait(&mut self, command: Command, step: &mut Step<'_>) {
        let is_wrong = match &command {
            Command::Go(_) if matches!(self.waiting.back(), None | Some(Command::Go(_))) => {
                Some(STILL_THINKING.to_owned())
            }
            Command::Init if self.initialised => Some("the engine is initialised already".to_owned()),
            Command::Newgame { .. } => self.board_of(&command).err().map(|error| error.to_string()),
            Command::Move(_) | Command::Go(_) if self.waiting.len() >= MAX_WAITING => {
                self.has_hole = true;
                Some(MUCH_WAITS.to_owned())
            }
            _ => None,
        };
        match is_wrong {
            Some(what) => alert(what, step),
            None => self.waiting.push_back(command),
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
                    Some(command) => self.play_command(command, step),
                    None => return,
                }
            }
        }
    }
}

fn begins_game(command: &Command) -> bool {
    matches!(command, Command::Init | Command::Newgame { .. })
}
