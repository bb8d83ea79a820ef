//! Setting up a position with `edit` (protocol 1).

use super::{Closing, Session, Step};
use crate::chess::{AnyPosition, Color, Game, Piece, Square};
use crate::protocol::xboard::{Arrangement, Command, CommandKind, EditCommand, ErrorReason, Reply, Wing};
use crate::session::state::{Fields, StateError, text, words};

/// A board under edit.
#[derive(Debug)]
pub(super) struct Editor {
    board: Arrangement,
    /// The colour of the next pieces.
    color: Color,
    /// Whether one of its lines was refused: the board never becomes a position.
    pub(super) is_refused: bool,
}

impl Editor {
    pub(super) fn new(position: &AnyPosition, turn: Color) -> Editor {
        Editor { board: Arrangement::of(position, turn), color: Color::White, is_refused: false }
    }

    /// A board that no line can make a position of.
    pub(super) fn refused(position: &AnyPosition) -> Editor {
        Editor { is_refused: true, ..Editor::new(position, Color::White) }
    }

    fn apply(&mut self, command: &EditCommand) {
        let board = &mut self.board;
        match *command {
            EditCommand::Color => self.color = !self.color,
            EditCommand::Clear => board.clear(),
            EditCommand::Place { role, square, promoted } => {
                board.put(Some(Piece { color: self.color, role }), square, promoted);
            }
            EditCommand::Empty(square) => board.put(None, square, false),
            EditCommand::Castle { color, wing, allowed } => {
                board.castling_lost.retain(|&lost| lost != (color, wing));
                if !allowed {
                    board.castling_lost.push((color, wing));
                }
            }
            EditCommand::EnPassant(square) => board.en_passant = Some(square),
            EditCommand::Leave | EditCommand::Unknown(_) => {}
        }
    }
}

impl Session {
    /// `edit`: every line up to `.` is about the board. Stops any search. A `black` or `white` just
    /// before it, as sent by xboard, sets the side to move of the new position; it need not be
    /// legal in the old one.
    pub(super) fn begin_edit(&mut self, step: &mut Step<'_>) {
        self.stop(step);
        let turn = self.board.take_turn();
        self.editor = Some(Box::new(Editor::new(self.board.position(), turn)));
    }

    /// Handles a line between `edit` and `.`.
    pub(super) fn edit_line(&mut self, line: &[u8], step: &mut Step<'_>) {
        let Some(editor) = &mut self.editor else { return };
        let command = EditCommand::parse(line);
        match command {
            EditCommand::Leave => self.end_edit(step),
            EditCommand::Unknown(text) => self.interrupt_edit(line, text, step),
            edit @ (EditCommand::Color
            | EditCommand::Clear
            | EditCommand::Place { .. }
            | EditCommand::Empty(_)
            | EditCommand::Castle { .. }
            | EditCommand::EnPassant(_)) => editor.apply(&edit),
        }
    }

    /// A line that edits nothing. A client that has lost its way in the middle of an edit starts
    /// over with another game.
    fn interrupt_edit(&mut self, line: &[u8], text: String, step: &mut Step<'_>) {
        let Ok(command) = Command::parse(line) else {
            return self.refuse(ErrorReason::UnknownCommand, text, step);
        };
        if let Command::Ping(number) = command {
            return step.reply(Reply::Pong(number));
        }
        match command.kind() {
            CommandKind::Blank => {}
            CommandKind::Restart | CommandKind::Position if command != Command::Edit => {
                self.editor = None;
                self.execute(command, step);
                if self.player.search().is_none() && self.closing != Closing::Closed {
                    self.analyse(step);
                }
            }
            CommandKind::Restart
            | CommandKind::Position
            | CommandKind::Move(_)
            | CommandKind::Demand
            | CommandKind::Release
            | CommandKind::Setting
            | CommandKind::Query
            | CommandKind::Notice
            | CommandKind::Unknown => self.refuse(ErrorReason::UnknownCommand, text, step),
        }
    }

    /// `.`: the board is complete. The side to move stays, except with ChessBase's programs, where
    /// it is the colour of the last pieces.
    fn end_edit(&mut self, step: &mut Step<'_>) {
        let Some(editor) = self.editor.take() else { return };
        let Editor { mut board, color, is_refused } = *editor;
        if self.gui.is_fritz() {
            board.turn = color;
        }
        match board.position(self.board.position().variant()) {
            _ if is_refused => {}
            Ok(position) => self.replace_game(Game::from_position(position), step),
            Err(error) => step.reply(Reply::Tellusererror(format!("Illegal position: {error}"))),
        }
        self.analyse(step);
    }
}

/// A lost right to castle.
struct Lost(Color, Wing);

words!(Lost {
    Lost(Color::White, Wing::King) => "white-king",
    Lost(Color::White, Wing::Queen) => "white-queen",
    Lost(Color::Black, Wing::King) => "black-king",
    Lost(Color::Black, Wing::Queen) => "black-queen",
});

text!(Square, word, |square| square, Square::parse);

/// A piece with its square: `Ka1`, `~Qa2` if it was a pawn.
struct Placed {
    piece: Piece,
    square: Square,
    was_pawn: bool,
}

text!(
    Placed,
    word,
    |placed| format_args!(
        "{}{}{}",
        if placed.was_pawn { "~" } else { "" },
        placed.piece.letter(),
        placed.square
    ),
    |word: &str| {
        let (was_pawn, word) = word.strip_prefix('~').map_or((false, word), |word| (true, word));
        let mut letters = word.chars();
        let piece = Piece::from_letter(letters.next()?)?;
        Some(Placed { piece, square: Square::parse(letters.as_str())?, was_pawn })
    }
);

impl Editor {
    /// Writes or reads the state.
    pub(super) fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        let Arrangement { pieces, promoted, hands, turn, castling_lost, en_passant } = &mut self.board;
        let mut placed: Vec<Placed> = Square::all()
            .filter_map(|square| {
                let was_pawn = promoted.has(square);
                pieces[square.index()].map(|piece| Placed { piece, square, was_pawn })
            })
            .collect();
        let mut lost: Vec<Lost> = castling_lost.iter().map(|&(color, wing)| Lost(color, wing)).collect();
        fields.field("pieces", &mut placed)?;
        fields.field("hands", hands)?;
        fields.field("turn", turn)?;
        fields.field("castling-lost", &mut lost)?;
        fields.field("en-passant", en_passant)?;
        fields.field("color", &mut self.color)?;
        fields.field("refused", &mut self.is_refused)?;
        if fields.is_reading() {
            if lost.len() > 4 {
                return Err(fields.wrong("castling-lost"));
            }
            *castling_lost = lost.into_iter().map(|Lost(color, wing)| (color, wing)).collect();
            let hands = self.board.hands;
            self.board.clear();
            for Placed { piece, square, was_pawn } in placed {
                self.board.put(Some(piece), square, was_pawn);
            }
            self.board.hands = hands;
        }
        Ok(())
    }
}
