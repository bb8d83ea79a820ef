//! The session of a client that speaks UCI.
//!
//! [`Session`] is the state of a connection and its behaviour under this protocol; `player` is
//! shared by all protocols.
//!
//! * `commands`: dispatch of commands.
//! * `archive`: games that have ended, for the server's archive.
//! * `board`: the client's position, which it sends before each `go`.
//! * `go`: the limits of a `go`. `thinking`: from `go` to `bestmove`: `ponderhit`, `stop`, search
//!   events.
//! * `lines`: variations, and the first move being searched.
//! * `options`: the settings of a client. `show`: `d` and `eval`.
//! * `closing`: the end of a session. `state`: a session as text. `takeover`: restored sessions,
//!   and lines that crashed several servers.

mod archive;
mod board;
mod closing;
mod commands;
mod go;
mod lines;
mod options;
mod show;
mod state;
mod takeover;
mod thinking;

pub use board::PositionError;

use super::player::Player;
use super::{Effect, Input, Setup, Status, effect};
use crate::chess::{Game, Move};
use crate::protocol::http;
use crate::protocol::uci::Reply;
use crate::session::closing::Closing;
use crate::session::finished_game::by_color;
use crate::session::picture::{GameOnBoard, Scene};
use crate::session::player::Purpose;
use archive::PlayedGame;
use board::Board;
use options::Settings;
use std::time::Instant;
use thinking::Thinking;

/// The state of one connection.
pub struct Session {
    pub(super) player: Player,
    settings: Settings,
    board: Board,
    /// The `go` whose `bestmove` is due, or will be.
    thinking: Option<Box<Thinking>>,
    /// The ply of the engine's last move in a game with a clock, if the next clock may show its
    /// cost.
    clocked_ply: Option<usize>,
    /// Whether the last `go` belonged to a game, not an analysis.
    in_game: bool,
    /// The engine's move in a game, until the client sends the next position.
    answered: Option<Move>,
    /// Whether the client has sent anything.
    heard: bool,
    /// `debug on`
    debug: bool,
    /// The current game, for the archive.
    played: Option<Box<PlayedGame>>,
    closing: Closing,
}

/// A step with the replies of this protocol.
type Step<'a> = effect::Step<'a, Reply>;

impl Session {
    /// A session without any input yet.
    pub fn new(setup: Setup) -> Session {
        let settings = Settings::default();
        let mut session = Session {
            player: Player::new(setup),
            board: Board::new(settings.rules()),
            settings,
            thinking: None,
            clocked_ply: None,
            in_game: false,
            answered: None,
            heard: false,
            debug: false,
            played: None,
            closing: Closing::No,
        };
        session.profile_chosen();
        session
    }

    /// The client's last game. Meaningless if there is a [`PositionError`].
    pub fn game(&self) -> &Game {
        self.board.game()
    }

    /// Bytes of memory that grow with the length of the game.
    pub(crate) fn game_bytes(&self) -> usize {
        self.board.heap_bytes() + self.played.as_deref().map_or(0, PlayedGame::heap_bytes)
    }

    /// The error of the client's last position, if it is unusable.
    pub fn position_error(&self) -> Option<&PositionError> {
        self.board.error()
    }

    /// Handles one input at the instant `now` and appends its effects in order.
    pub fn handle(&mut self, input: Input<'_>, now: Instant, effects: &mut Vec<Effect<Reply>>) {
        if self.closing == Closing::Closed {
            return;
        }
        let step = &mut Step { now, effects };
        match input {
            // Lines after `quit` do not count.
            Input::Line(_) | Input::LineTooLong(_) | Input::Refused(_) if self.closing == Closing::Owing => {}
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
                // Its content is unknown: a game that was too long must not be taken for the one
                // before.
                self.board.forget();
                remark(format!("line too long: {limit} bytes at most"), step);
            }
            Input::Eof => self.end_of_input(step),
            Input::Search(id, event) => self.search_event(id, event, step),
            Input::Timer => self.timer(step),
            Input::Book(found) => self.book_opened(found, step),
            Input::Drain(cause) => drop(self.closing.drain(cause)),
            Input::Undrain => self.closing.undrain(),
            Input::Resumed(takeover) => self.resumed(takeover, step),
            Input::Refused(line) => self.refuse_fatal(line, step),
            Input::Interrupt | Input::NotSaved(_) => {}
        }
        self.close_if_done(step);
        self.check_invariants();
    }

    /// The status at the instant `now`.
    pub fn status_at(&self, now: Instant) -> Status {
        if !self.heard {
            return Status::silent();
        }
        Status {
            variant: self.game().position().variant().name().to_owned(),
            opponent: self.settings.opponent.clone(),
            ..self.player.status_at(now)
        }
    }

    /// The game for watchers. The engine's side in a game is the one that was
    /// to move at the last `go`.
    pub(super) fn scene(&self, now: Instant) -> Option<Scene<'_>> {
        let turn = self.game().position().turn();
        let is_engines = self.thinking.is_some() || self.answered.is_some();
        let engine = self.in_game.then_some(if is_engines { turn } else { !turn });
        let variant = self.game().position().variant();
        let is_secret = variant.rules().hidden || variant.has_partner();
        (self.heard && self.board.error().is_none() && !is_secret).then_some(Scene {
            game: GameOnBoard::Chess(self.game()),
            engine,
            // The rules may have changed since.
            answered: self.answered.filter(|&mv| self.game().position().is_legal(mv)),
            notes: self.played.as_ref().map_or(&[], |played| played.recorder.notes()),
            opponent: &self.settings.opponent,
            clocks: engine.map_or([None; 2], |side| by_color(side, self.player.clock_at(now), None)),
            clocks_run: true,
            claims: engine.is_some(),
            verdict: None,
            admits_guests: false,
        })
    }

    fn check_invariants(&self) {
        self.player.check_invariants();
        debug_assert!(
            self.thinking.is_some() || self.player.search().is_none(),
            "a search that no go has asked for"
        );
        debug_assert!(
            self.thinking
                .as_ref()
                .is_none_or(|thinking| thinking.is_perft()
                    == matches!(self.player.purpose(), Some(Purpose::Perft(_)))),
            "a count of leaves without its search"
        );
        debug_assert!(
            self.closing != Closing::Closed || self.thinking.is_none(),
            "a move is due in a closed session"
        );
    }
}

/// Sends a remark, which only people read.
fn remark(what: impl ToString, step: &mut Step<'_>) {
    step.reply(Reply::Remark(what.to_string()));
}
