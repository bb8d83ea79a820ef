//! `edit`: the way to set up a position that protocol 1 has.

use super::{Mode, Session, Step};
use crate::chess::{AnyPosition, Color, Game, Piece, Role, Square, Variant};
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
        let mut men = [None; 64];
        let fen = position.fen();
        let board = fen.split(' ').next().unwrap_or("");
        for (row, rank) in board.split('/').zip((0..8).rev()) {
            let mut file = 0;
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(empty) => file += empty as u8,
                    None => {
                        men[Square::at(file, rank).index()] = Piece::from_letter(letter);
                        file += 1;
                    }
                }
            }
        }
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

    fn at(&self, file: u8, rank: u8) -> Option<Piece> {
        self.men[Square::at(file, rank).index()]
    }

    fn fen(&self, variant: Variant) -> String {
        let mut fen = String::new();
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                match self.at(file, rank) {
                    Some(piece) => {
                        push_count(&mut fen, std::mem::take(&mut empty));
                        fen.push(piece.letter());
                    }
                    None => empty += 1,
                }
            }
            push_count(&mut fen, empty);
            if rank > 0 {
                fen.push('/');
            }
        }
        let turn = if self.turn == Color::White { 'w' } else { 'b' };
        format!("{fen} {turn} {} - 0 1", self.castling(variant))
    }

    /// "If a king and a rook are on their home squares, castling is assumed to be available to them" (protocol 1);
    /// in fischerandom, any king and rooks on the back rank.
    fn castling(&self, variant: Variant) -> String {
        let mut rights = String::new();
        for (color, rank) in [(Color::White, 0), (Color::Black, 7)] {
            let is = |file, role| self.at(file, rank) == Some(Piece { color, role });
            let home = |file: &u8| is(*file, Role::King) && (variant != Variant::Normal || *file == 4);
            let Some(king) = (1..7).find(home) else { continue };
            let rook = |file| is(file, Role::Rook);
            let (short, long) = match variant {
                Variant::Normal => (rook(7), rook(0)),
                _ => ((king + 1..8).any(rook), (0..king).any(rook)),
            };
            for (available, letter) in [(short, 'K'), (long, 'Q')] {
                if available {
                    rights.push(
                        Piece { color, role: Role::from_letter(letter).unwrap_or(Role::King) }.letter(),
                    );
                }
            }
        }
        if rights.is_empty() { "-".to_owned() } else { rights }
    }
}

fn push_count(fen: &mut String, empty: u8) {
    if empty > 0 {
        fen.push(char::from(b'0' + empty));
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
        match Game::from_fen(variant, &editor.fen(variant)) {
            Ok(game) => self.replace_game(game, step),
            Err(error) => step.reply(Reply::Tellusererror(format!("Illegal position: {error}"))),
        }
        if self.mode == Mode::Analyze {
            self.analyse(step);
        }
    }
}
