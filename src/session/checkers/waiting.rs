//! Commands about the game that arrive during a search.
//!
//! "The engine must process the commands synchronously, in the order that they are read from the
//! stream": they wait for the best move. A command that begins another game ends the search as
//! `STOP` does. A second `GO` is not permitted during a search unless another command stands
//! between the two.
//!
//! The first command dropped because too many wait leaves a hole in the game. Later moves of that
//! game are refused as well: played after a hole they would make another game.

use super::commands::ALREADY_INITIALISED;
use super::{Session, Step, alert};
use crate::protocol::checkers::{GameCommand, MUCH_WAITS, STILL_THINKING};

/// The most commands that may wait. A client that sends more does not read the answers.
pub(super) const MAX_WAITING: usize = 256;

impl Session {
    /// Queues a command about the game during a search.
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

    /// Executes the waiting commands, as far as possible.
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
