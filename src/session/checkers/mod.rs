//! The session of a client that speaks the Checkers Protocol.
//!
//! [`Session`] is the state of a connection and its behaviour under this protocol; `player` is
//! shared by all protocols.
//!
//! * `commands`: dispatch of commands. `waiting`: commands that arrive during a search.
//! * `board`: the game on the board, and the client's numbering of the squares.
//! * `thinking`: `GO`, `STOP`, search events and the answer. `progress`: pacing of `INFO`.
//! * `parameters`: the settings of a client.
//! * `closing`: the end of a session. `state`: a session as text. `takeover`: restored sessions,
//!   and lines that crashed several servers.

mod archive;
mod board;
mod closing;
mod commands;
mod parameters;
mod progress;
mod state;
mod takeover;
mod thinking;
mod waiting;

pub use board::{BoardError, Orientation};
pub use parameters::{PARAMETERS, Parameter, ParameterError};

use super::player::Player;
use super::{Effect, Input, Setup, Status, effect};
use crate::draughts::Game;
use crate::protocol::checkers::{Dialect, GameCommand, Reply};
use crate::protocol::http;
use crate::session::closing::Closing;
use crate::session::picture::{GameOnBoard, Scene};
use archive::OurPart;
use board::Board;
use parameters::Settings;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;
use thinking::Thinking;

/// The conventions of a listener's programs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Manners {
    /// The format of parameter lists, and of the end of a game.
    pub dialect: Dialect,
    /// The numbering of the squares.
    pub orientation: Orientation,
}

/// The state of one connection.
pub struct Session {
    pub(super) player: Player,
    manners: Manners,
    board: Board,
    settings: Settings,
    /// The search in progress.
    thinking: Option<Thinking>,
    /// Commands about the game that arrived during the search, in order.
    waiting: VecDeque<GameCommand>,
    /// Whether a move or a `GO` of this game was dropped because too many commands waited.
    has_hole: bool,
    /// Whether the client has sent anything.
    heard: bool,
    /// Whether `INIT` was received.
    initialised: bool,
    /// The engine's part in the game, for the archive.
    our_part: Option<OurPart>,
    closing: Closing,
}

/// A step with the replies of this protocol.
type Step<'a> = effect::Step<'a, Reply>;

impl Session {
    /// A session without any input yet.
    pub fn new(setup: Setup, manners: Manners) -> Session {
        let settings = Settings::new(&setup.profile);
        Session {
            player: Player::new(setup),
            manners,
            board: Board::new(manners.orientation),
            settings,
            thinking: None,
            waiting: VecDeque::new(),
            has_hole: false,
            heard: false,
            initialised: false,
            our_part: None,
            closing: Closing::No,
        }
    }

    /// The conventions of the client.
    pub fn manners(&self) -> Manners {
        self.manners
    }

    /// The game on the board, in PDN's orientation.
    pub fn game(&self) -> &Game {
        self.board.game()
    }

    /// Bytes of memory that grow with the length of the game.
    pub(crate) fn game_bytes(&self) -> usize {
        self.game().heap_bytes()
    }

    /// Sends the greeting: "Must be sent once at the very beginning."
    pub fn open(&self, effects: &mut Vec<Effect<Reply>>) {
        effects.push(Effect::Send(Reply::Ready));
        effects.push(Effect::SolveEndgames(Arc::clone(&self.player.engine.profile().endgames)));
    }

    /// Handles one input at the instant `now` and appends its effects in order.
    pub fn handle(&mut self, input: Input<'_>, now: Instant, effects: &mut Vec<Effect<Reply>>) {
        if self.closing == Closing::Closed {
            return;
        }
        let step = &mut Step { now, effects };
        match input {
            Input::Line(line) => {
                let first = !std::mem::replace(&mut self.heard, true);
                if http::is_request(line, first) {
                    self.refuse_http(step);
                } else {
                    self.line(line, step);
                }
            }
            Input::LineTooLong(limit) => {
                self.heard = true;
                alert(format!("line too long: {limit} bytes at most"), step);
            }
            Input::Eof => self.end_of_input(step),
            Input::Search(id, event) => self.search_event(id, event, step),
            Input::Timer => self.timer(step),
            Input::Drain(cause) => self.drain(cause, step),
            Input::Undrain => self.closing.undrain(),
            Input::Resumed(takeover) => self.resumed(takeover, step),
            Input::Refused(line) => self.refuse_fatal(line, step),
            Input::Interrupt | Input::Book(_) | Input::NotSaved(_) => {}
        }
        self.catch_up(step);
        self.close_if_done(step);
        self.check_invariants();
    }

    /// The status at the instant `now`.
    pub fn status_at(&self, now: Instant) -> Status {
        if !self.heard {
            return Status { variant: VARIANT.to_owned(), ..Status::silent() };
        }
        Status {
            variant: VARIANT.to_owned(),
            opponent: self.settings.opponent_for_status().to_owned(),
            ..self.player.status_at(now)
        }
    }

    /// The game for watchers.
    pub(super) fn scene(&self, _now: Instant) -> Option<Scene<'_>> {
        self.heard.then_some(Scene {
            game: GameOnBoard::Draughts(self.game()),
            engine: self.thinking.is_some().then(|| self.game().position().turn()),
            answered: None,
            notes: &[],
            opponent: self.settings.opponent_for_status(),
            clocks: [None; 2],
            clocks_run: true,
            claims: true,
            verdict: None,
            admits_guests: false,
        })
    }

    fn check_invariants(&self) {
        self.player.check_invariants();
        debug_assert_eq!(
            self.thinking.is_some(),
            self.player.search().is_some(),
            "a search without a purpose"
        );
        debug_assert!(self.thinking.is_some() || self.waiting.is_empty(), "commands wait for nothing");
        debug_assert!(
            self.closing != Closing::Closed || self.thinking.is_none(),
            "a search of a closed session"
        );
    }
}

/// The word for the game in lists of sessions.
const VARIANT: &str = "checkers";

/// Sends an alert to the client.
fn alert(what: impl ToString, step: &mut Step<'_>) {
    step.reply(Reply::Alert(what.to_string()));
}
