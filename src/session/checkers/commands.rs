//! Dispatch of commands.

use super::board::Board;
use super::help::help;
use super::{BoardError, Session, Step, alert};
use crate::protocol::checkers::{Command, Dialect, MUCH_WAITS, Reply};

impl Session {
    /// A line of the client. One that cannot be obeyed changes nothing, and is answered by an alert.
    pub(super) fn line(&mut self, line: &[u8], step: &mut Step<'_>) {
        match Command::parse(line) {
            Ok(command) => self.obey(command, step),
            Err(error) => alert(error, step),
        }
    }

    /// Parameters are at hand at any time. What is about the game is done in the order of the lines.
    fn obey(&mut self, command: Command, step: &mut Step<'_>) {
        match command {
            Command::Empty => {}
            Command::Stop => self.stop_thinking(step),
            Command::Help => help(step),
            Command::Quit => self.close(step),
            Command::Getparameters => self.list_parameters(step),
            Command::Getparameter(name) => self.show_parameter(&name, step),
            Command::Setparameter(name, value) => self.set_parameter(&name, &value, step),
            Command::Getname => step.reply(Reply::Name(self.player.engine.profile().name.clone())),
            Command::Move(_) | Command::Go(_) if self.has_hole => alert(MUCH_WAITS, step),
            Command::Init | Command::Newgame { .. } | Command::Move(_) | Command::Go(_) => {
                if self.thinking.is_some() {
                    self.let_wait(command, step);
                } else {
                    self.play_command(command, step);
                }
            }
        }
    }

    /// Commands about the game, while nothing is searched.
    pub(super) fn play_command(&mut self, command: Command, step: &mut Step<'_>) {
        match command {
            Command::Init => self.initialise(step),
            Command::Move(mv) => {
                if let Err(error) = self.board.play_text(&mv) {
                    alert(BoardError::Move(error), step);
                }
            }
            Command::Go(go) => self.go(go, step),
            _ => match self.board_of(&command) {
                Ok(board) => self.begin_game(board, step),
                Err(error) => alert(error, step),
            },
        }
    }

    /// `INIT`: "as if INIT automatically calls NEWGAME". A second one changes nothing.
    fn initialise(&mut self, step: &mut Step<'_>) {
        if std::mem::replace(&mut self.initialised, true) {
            alert("the engine is initialised already", step);
        } else {
            let board = self.board.restarted();
            self.begin_game(board, step);
        }
    }

    /// The board after a command that begins a game.
    ///
    /// # Errors
    /// Something of it cannot be.
    pub(super) fn board_of(&self, command: &Command) -> Result<Board, BoardError> {
        match command {
            Command::Newgame { position, moves } => self.board.with_game(position.as_ref(), moves),
            _ => Ok(self.board.restarted()),
        }
    }

    fn begin_game(&mut self, board: Board, step: &mut Step<'_>) {
        self.archive_game(step);
        self.board = board;
        self.has_hole = false;
        self.player.new_game();
    }

    /// Whether the client's programs are of the late dialect.
    pub(super) fn is_late(&self) -> bool {
        self.manners.dialect == Dialect::Late
    }
}
