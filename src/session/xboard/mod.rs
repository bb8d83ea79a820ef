//! The session of a client that speaks the protocol of xboard and WinBoard.
//!
//! [`Session`] is the state of a connection and its behaviour under this protocol; `player` is
//! shared by all protocols.
//!
//! * `commands`: dispatch of commands. `gui`: the client and its settings. `context`: its reports
//!   about the game.
//! * `play`: `force`, `go`, moves of both sides. `search`: start, events and end of searches.
//!   `lines`: thinking lines.
//! * `pondering`, `analysis`, `hint`, `book`, `exclude`, `ping`: one command or topic each.
//! * `kriegspiel`: the umpire between the engine and the client.
//! * `result`: results. `repetition`: repetitions that xboard does not count. `offers`: draw offers
//!   and resignation. `kibitz`: greeting and comments. `partner`: bughouse.
//! * `board`: the game and the sides; `new`, `setboard`, `undo`. `edit`: the old way to set up a
//!   position.
//! * `closing`: the end of a session. `terminal`: commands for a user at a terminal.
//! * `archive`: finished games. `options`: features and options.
//! * `state`: a session as text. `takeover`: restored sessions, and lines that crashed several
//!   servers.

mod analysis;
mod archive;
mod board;
mod book;
mod closing;
mod commands;
mod context;
mod edit;
mod exclude;
#[cfg(test)]
pub(crate) mod fault;
mod gui;
mod hint;
mod kibitz;
mod kriegspiel;
mod lines;
mod offers;
mod options;
mod partner;
mod ping;
mod play;
mod pondering;
mod repetition;
mod result;
mod search;
mod state;
mod takeover;
mod terminal;

pub use context::{GameContext, Opponent};
pub use gui::Gui;
pub use partner::{Partner, PartnerRequests};

use super::player::Player;
use super::{Activity, Effect, FileRequest, Input, Setup, Status, effect};
use crate::chess::{Color, Game};
use crate::protocol::http;
use crate::protocol::xboard::{ErrorReason, Reply, variant_name};
use crate::session::closing::Closing;
use crate::session::finished_game::{GameRecorder, by_color};
use crate::session::picture::{GameOnBoard, Scene};
use board::Board;
use edit::Editor;
use kriegspiel::Umpire;
use offers::Offers;
use pondering::Pondering;
use std::time::Instant;

/// The state of one connection.
pub struct Session {
    pub(super) player: Player,
    gui: Gui,
    context: GameContext,
    board: Board,
    pondering: Pondering,
    umpire: Umpire,
    offers: Offers,
    /// Numbers of `ping`s to answer after the engine's move.
    pings: Vec<i64>,
    editor: Option<Box<Editor>>,
    recorder: GameRecorder,
    closing: Closing,
}

/// The side that the engine plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// None: the client moves for both sides.
    Force,
    /// This side.
    Play(Color),
    /// None: the client moves for both sides, and the engine analyses.
    Analyze,
}

impl Mode {
    /// Returns true if the engine plays a side.
    fn plays(self) -> bool {
        matches!(self, Mode::Play(_))
    }
}

/// A step with the replies of this protocol.
type Step<'a> = effect::Step<'a, Reply>;

impl Session {
    /// A session without any input yet.
    pub fn new(setup: Setup) -> Session {
        Session {
            player: Player::new(setup),
            gui: Gui::default(),
            context: GameContext::default(),
            board: Board::default(),
            pondering: Pondering::default(),
            umpire: Umpire::default(),
            offers: Offers::default(),
            pings: Vec::new(),
            editor: None,
            recorder: GameRecorder::default(),
            closing: Closing::No,
        }
    }

    /// The game on the board.
    pub fn game(&self) -> &Game {
        &self.board.game
    }

    /// Bytes of memory that grow with the length of the game.
    pub(crate) fn game_bytes(&self) -> usize {
        self.board.game.heap_bytes() + self.recorder.heap_bytes()
    }

    /// The client's reports about itself, and its settings.
    pub fn gui(&self) -> &Gui {
        &self.gui
    }

    /// The client's reports about the game.
    pub fn context(&self) -> &GameContext {
        &self.context
    }

    /// Handles one input at the instant `now` and appends its effects in order.
    pub fn handle(&mut self, input: Input<'_>, now: Instant, effects: &mut Vec<Effect<Reply>>) {
        if self.closing == Closing::Closed {
            return;
        }
        #[cfg(test)]
        let fatal = fault::is_fatal(&input);
        let step = &mut Step { now, effects };
        match input {
            Input::Line(line) => {
                let is_first = self.gui.receive_line();
                if http::is_request(line, is_first) {
                    http::REFUSAL.iter().for_each(|line| step.reply(Reply::Http(line)));
                    self.close(step);
                } else {
                    self.line(line, step);
                }
            }
            Input::LineTooLong(limit) => {
                self.gui.receive_unread_line();
                let what = format!("line too long, {limit} bytes at most");
                self.refuse(ErrorReason::Argument(what), String::new(), step);
            }
            Input::Interrupt => self.interrupt(step),
            Input::Eof => self.end_of_input(step),
            Input::Search(id, event) => self.search_event(id, event, step),
            Input::Timer => self.timer(step),
            Input::Book(Ok(book)) => self.player.engine.own_book = Some(book),
            Input::Book(Err(why)) => {
                step.reply(Reply::Tellusererror(format!("The book cannot be used: {why}")));
            }
            Input::NotSaved(why) => {
                step.reply(Reply::Tellusererror(format!("The game was not saved: {why}")))
            }
            Input::Drain(cause) => self.drain(cause, step),
            Input::Undrain => self.closing.undrain(),
            Input::Resumed(takeover) => self.resumed(takeover, step),
            Input::Refused(line) => self.refuse_fatal(line, step),
        }
        self.answer_pings(step);
        self.close_if_done(step);
        self.check_invariants();
        #[cfg(test)]
        assert!(!fatal, "this panic is part of a test");
    }

    /// Refuses a line that cannot be executed.
    fn refuse(&self, reason: ErrorReason, line: String, step: &mut Step<'_>) {
        step.reply(if self.player.engine.options.old_gui {
            Reply::OldError(reason, line)
        } else {
            Reply::Error(reason, line)
        });
    }

    fn check_invariants(&self) {
        self.player.check_invariants();
        debug_assert!(self.board.fits(&self.player), "a search that does not fit the mode");
        debug_assert!(
            self.closing != Closing::Closed || self.player.search().is_none(),
            "a search of a closed session"
        );
    }

    /// The status at the instant `now`.
    pub fn status_at(&self, now: Instant) -> Status {
        let status = self.player.status_at(now);
        Status {
            activity: self.activity(status.activity),
            variant: variant_name(self.board.position().variant()).to_owned(),
            opponent: self.context.opponent.name.clone(),
            interrupts: self.gui.interrupts,
            ..status
        }
    }

    /// The game for watchers. Players could learn from one of kriegspiel or bughouse until it is
    /// over.
    pub(super) fn scene(&self, now: Instant) -> Option<Scene<'_>> {
        let engine = match self.board.mode {
            Mode::Play(side) => Some(side),
            Mode::Force | Mode::Analyze => None,
        };
        let Opponent { name, clock, .. } = &self.context.opponent;
        let is_secret = self.board.is_hidden() || self.board.position().variant().has_partner();
        (self.gui.has_spoken() && (!is_secret || self.board.over)).then_some(Scene {
            game: GameOnBoard::Chess(&self.board.game),
            engine,
            answered: None,
            notes: self.recorder.notes(),
            opponent: name,
            clocks: engine.map_or([None; 2], |side| by_color(side, self.player.clock_at(now), *clock)),
            clocks_run: true,
            claims: engine.is_some() || self.board.over,
            verdict: None,
            admits_guests: false,
        })
    }

    /// An analysis counts as such even while its search waits.
    fn activity(&self, player: Activity) -> Activity {
        if !self.gui.has_spoken() {
            Activity::Silent
        } else if self.editor.is_some() {
            Activity::Editing
        } else if self.board.mode == Mode::Analyze && player == Activity::Idle {
            Activity::Analysing
        } else {
            player
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Books;
    use crate::session::Profile;
    use std::sync::Arc;
    use std::time::Duration;

    #[test]
    fn survives_hours_of_silence() {
        let profile = Arc::new(Profile::new("", Books::default()));
        let mut session = Session::new(Setup { seed: 0, identity: 1, profile });
        let mut now = Instant::now();
        let mut effects = Vec::new();
        for line in ["xboard", "protover 2", "new", "force", "e2e4"] {
            session.handle(Input::Line(line.as_bytes()), now, &mut effects);
        }
        effects.clear();
        for _ in 0..3 {
            now += Duration::from_secs(2 * 60 * 60);
            session.handle(Input::Line(b"ping 1"), now, &mut effects);
            assert!(matches!(effects[..], [Effect::Send(Reply::Pong(1))]), "no timer and no farewell");
            effects.clear();
        }
        session.handle(Input::Line(b"e7e5"), now, &mut effects);
        assert_eq!((session.game().moves().len(), effects.len()), (2, 0));
    }
}
