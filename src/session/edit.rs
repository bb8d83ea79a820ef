//! `edit`: the way to set up a position that protocol 1 has.

use super::{Mode, Session, Step};
use crate::chess::{AnyPosition, Color, Game, Piece, Square};
use crate::protocol::xboard::{Command, EditCommand, ErrorReason, Reply};

/// A board being edited.
#[derive(Debug)]
pub(super) struct Editor {
    men: [Option<Piece>; 64],
    /// The side that the pieces to come belong to.
    color: Color,
    turn: Color,
}

impl Editor {
    fn new(position: &AnyPosition) -> Editor {
        let men = std::array::from_fn(|index| position.piece_at(Square::new(index as u8)));
        Editor { men, color: Color::White, turn: position.turn() }
    }

    fn apply(&mut self, command: &EditCommand) {
        match command {
            EditCommand::Color => self.color = !self.color,
            EditCommand::Clear => self.men = [None; 64],
            EditCommand::Place(role, square) => {
                self.men[square.index()] = Some(Piece { color: self.color, role: *role });
            }
            EditCommand::Empty(square) => self.men[square.index()] = None,
            EditCommand::Leave | EditCommand::Unknown(_) => {}
        }
    }
}

impl Session {
    /// `edit`: until `.` every line is about the board. Whatever is searched, it is no longer wanted.
    pub(super) fn begin_edit(&mut self, step: &mut Step<'_>) {
        if self.settle_turn(step) {
            self.stop(step);
            self.editor = Some(Editor::new(self.game.position()));
        }
    }

    /// A line between `edit` and `.`.
    pub(super) fn edit_line(&mut self, line: &[u8], step: &mut Step<'_>) {
        let Some(editor) = &mut self.editor else { return };
        let command = EditCommand::parse(line);
        match command {
            EditCommand::Leave => self.end_edit(step),
            EditCommand::Unknown(text) => match Command::parse(line) {
                Ok(Command::Empty) => {}
                Ok(Command::Ping(number)) => step.reply(Reply::Pong(number)),
                // A client that went away in the middle of it comes back with one of these.
                Ok(command @ (Command::Quit | Command::New | Command::Setboard(_) | Command::Xboard)) => {
                    self.editor = None;
                    self.execute(command, step);
                }
                _ => step.reply(Reply::Error(ErrorReason::UnknownCommand, text)),
            },
            command => editor.apply(&command),
        }
    }

    /// `.`: the board is as the client wants it; whose turn it is has not changed.
    fn end_edit(&mut self, step: &mut Step<'_>) {
        let Some(editor) = self.editor.take() else { return };
        let variant = self.game.position().variant();
        match AnyPosition::from_men(variant, &editor.men, editor.turn) {
            Ok(position) => self.replace_game(Game::from_position(position), step),
            Err(error) => step.reply(Reply::Tellusererror(format!("Illegal position: {error}"))),
        }
        if self.mode == Mode::Analyze {
            self.analyse(step);
        }
    }
}
