//! The session of a client that speaks the web protocol (`docs/web.md`).
//!
//! [`Session`] is the state of a connection and its behaviour under this protocol; `player` is
//! shared by all protocols.
//!
//! * `requests`: dispatch of messages. `show`: messages about the game. `lines`: variations.
//! * `record`: the game on the board. `match_terms`: the terms of a game. `clocks`: both clocks.
//! * `new_game`, `play`: a game against the engine. `verdict`: its end. `offers`: draws and
//!   resignation. `archive`: finished games.
//! * `analysis`, `sharing`, `load`, `review`, `hint`: one request or topic each.
//! * `search`: searches and the timer.
//! * `closing`: the end of a session. `state`: a session as text. `takeover`: restored sessions,
//!   and lines that crashed several servers.

mod analysis;
mod archive;
mod clocks;
mod closing;
mod hint;
mod lines;
mod load;
mod match_terms;
mod new_game;
mod offers;
mod play;
mod record;
mod requests;
mod review;
mod search;
mod sharing;
mod show;
mod state;
mod takeover;
mod verdict;

pub(crate) use lines::{of_white, variation_words};

use super::player::Player;
use super::{Activity, Effect, Input, KeptGame, Setup, Status, effect};
use crate::chess::{Color, Game, Variant};
use crate::protocol::http;
use crate::protocol::web::{Message, Mode, Reply};
use crate::session::closing::Closing;
use crate::session::finished_game::GameRecorder;
use crate::session::picture::Scene;
use clocks::Clocks;
use match_terms::MatchTerms;
use offers::Offers;
use review::Review;
use std::time::Instant;
use verdict::Verdict;

/// The state of one connection.
pub struct Session {
    pub(super) player: Player,
    mode: Mode,
    game: KeptGame,
    /// The names of White and Black in a game that was loaded; empty if unknown.
    players: [String; 2],
    /// The terms of the last game against the engine.
    terms: Option<Box<MatchTerms>>,
    clocks: Option<Clocks>,
    /// The end of the game, unless the rules have ended it.
    verdict: Option<Verdict>,
    offers: Offers,
    task: Task,
    /// The key of others who may move in an analysis.
    guest_key: Option<Box<str>>,
    recorder: GameRecorder,
    /// Whether the client has sent anything.
    heard: bool,
    /// The instant of the last [`Effect::Timer`], for the player's timer or the person's clock.
    timer: Option<Instant>,
    /// Until then no flag falls: after a loss of the server, a move may still be on its way.
    flags_from: Option<Instant>,
    closing: Closing,
}

/// A task of the engine besides playing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Task {
    /// Nothing.
    None,
    /// Analyses the position on the board.
    Analysis,
    /// Analyses one position of the game after another.
    Review(Review),
}

/// A step with the replies of this protocol.
type Step<'a> = effect::Step<'a, Reply>;

impl Session {
    /// A session without any input yet.
    pub fn new(setup: Setup) -> Session {
        Session {
            player: Player::new(setup),
            mode: Mode::Idle,
            game: KeptGame::Chess(Box::new(Game::new(Variant::NORMAL))),
            players: Default::default(),
            terms: None,
            clocks: None,
            verdict: None,
            offers: Offers::default(),
            task: Task::None,
            guest_key: None,
            recorder: GameRecorder::default(),
            heard: false,
            timer: None,
            flags_from: None,
            closing: Closing::No,
        }
    }

    /// Bytes of memory that grow with the length of the game.
    pub(crate) fn game_bytes(&self) -> usize {
        self.game.heap_bytes() + self.recorder.heap_bytes()
    }

    /// Handles one input at the instant `now` and appends its effects in order.
    pub fn handle(&mut self, input: Input<'_>, now: Instant, effects: &mut Vec<Effect<Reply>>) {
        if self.closing == Closing::Closed {
            return;
        }
        let first_effect = effects.len();
        let step = &mut Step { now, effects };
        match input {
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
                let text = format!("the line is too long: {limit} bytes at most");
                send(Message::error(None, text), step);
            }
            Input::Eof => self.end_of_input(step),
            Input::Search(id, event) => self.search_event(id, event, step),
            Input::Timer => self.timer(step),
            Input::Drain(cause) => self.drain(cause, step),
            Input::Undrain => self.closing.undrain(),
            Input::Resumed(takeover) => self.resumed(takeover, step),
            Input::Refused(line) => self.refuse_fatal(line, step),
            Input::Book(_) | Input::Interrupt | Input::NotSaved(_) => {}
        }
        self.close_if_done(step);
        self.merge_timers(first_effect, effects);
        self.check_invariants();
    }

    /// The status at the instant `now`.
    pub fn status_at(&self, now: Instant) -> Status {
        let opponent = self.terms.as_ref().filter(|_| self.mode == Mode::Play);
        let status = self.player.status_at(now);
        Status {
            activity: self.activity(status.activity),
            variant: self.game.name().to_owned(),
            opponent: opponent.map(|terms| terms.name.clone()).unwrap_or_default(),
            ..status
        }
    }

    /// The game for watchers.
    pub(super) fn scene(&self, now: Instant) -> Option<Scene<'_>> {
        let terms = self.terms.as_deref().filter(|_| self.mode == Mode::Play);
        let clock = |clocks: &Clocks, side| i64::try_from(clocks.left(side, now).as_millis()).ok();
        (self.heard && self.mode != Mode::Idle).then_some(Scene {
            game: self.game.on_board(),
            engine: terms.map(|terms| !terms.person),
            answered: None,
            notes: self.recorder.notes(),
            opponent: terms.map_or("", |terms| &terms.name),
            clocks: self
                .clocks
                .as_ref()
                .map_or([None; 2], |clocks| Color::ALL.map(|side| clock(clocks, side))),
            clocks_run: self.clocks.as_ref().is_some_and(|clocks| clocks.running.is_some()),
            claims: self.claims(),
            verdict: self.verdict.map(|verdict| (verdict.outcome(&self.game), verdict.reason(&self.game))),
            admits_guests: self.admits_guests(),
        })
    }

    /// An analysis counts as such even while its search waits.
    fn activity(&self, player: Activity) -> Activity {
        let has_work = player == Activity::Idle && self.game.goes_on();
        match (self.heard, self.task) {
            (false, _) => Activity::Silent,
            (true, Task::Analysis | Task::Review(_)) if has_work => Activity::Analysing,
            (true, Task::None | Task::Analysis | Task::Review(_)) => player,
        }
    }

    fn check_invariants(&self) {
        self.player.check_invariants();
        debug_assert!(self.fits_search(), "a search that nothing has asked for");
        debug_assert!(
            self.closing != Closing::Closed || self.player.search().is_none(),
            "a search of a closed session"
        );
    }
}

#[cfg(test)]
mod tests;

/// Sends a message to the client.
fn send(message: Message, step: &mut Step<'_>) {
    step.reply(Reply::Message(message));
}

/// Sends a remark for the person.
fn note(text: impl ToString, step: &mut Step<'_>) {
    send(Message::Note { text: text.to_string() }, step);
}
