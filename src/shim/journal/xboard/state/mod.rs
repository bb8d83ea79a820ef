//! The state of a session: the combined effect of everything that the client has sent.
//!
//! It follows what `session/` does with a command, without the rules of chess: whose turn it is follows from
//! the number of moves, and the server has said which of them are legal.

mod board;
mod moves;
mod record;
mod settings;

use super::clock::Clock;
use crate::chess::Color;
use crate::protocol::xboard::Command;
use record::Record;
use std::sync::Arc;
use std::time::Instant;

/// A line of the client or for the server, without its ending.
pub(super) type Line = Arc<[u8]>;

/// Approximate memory of a line in bytes, besides its text.
pub(super) const LINE_COST: usize = 64;
/// Maximum number of bytes of moves, and of everything else: thirteen thousand moves, and two thousand
/// settings.
const MAX_MOVE_BYTES: usize = 1 << 20;
const MAX_LINE_BYTES: usize = 256 << 10;

/// Who moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    Force,
    Play(Color),
    Analyze,
}

/// A step on the way to the current position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum GameStep {
    /// `setboard FEN`; always the first.
    Setboard(Line),
    /// The block from `edit` to `.`, and the side on move at that time.
    Edit(Color, Arc<Vec<Line>>),
    /// This side was put on move.
    Turn(Color),
    /// A move of either side, as a client writes it.
    Move(Line),
    /// A setting that depends on its position.
    Setting(Line),
    /// Takes back a move that is not the last entry.
    Undo,
}

/// Why no move is due although `force` was not sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Over {
    No,
    /// By rule, and the client has been told.
    Claimed,
    /// The engine has resigned.
    Resigned,
    /// The client has told the result.
    Told,
}

/// An unfinished `edit` block.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub(super) lines: Arc<Vec<Line>>,
    pub(super) turn: Color,
    color: Color,
    /// The board was cleared.
    cleared: bool,
}

/// The state of a session. Copies share long parts.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// Handshake and answers to features, in order.
    pub(super) greeting: Arc<Vec<Line>>,
    /// The last line of each kind, in order.
    pub(super) settings: Arc<Vec<(Arc<str>, Line)>>,
    /// `new` was sent.
    pub(super) began: bool,
    pub(super) variant: Option<Line>,
    pub(super) record: Record,
    pub(super) turn: Color,
    /// `white` or `black` was sent, and nothing has depended on it yet.
    pub(super) turn_wanted: Option<Color>,
    pub(super) mode: Mode,
    pub(super) due: bool,
    pub(super) over: Over,
    pub(super) result: Option<Line>,
    pub(super) excluded: Arc<Vec<Line>>,
    /// `ponder MOVE`, while it lasts: the place of the move in the record.
    pub(super) ordered: Option<usize>,
    /// A draw was offered, and the answer comes with the move.
    pub(super) draw: bool,
    pub(super) paused: bool,
    pub(super) edit: Option<Edit>,
    pub(super) clock: Clock,
    /// The server wants moves as `usermove`.
    pub(super) usermove: bool,
    /// The engine's moves since the position was replaced: it greets with the first.
    pub(super) engine_moves: usize,
    fritz: bool,
    depth_follows: bool,
    /// Counts the partner's texts, of which the latest are kept.
    texts: usize,
}

impl State {
    pub(super) fn new() -> State {
        State {
            greeting: Arc::default(),
            settings: Arc::default(),
            began: false,
            variant: None,
            record: Record::default(),
            turn: Color::White,
            turn_wanted: None,
            mode: Mode::Play(Color::Black),
            due: false,
            over: Over::No,
            result: None,
            excluded: Arc::default(),
            ordered: None,
            draw: false,
            paused: false,
            edit: None,
            clock: Clock::default(),
            usermove: false,
            engine_moves: 0,
            fritz: false,
            depth_follows: false,
            texts: 0,
        }
    }

    /// Recorded moves.
    pub(super) fn plies(&self) -> usize {
        self.record.plies()
    }

    /// Approximate memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.record.bytes() + self.bytes_of_lines()
    }

    /// Whether the state is too large for any chess session.
    pub(super) fn is_too_much(&self) -> bool {
        self.record.bytes() > MAX_MOVE_BYTES || self.bytes_of_lines() > MAX_LINE_BYTES
    }

    fn bytes_of_lines(&self) -> usize {
        let edit = self.edit.as_ref().map(|edit| &edit.lines);
        let lines = self
            .greeting
            .iter()
            .chain(self.excluded.iter())
            .chain(edit.into_iter().flat_map(|lines| lines.iter()));
        let settings = self.settings.iter().map(|(key, line)| key.len() + line.len() + LINE_COST);
        lines.map(|line| line.len() + LINE_COST).chain(settings).sum()
    }

    /// The server has obeyed this line of the client.
    pub(super) fn obey(&mut self, line: &[u8], at: Instant) {
        if self.edit.is_some() {
            return self.edit_line(line, at);
        }
        if let Ok(command) = Command::parse(line) {
            self.follow(&command, line, at);
        }
    }

    /// The same for a parsed line.
    pub(super) fn obey_command(&mut self, command: Option<&Command>, line: &[u8], at: Instant) {
        match command {
            _ if self.edit.is_some() => self.edit_line(line, at),
            Some(command) => self.follow(command, line, at),
            None => {}
        }
    }

    fn follow(&mut self, command: &Command, line: &[u8], at: Instant) {
        let depth_follows = std::mem::replace(&mut self.depth_follows, *command == Command::Depth);
        if let Command::Number(depth) = command {
            if depth_follows {
                self.set("sd", format!("sd {depth}").into_bytes().into());
            }
            return;
        }
        if !self.on_the_board(command, line, at) {
            self.setting(command, line, at);
        }
    }

    fn on_the_board(&mut self, command: &Command, line: &[u8], at: Instant) -> bool {
        match command {
            Command::New => self.new_game(at),
            Command::Variant(_) => {
                self.replace_board(at);
                self.variant = Some(line.into());
                self.turn = Color::White;
            }
            Command::Setboard(fen) => {
                self.replace_board(at);
                self.turn =
                    if fen.split_whitespace().nth(1) == Some("b") { Color::Black } else { Color::White };
                self.record.push(GameStep::Setboard(line.into()));
            }
            Command::Edit => {
                self.stop(at);
                let turn = self.turn_wanted.take().unwrap_or(self.turn);
                let lines = Arc::new(vec![line.into()]);
                self.edit = Some(Edit { lines, turn, color: Color::White, cleared: false });
            }
            Command::Undo => self.take_back(1, at),
            Command::Remove => self.take_back(2, at),
            Command::Force => self.force(at),
            Command::Exit if self.mode == Mode::Analyze => self.force(at),
            Command::Go => self.go(at),
            Command::Hint if !self.paused => self.settle(),
            Command::Bk => self.settle(),
            Command::Playother => {
                self.settle();
                self.stop(at);
                self.over = Over::No;
                self.mode = Mode::Play(!self.turn);
            }
            Command::White => self.put_on_move(Color::White, at),
            Command::Black => self.put_on_move(Color::Black, at),
            Command::Usermove(_) | Command::Move(_) => self.client_move(line, at),
            Command::Analyze => {
                self.settle();
                if self.mode != Mode::Analyze {
                    self.stop(at);
                    self.mode = Mode::Analyze;
                    self.draw = false;
                }
            }
            Command::Ponder(mv) => self.ponder_on(mv.as_bytes(), at),
            Command::Result(..) => {
                if self.mode != Mode::Analyze {
                    self.stop(at);
                }
                self.result = Some(line.into());
                self.over = Over::Told;
                self.draw = false;
            }
            Command::Draw => self.draw = self.due || self.mode == Mode::Force,
            Command::Pause if !self.paused => {
                self.paused = true;
                self.clock.stop(at);
            }
            Command::Resume => self.resume(at),
            Command::Exclude(moves) | Command::Include(moves) => self.exclude(moves, line),
            Command::Setscore(..) => {
                self.settle();
                self.record.push(GameStep::Setting(line.into()));
            }
            _ => return false,
        }
        true
    }

    /// Stops the current activity, and a pause.
    pub(super) fn stop(&mut self, at: Instant) {
        self.clock.stop(at);
        self.due = false;
        self.paused = false;
        self.ordered = None;
    }

    fn force(&mut self, at: Instant) {
        self.stop(at);
        self.draw = false;
        self.mode = Mode::Force;
    }

    fn go(&mut self, at: Instant) {
        self.settle();
        if self.due {
            return self.resume(at);
        }
        self.stop(at);
        self.over = Over::No;
        self.mode = Mode::Play(self.turn);
        self.think(at);
    }

    fn think(&mut self, at: Instant) {
        self.due = true;
        self.clock.start(at);
    }

    fn resume(&mut self, at: Instant) {
        if std::mem::take(&mut self.paused) && self.due {
            self.clock.start(at);
        }
    }

    fn put_on_move(&mut self, turn: Color, at: Instant) {
        if self.mode != Mode::Analyze {
            self.stop(at);
            self.over = Over::No;
            self.mode = Mode::Play(!turn);
        }
        self.turn_wanted = Some(turn);
        if self.mode == Mode::Analyze && turn != self.turn {
            self.settle();
        }
    }

    /// Something depends on whose turn it is.
    fn settle(&mut self) {
        if let Some(turn) = self.turn_wanted.take()
            && turn != self.turn
        {
            self.record.push(GameStep::Turn(turn));
            self.turn = turn;
            self.board_changed();
        }
    }

    /// Whether this line would put the side named by `white` or `black` on move.
    pub(super) fn would_turn(&self, line: &[u8]) -> bool {
        let Ok(command) = Command::parse(line) else { return false };
        let wanted = match command {
            _ if self.edit.is_some() => None,
            Command::White if self.mode == Mode::Analyze => Some(Color::White),
            Command::Black if self.mode == Mode::Analyze => Some(Color::Black),
            _ if depends_on_the_turn(&command) => self.turn_wanted,
            _ => None,
        };
        wanted.is_some_and(|turn| turn != self.turn)
    }

    /// The server has refused this line after it looked at its content.
    pub(super) fn refuse(&mut self, line: &[u8]) {
        if self.edit.is_none() && Command::parse(line).is_ok_and(|command| depends_on_the_turn(&command)) {
            self.settle();
        }
    }

    /// The server has refused this line, since the named side cannot be on move.
    pub(super) fn refuse_turn(&mut self, line: &[u8], at: Instant) {
        if let Ok(Command::White | Command::Black) = Command::parse(line) {
            return;
        }
        self.turn_wanted = None;
        if matches!(self.mode, Mode::Play(_)) {
            self.stop(at);
            self.mode = Mode::Force;
        }
    }
}

fn depends_on_the_turn(command: &Command) -> bool {
    matches!(
        command,
        Command::Go
            | Command::Playother
            | Command::Usermove(_)
            | Command::Move(_)
            | Command::Analyze
            | Command::Hint
            | Command::Bk
            | Command::Exclude(_)
            | Command::Include(_)
            | Command::Setscore(..)
            | Command::Ponder(_)
    )
}
