//! One client's world, sans-io: [`Session::handle`] takes an input and `now`, and appends effects.
//!
//! No socket, clock, thread or random number is in here, so a recorded session replays bit for bit.
//!
//! * [`Session`] is the state; `commands` says which command does what.
//! * `play`: force, go, moves, results. `thinking`: the one search that may run, and what it says.
//! * `pondering`, `analysis`, `hint`, `draw`, `pause`: one manner of the protocol each.
//! * `board`: new, setboard, undo. `edit`: the old way to set up a position.
//! * `clocks`: time controls and lag. `options`: features and options. `leaving`: how a session ends.
//!
//! Every search has a number that is never used again, and an event with any other number than the current
//! one is dropped. That, not timing, is why a move can never come late.

mod analysis;
mod board;
mod clocks;
mod commands;
mod draw;
mod edit;
mod effect;
mod hint;
mod leaving;
mod options;
mod pause;
mod play;
mod pondering;
mod thinking;

pub use effect::{Effect, Input};

use crate::chess::zobrist::mix;
use crate::chess::{Color, Game, Move, Variant};
use crate::protocol::xboard::{ErrorReason, GameResult, Rating, Reply};
use crate::search::Score;
use clocks::Clocks;
use edit::Editor;
use leaving::Leaving;
use options::Options;
use pause::Paused;
use std::time::Instant;
use thinking::Search;

/// The state of one connection.
pub struct Session {
    setup: Setup,
    client: Client,
    game: Game,
    mode: Mode,
    /// `white` or `black` wants this side on move. It takes effect when something depends on it, since
    /// GUIs send both in a row around `time` (protocol 1, section 13), and the record shall survive that.
    turn_wanted: Option<Color>,
    /// The game on the board has ended: a result was claimed or told.
    over: bool,
    clocks: Clocks,
    /// `sd`, plies.
    depth: Option<u8>,
    options: Options,
    /// `post`
    post: bool,
    /// `hard`
    ponder: bool,
    /// Not on the first move after `new`, even if pondering is on.
    may_ponder: bool,
    search: Option<Search>,
    last_search: u64,
    salt: u64,
    /// The opponent's move that we expect in the position on the board.
    expected: Option<Move>,
    /// The last score of ours, from our view.
    score: Option<Score>,
    draw_offered: bool,
    paused: Option<Paused>,
    editor: Option<Editor>,
    /// The line before was `depth`.
    depth_follows: bool,
    leaving: Leaving,
    timer: Option<Instant>,
}

/// What a session is created with.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Makes the salts of this session's table keys; different for every session of a process.
    pub seed: u64,
    /// The engine's name, as `feature myname` shows it.
    pub name: String,
}

/// What the client told about itself and the opponent.
#[derive(Clone, Default, Debug)]
pub struct Client {
    /// It has said something.
    pub heard: bool,
    /// Its protocol version; 1 until it says another.
    pub protocol: u32,
    /// It is one of ChessBase's programs.
    pub fritz: bool,
    /// It accepted `feature debug`, so `#` lines are shown to nobody but whoever reads its log.
    pub debug: bool,
    /// The opponent's name.
    pub opponent: String,
    /// The opponent is a computer.
    pub computer: bool,
    /// The chess server it plays on.
    pub ics: Option<String>,
    /// Both players' ratings.
    pub rating: Option<Rating>,
    /// `random` was toggled on.
    pub random: bool,
    /// How the last game ended, and the comment.
    pub result: Option<(GameResult, String)>,
    /// How often it signalled.
    pub interrupts: u64,
}

/// Who moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// The client moves for both sides.
    Force,
    /// We play this side.
    Play(Color),
    /// The client moves for both sides, and we show what we think.
    Analyze,
}

/// The instant of an input, and where its effects go.
struct Step<'a> {
    now: Instant,
    effects: &'a mut Vec<Effect>,
}

impl Step<'_> {
    fn reply(&mut self, reply: Reply) {
        self.effects.push(Effect::Reply(reply));
    }

    fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }
}

impl Session {
    /// A session that has heard nothing yet.
    pub fn new(setup: Setup) -> Session {
        Session {
            salt: mix(setup.seed),
            setup,
            client: Client { protocol: 1, ..Client::default() },
            game: Game::new(Variant::Normal),
            mode: Mode::Play(Color::Black),
            turn_wanted: None,
            over: false,
            clocks: Clocks::new(),
            depth: None,
            options: Options::default(),
            post: false,
            ponder: false,
            may_ponder: false,
            search: None,
            last_search: 0,
            expected: None,
            score: None,
            draw_offered: false,
            paused: None,
            editor: None,
            depth_follows: false,
            leaving: Leaving::No,
            timer: None,
        }
    }

    /// The game on the board.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// What the client told about itself.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Takes one input at the instant `now` and appends what is to be done, in order.
    pub fn handle(&mut self, input: Input<'_>, now: Instant, effects: &mut Vec<Effect>) {
        if self.leaving == Leaving::Closed {
            return;
        }
        let step = &mut Step { now, effects };
        match input {
            Input::Line(line) => {
                self.client.heard = true;
                self.line(line, step);
            }
            Input::LineTooLong(limit) => {
                self.client.heard = true;
                let what = format!("line too long, {limit} bytes at most");
                step.reply(Reply::Error(ErrorReason::Argument(what), String::new()));
            }
            Input::Interrupt => self.client.interrupts += 1,
            Input::Eof => self.end_of_input(step),
            Input::Search(id, event) => self.search_event(id, event, step),
            Input::Timer => self.timer(step),
            Input::Drain => self.drain(step),
        }
        self.close_if_done(step);
        self.check_invariants();
    }

    fn check_invariants(&self) {
        let Some(search) = &self.search else {
            debug_assert_eq!(self.timer, None, "a timer without a search");
            return;
        };
        debug_assert_eq!(self.timer, search.deadline);
        debug_assert!(search.fits(self.mode, self.game.position().turn()), "a search nobody asked for");
        debug_assert_ne!(self.leaving, Leaving::Closed);
    }
}
