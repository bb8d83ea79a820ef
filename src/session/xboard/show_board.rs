//! `d` and `board`: the board at a terminal.

use super::{Mode, Session, Step};
use crate::protocol::DRAWN_LINES;
use crate::protocol::xboard::{Command, ErrorReason, Reply};
use crate::session::board_squares::squares_of;

impl Session {
    /// `d` and `board` show the board, and again after each move; `board off` ends that. A client
    /// that has announced itself as a program gets an error instead, which programs understand.
    pub(super) fn set_board_shown(&mut self, shown: bool, step: &mut Step<'_>) {
        if self.gui.is_program() {
            return self.refuse(ErrorReason::UnknownCommand, Command::Board(shown).to_string(), step);
        }
        self.gui.board_shown = shown;
        self.show_board(step);
    }

    /// Shows the board, if the client wants to see it. In kriegspiel it shows the client's own men
    /// only.
    pub(super) fn show_board(&self, step: &mut Step<'_>) {
        if !self.gui.board_shown {
            return;
        }
        let seen = match self.mode {
            Mode::Play(ours) if self.is_hidden() => Some(!ours),
            Mode::Play(_) | Mode::Force | Mode::Analyze => None,
        };
        let squares = squares_of(self.game.position(), seen);
        (0..DRAWN_LINES).for_each(|line| step.reply(Reply::Drawing(line, squares)));
        if seen.is_none() {
            step.reply(Reply::Fen(self.game.position().fen()));
        }
    }
}
