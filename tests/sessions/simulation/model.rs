//! A model of the protocol's requirements, simple enough to be trusted.

use farboard::chess::{AnyPosition, Color, Ending, Game, Move, Outcome, Piece, Role, Variant};
use farboard::protocol::xboard::{
    Arrangement, Command, EditCommand, Holding, RootMoves, looks_like_a_move, variant_named,
};
use std::collections::VecDeque;

/// Which side the engine plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Force,
    Play(Color),
    Analyze,
}

/// Variants with endings that xboard does not recognise, or judges by other rules.
const DOUBTED: [&str; 5] = ["atomic", "losers", "kingofthehill", "racingkings", "horde"];

/// The expected state of a session.
pub struct Model {
    pub game: Game,
    pub mode: Mode,
    /// Whether the engine owes a move.
    pub due: bool,
    pub paused: bool,
    /// The side of a `white` or `black` that has not taken effect yet.
    pub turn_wanted: Option<Color>,
    pub ponder: bool,
    /// Whether a hint was requested since the board last changed.
    pub hint: bool,
    /// Whether `ponder MOVE` was sent since the board last changed.
    pub ponder_move_sent: bool,
    /// The last move, if it is only pondered on.
    pondered: Option<Move>,
    /// Whether a draw was agreed while a move was due, which is withheld.
    pub agreed: bool,
    /// Pings without an answer.
    pub pings: VecDeque<i64>,
    /// The board between `edit` and `.`, and the colour being set up.
    pub editor: Option<(Arrangement, Color)>,
    pub fritz: bool,
    /// Whether the session has received anything.
    pub has_input: bool,
    /// Whether the opponent is a computer.
    against_computer: bool,
    /// Excluded first moves, and the record of the game for which they hold.
    excluded: (Vec<Move>, Vec<Move>),
}

/// The required reply to a line.
#[derive(PartialEq, Eq, Debug)]
pub enum Answer {
    /// Anything.
    Any,
    /// `Illegal move` or `Error`.
    Refusal,
    /// No refusal: the move was accepted.
    NoRefusal,
    /// A result, and no search.
    Result,
}

impl Model {
    pub fn new() -> Model {
        Model {
            game: Game::new(Variant::NORMAL),
            mode: Mode::Play(Color::Black),
            due: false,
            paused: false,
            turn_wanted: None,
            ponder: false,
            hint: false,
            ponder_move_sent: false,
            pondered: None,
            agreed: false,
            pings: VecDeque::new(),
            editor: None,
            fritz: false,
            has_input: false,
            against_computer: false,
            excluded: (Vec::new(), Vec::new()),
        }
    }

    /// Returns true if the engine has no move until a piece comes.
    pub fn waits(&self) -> bool {
        let bughouse = self.game.position().variant() == Variant::BUGHOUSE;
        bughouse && !self.game.position().has_legal_move() && self.game.ending().is_none()
    }

    /// Returns true if a `ping` must wait for the engine's move.
    pub fn thinking(&self) -> bool {
        self.due && !self.paused
    }

    /// The engine has answered a `ping`.
    pub fn ponged(&mut self, number: i64) {
        assert_eq!(self.pings.pop_front(), Some(number), "pongs come in the order of the pings");
        assert!(!self.thinking(), "a pong before the move that was due");
    }

    /// The engine has resigned instead of moving.
    pub fn resigned(&mut self) {
        assert!(self.thinking(), "resigned although no move is due");
        self.due = false;
        self.agreed = false;
    }

    /// Handles a line of the client; returns the required reply.
    pub fn hear(&mut self, line: &[u8]) -> Answer {
        let first = !std::mem::replace(&mut self.has_input, true);
        let command = Command::parse(line);
        if self.editor.is_some() && !self.edit(line, command.as_ref().ok()) {
            return Answer::Any;
        }
        let Ok(command) = command else { return Answer::Any };
        match command {
            Command::Ping(number) => self.pings.push_back(number),
            Command::Fritz if first => self.fritz = true,
            Command::Edit => self.begin_edit(),
            Command::Ponder(text) => self.ponder_on(&text),
            Command::Computer => self.against_computer = true,
            Command::New => {
                self.replace(Game::new(Variant::NORMAL));
                self.against_computer = false;
                if self.mode != Mode::Analyze {
                    self.mode = Mode::Play(Color::Black);
                }
            }
            Command::Variant(name) => {
                if let Some(variant) = variant_named(&name) {
                    self.replace(Game::new(variant));
                }
            }
            Command::Setboard(fen) => {
                if let Ok(game) = Game::from_fen(self.game.position().variant(), &fen) {
                    self.replace(game);
                }
            }
            Command::Holding(Some(holding)) => self.hold(&holding),
            Command::Force => self.stop_in(Mode::Force),
            Command::Exit if self.mode == Mode::Analyze => self.stop_in(Mode::Force),
            Command::White => self.color(Color::White),
            Command::Black => self.color(Color::Black),
            Command::Undo => self.take_back(1),
            Command::Remove => self.take_back(2),
            Command::Go => return self.go(),
            Command::Playother => self.play_other(),
            Command::Analyze => self.analyze(),
            Command::Result(..) if self.mode != Mode::Analyze => self.stop_in(self.mode),
            Command::Hint if !self.paused => {
                self.settle();
                self.hint = true;
            }
            Command::Bk | Command::Setscore(..) => {
                self.settle();
            }
            Command::Exclude(moves) => self.exclude(&moves, true),
            Command::Include(moves) => self.exclude(&moves, false),
            Command::Hard => self.ponder = true,
            Command::Easy => self.ponder = false,
            Command::Pause => {
                self.paused = true;
            }
            Command::Resume => self.paused = false,
            Command::Usermove(text) | Command::Move(text) => return self.client_move(&text),
            _ => {}
        }
        Answer::Any
    }

    /// The engine has moved.
    pub fn engine_moved(&mut self, text: &str) {
        assert!(self.due, "an unexpected move: {text}");
        assert!(!self.paused, "the engine moved in a pause");
        self.ponder_move_sent = false;
        self.agreed = false;
        let mv = self.game.position().parse_move(text).expect("a legal move");
        assert!(!self.excluded().contains(&mv) || self.excludes_all(), "the engine played an excluded move");
        self.game.play(mv);
        self.due = false;
        self.hint = false;
    }

    fn client_move(&mut self, text: &str) -> Answer {
        if !self.settle() {
            return Answer::Any;
        }
        let Ok(mv) = self.position_to_move_in().parse_opponents_move(text) else { return Answer::Refusal };
        if self.due {
            return Answer::Refusal;
        }
        assert!(looks_like_a_move(text));
        let same = self.pondered == Some(mv);
        if !same {
            self.take_pondered_back();
        }
        let engine_next = same || self.mode == Mode::Play(!self.game.position().turn());
        if !same {
            self.game.play(mv);
        }
        self.stop_in(self.mode);
        if !engine_next {
            return Answer::NoRefusal;
        }
        if self.game.ending().is_some() {
            return self.result();
        }
        self.due = true;
        Answer::NoRefusal
    }

    fn go(&mut self) -> Answer {
        if !self.settle() {
            return Answer::Any;
        }
        if self.due {
            self.paused = false;
            return Answer::Any;
        }
        self.stop_in(Mode::Play(self.game.position().turn()));
        if !self.game.position().has_legal_move() && !self.waits() {
            return self.result();
        }
        self.due = true;
        Answer::Any
    }

    /// The engine's output at the end of the game: its own loss, and draws that any GUI knows. It
    /// claims no other results, which an opposing computer's GUI might dispute, or a chess server
    /// (a stalemate in atomic chess).
    fn result(&self) -> Answer {
        let Some((outcome, ending)) = self.game.ending() else { return Answer::Result };
        let admits = matches!(self.mode, Mode::Play(side) if outcome == Outcome::Win(!side));
        let is_known = admits || matches!(ending, Ending::Repetition | Ending::FiftyMoves);
        let variant = self.game.position().variant().name();
        let may_be_doubted = self.against_computer && DOUBTED.contains(&variant)
            || variant == "atomic" && ending == Ending::Stalemate;
        if may_be_doubted && !is_known { Answer::Any } else { Answer::Result }
    }

    /// Updates the pieces in hand that differ from the known ones. An additional, named piece
    /// belongs to a capture still to come, a missing piece of the side to move to a drop.
    fn hold(&mut self, holding: &Holding) {
        let Some(held) = self.game.position().hands() else { return };
        let named =
            [holding.white, holding.black].map(|hand| Role::ALL.map(|role| hand.count(role.letter())));
        let turn = self.game.position().turn().index();
        let differing: Vec<(usize, i32)> = (0..12)
            .map(|at| (at / 6, i32::from(named[at / 6][at % 6]) - i32::from(held[at / 6][at % 6])))
            .filter(|&(_, more)| more != 0)
            .collect();
        let expected = match differing[..] {
            // In bughouse the engine's captures leave the board.
            [(_, 1)] => holding.gained.is_some() && self.game.position().variant() != Variant::BUGHOUSE,
            [(side, -1)] => side == turn && holding.gained.is_none(),
            _ => false,
        };
        let news = !differing.is_empty() && !expected;
        if news || !self.excluded().is_empty() {
            self.take_pondered_back();
            if news {
                self.game.set_hands(&named);
            }
            let due = self.due;
            self.excluded.1.clear();
            self.stop_in(self.mode);
            self.due = due;
        }
    }

    fn play_other(&mut self) {
        if self.settle() {
            self.stop_in(Mode::Play(!self.game.position().turn()));
        }
    }

    fn analyze(&mut self) {
        if self.settle() && self.mode != Mode::Analyze {
            self.stop_in(Mode::Analyze);
        }
    }

    fn take_back(&mut self, plies: usize) {
        if self.game.moves().len() < plies {
            return;
        }
        let due = self.due;
        for _ in 0..plies {
            self.game.undo();
        }
        self.turn_wanted = None;
        self.excluded.1.clear();
        self.stop_in(self.mode);
        self.due = due && self.mode == Mode::Play(self.game.position().turn());
    }

    fn replace(&mut self, game: Game) {
        self.game = game;
        self.excluded.1.clear();
        self.turn_wanted = None;
        self.stop_in(self.mode);
    }

    fn exclude(&mut self, moves: &RootMoves, out: bool) {
        if !self.settle() {
            return;
        }
        let position = self.game.position();
        let meant: Vec<Move> = match moves {
            RootMoves::All => position.legal_moves().into_iter().collect(),
            RootMoves::One(text) => position.parse_move(text).into_iter().collect(),
        };
        if meant.is_empty() {
            return;
        }
        self.paused &= !self.due;
        self.agreed = false;
        let mut excluded = self.excluded().to_vec();
        excluded.retain(|mv| !meant.contains(mv));
        if out {
            excluded.extend(meant);
        }
        self.excluded = (self.game.moves().to_vec(), excluded);
    }

    fn excluded(&self) -> &[Move] {
        if self.excluded.0 == self.game.moves() { &self.excluded.1 } else { &[] }
    }

    /// Returns true if all first moves are excluded.
    pub fn excludes_all(&self) -> bool {
        self.game.position().legal_moves().iter().all(|mv| self.excluded().contains(mv))
    }

    fn begin_edit(&mut self) {
        self.stop_in(self.mode);
        let position = self.game.position();
        let turn = self.turn_wanted.take().unwrap_or(position.turn());
        self.editor = Some((Arrangement::of(position, turn), Color::White));
    }

    /// Handles a line while a board is edited; returns true if it is a command nevertheless.
    fn edit(&mut self, line: &[u8], command: Option<&Command>) -> bool {
        let Some((board, color)) = &mut self.editor else { return true };
        match EditCommand::parse(line) {
            EditCommand::Color => *color = !*color,
            EditCommand::Clear => board.pieces = [None; 64],
            EditCommand::Place { role, square, .. } => {
                board.pieces[square.index()] = Some(Piece { color: *color, role });
            }
            EditCommand::Empty(square) => board.pieces[square.index()] = None,
            EditCommand::Castle { color, wing, allowed } => {
                board.castling_lost.retain(|&lost| lost != (color, wing));
                board.castling_lost.extend((!allowed).then_some((color, wing)));
            }
            EditCommand::EnPassant(square) => board.en_passant = Some(square),
            EditCommand::Leave => self.end_edit(),
            EditCommand::Unknown(_) => {
                let ends = matches!(
                    command,
                    Some(Command::Quit | Command::New | Command::Setboard(_) | Command::Xboard)
                );
                if ends {
                    self.editor = None;
                }
                return ends || matches!(command, Some(Command::Ping(_)));
            }
        }
        false
    }

    fn end_edit(&mut self) {
        let Some((mut board, color)) = self.editor.take() else { return };
        if self.fritz {
            board.turn = color;
        }
        if let Ok(position) = board.position(self.game.position().variant()) {
            self.replace(Game::from_position(position));
        }
    }

    fn ponder_on(&mut self, text: &str) {
        if !self.settle() {
            return;
        }
        let position = self.position_to_move_in();
        if let Ok(mv) = position.parse_opponents_move(text) {
            self.take_pondered_back();
            self.excluded.1.clear();
            self.stop_in(Mode::Play(!position.turn()));
            self.game.play(mv);
            self.pondered = Some(mv);
            self.ponder_move_sent = true;
        }
    }

    /// The position in which a client's move is made.
    fn position_to_move_in(&self) -> AnyPosition {
        let mut game = self.game.clone();
        if self.pondered.is_some() {
            game.undo();
        }
        *game.position()
    }

    fn take_pondered_back(&mut self) {
        if self.pondered.take().is_some() {
            self.game.undo();
            self.excluded.1.clear();
        }
    }

    fn color(&mut self, turn: Color) {
        if self.mode == Mode::Analyze {
            self.turn_wanted = Some(turn);
            if turn != self.game.position().turn() {
                self.settle();
                self.hint = false;
            }
            return;
        }
        self.stop_in(Mode::Play(!turn));
        self.turn_wanted = Some(turn);
    }

    fn stop_in(&mut self, mode: Mode) {
        self.mode = mode;
        self.due = false;
        self.paused = false;
        self.hint = false;
        self.ponder_move_sent = false;
        self.pondered = None;
        self.agreed = false;
    }

    fn settle(&mut self) -> bool {
        let Some(turn) = self.turn_wanted.take() else { return true };
        let changes = turn != self.game.position().turn();
        let done = self.game.set_turn(turn);
        if changes && done {
            self.excluded.1.clear();
        }
        if !done && self.mode != Mode::Analyze {
            self.mode = Mode::Force;
        }
        done
    }
}
