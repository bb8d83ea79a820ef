//! Dispatch of commands, and `help` for a user at a terminal.

use super::board::Board;
use super::{BoardError, Session, Step, alert};
use crate::protocol::checkers::{Command, Dialect, GameCommand, MUCH_WAITS, Reply};

/// The alert to a second `INIT`.
pub(super) const ALREADY_INITIALISED: &str = "the engine is initialised already";

/// The commands that a user needs.
const HELP_LINES: [&str; 10] = [
    "You can type:",
    "INIT                        the engine gets ready, once",
    "NEWGAME                     a new game; NEWGAME FEN from another position",
    "MOVE 11-15                  play this move for the side to move",
    "GO                          the engine thinks and plays its move",
    "STOP                        the engine moves now",
    "GETPARAMETERS               the names of the settings",
    "SETPARAMETER seconds 5      change one of them",
    "QUIT                        end the session",
    "Commands for programs are described in docs/checkers.md",
];

impl Session {
    /// Handles a line from the client. An invalid one is answered with an alert and changes
    /// nothing.
    pub(super) fn line(&mut self, line: &[u8], step: &mut Step<'_>) {
        match Command::parse(line) {
            Ok(command) => self.execute(command, step),
            Err(error) => alert(error, step),
        }
    }

    /// Executes parameter commands at once, and commands about the game in order.
    fn execute(&mut self, command: Command, step: &mut Step<'_>) {
        match command {
            Command::Empty => {}
            Command::Stop => self.stop_thinking(step),
            Command::Help => HELP_LINES.iter().for_each(|line| step.reply(Reply::Help(line))),
            Command::Quit => self.close(step),
            Command::Getparameters => self.list_parameters(step),
            Command::Getparameter(name) => self.show_parameter(&name, step),
            Command::Setparameter(name, value) => self.set_parameter(&name, &value, step),
            Command::Getname => step.reply(Reply::Name(self.player.engine.profile().name.clone())),
            Command::Game(GameCommand::Move(_) | GameCommand::Go(_)) if self.has_hole => {
                alert(MUCH_WAITS, step);
            }
            Command::Game(command) if self.thinking.is_some() => self.let_wait(command, step),
            Command::Game(command) => self.game_command(command, step),
        }
    }

    /// Executes a command about the game, while nothing is searched.
    pub(super) fn game_command(&mut self, command: GameCommand, step: &mut Step<'_>) {
        match command {
            GameCommand::Init => self.initialise(step),
            GameCommand::Newgame { position, moves } => {
                match self.board.with_game(position.as_ref(), &moves) {
                    Ok(board) => self.begin_game(board, step),
                    Err(error) => alert(error, step),
                }
            }
            GameCommand::Move(mv) => {
                if let Err(error) = self.board.play_text(&mv) {
                    alert(BoardError::Move(error), step);
                }
            }
            GameCommand::Go(go) => self.go(go, step),
        }
    }

    /// `INIT`: "as if INIT automatically calls NEWGAME". A second one changes nothing.
    fn initialise(&mut self, step: &mut Step<'_>) {
        if std::mem::replace(&mut self.initialised, true) {
            alert(ALREADY_INITIALISED, step);
        } else {
            let board = self.board.restarted();
            self.begin_game(board, step);
        }
    }

    fn begin_game(&mut self, board: Board, step: &mut Step<'_>) {
        self.archive_game(step);
        self.board = board;
        self.has_hole = false;
        self.player.new_game();
    }

    /// Returns true if the client's programs use the late dialect.
    pub(super) fn is_late(&self) -> bool {
        self.manners.dialect == Dialect::Late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_command_exists() {
        for line in &HELP_LINES[1..HELP_LINES.len() - 1] {
            assert!(Command::parse(line.split_at(28).0.as_bytes()).is_ok(), "{line}");
            assert!(Reply::Help(line).line().starts_with("# "), "{line}");
        }
    }
}
