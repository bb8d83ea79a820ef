//! What the protocol asks of a session, in a form simple enough to be believed.

use farboard::chess::{Color, Game, Variant};
use farboard::protocol::xboard::{Command, looks_like_a_move};

/// Who moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Force,
    Play(Color),
    Analyze,
}

/// The state a session should have.
pub struct Model {
    pub game: Game,
    pub mode: Mode,
    /// The engine owes a move.
    pub due: bool,
    pub paused: bool,
    /// `white` or `black` was said and nothing yet that depends on it.
    pub turn_wanted: Option<Color>,
    pub ponder: bool,
    /// A hint was asked for since the board last changed.
    pub hint: bool,
}

/// What a line must be answered with, among other things.
#[derive(PartialEq, Eq, Debug)]
pub enum Answer {
    /// Whatever is right for the command.
    Any,
    /// `Illegal move` or `Error`: the move cannot be played.
    Refusal,
    /// The move was accepted: no refusal.
    NoRefusal,
    /// This and nothing else.
    Pong(i64),
    /// A result, and no search.
    Result,
}

impl Model {
    pub fn new() -> Model {
        Model {
            game: Game::new(Variant::Normal),
            mode: Mode::Play(Color::Black),
            due: false,
            paused: false,
            turn_wanted: None,
            ponder: false,
            hint: false,
        }
    }

    /// The client said this.
    pub fn hear(&mut self, line: &[u8]) -> Answer {
        let Ok(command) = Command::parse(line) else { return Answer::Any };
        match command {
            Command::Ping(number) => return Answer::Pong(number),
            Command::New => {
                self.replace(Game::new(Variant::Normal));
                if self.mode != Mode::Analyze {
                    self.mode = Mode::Play(Color::Black);
                }
            }
            Command::Variant(name) => {
                if let Some(variant) = Variant::from_name(&name) {
                    self.replace(Game::new(variant));
                }
            }
            Command::Setboard(fen) => {
                if let Ok(game) = Game::from_fen(self.game.position().variant(), &fen) {
                    self.replace(game);
                }
            }
            Command::Force => self.stop_in(Mode::Force),
            Command::Exit if self.mode == Mode::Analyze => self.stop_in(Mode::Force),
            Command::White => self.color(Color::White),
            Command::Black => self.color(Color::Black),
            Command::Undo => self.take_back(1),
            Command::Remove => self.take_back(2),
            Command::Go => return self.go(),
            Command::Playother => {
                if self.settle() {
                    self.stop_in(Mode::Play(!self.game.position().turn()));
                }
            }
            Command::Analyze => {
                if self.settle() && self.mode != Mode::Analyze {
                    self.stop_in(Mode::Analyze);
                }
            }
            Command::Result(..) if self.mode != Mode::Analyze => self.stop_in(self.mode),
            Command::Hint if !self.paused => {
                self.settle();
                self.hint = true;
            }
            Command::Hard => self.ponder = true,
            Command::Easy => self.ponder = false,
            Command::Pause => {
                self.paused = true;
                self.hint = false;
            }
            Command::Resume => self.paused = false,
            Command::Usermove(text) | Command::Move(text) => return self.client_move(&text),
            _ => {}
        }
        Answer::Any
    }

    /// The engine moved.
    pub fn engine_moved(&mut self, text: &str) {
        assert!(self.due, "a move nobody waits for: {text}");
        assert!(!self.paused, "a move in a pause");
        let mv = self.game.position().parse_move(text).expect("a legal move");
        self.game.play(mv);
        self.due = false;
        self.hint = false;
    }

    fn client_move(&mut self, text: &str) -> Answer {
        if !self.settle() {
            return Answer::Any;
        }
        let Ok(mv) = self.game.position().parse_move(text) else { return Answer::Refusal };
        if self.due {
            return Answer::Refusal;
        }
        assert!(looks_like_a_move(text));
        let engine_next = self.mode == Mode::Play(!self.game.position().turn());
        self.game.play(mv);
        self.stop_in(self.mode);
        if !engine_next {
            return Answer::NoRefusal;
        }
        if self.game.ending().is_some() {
            return Answer::Result;
        }
        self.due = true;
        Answer::NoRefusal
    }

    fn go(&mut self) -> Answer {
        if !self.settle() || self.due {
            return Answer::Any;
        }
        self.stop_in(Mode::Play(self.game.position().turn()));
        if !self.game.position().has_legal_move() {
            return Answer::Result;
        }
        self.due = true;
        Answer::Any
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
        self.stop_in(self.mode);
        self.due = due && self.mode == Mode::Play(self.game.position().turn());
    }

    fn replace(&mut self, game: Game) {
        self.game = game;
        self.turn_wanted = None;
        self.stop_in(self.mode);
    }

    fn color(&mut self, turn: Color) {
        self.stop_in(Mode::Play(!turn));
        self.turn_wanted = Some(turn);
    }

    fn stop_in(&mut self, mode: Mode) {
        self.mode = mode;
        self.due = false;
        self.paused = false;
        self.hint = false;
    }

    fn settle(&mut self) -> bool {
        self.turn_wanted.take().is_none_or(|turn| self.game.set_turn(turn))
    }
}
