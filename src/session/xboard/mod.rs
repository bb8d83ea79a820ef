//! The session of a client that speaks the protocol of xboard and WinBoard.
//!
//! [`Session`] is the state, and holds the manners of this protocol; what every protocol needs is its `player`.
//!
//! * `commands` says which command does what.
//! * `play`: force, go, moves of both sides. `search`: what is done about the search. `lines`: what it says, as lines.
//! * `pondering`, `analysis`, `hint`, `book`, `exclude`, `pause`, `ping`, `interrupt`: one manner of the protocol each.
//! * `no_search`: what is done when there are too many searches, or one fails.
//! * `result`: results by rule. `offers`: draw offers and resignation. `kibitz`: what is said besides moves. `partner`: bughouse.
//! * `board`: new, setboard, undo. `edit`: the old way to set up a position.
//! * `closing`: how a session ends. `help`: what a person at a terminal is told.
//! * `files`: what is done with files, for users on the same machine. `options`: features and options.
//! * `status`: what a session is doing, for others than its client.

mod analysis;
mod board;
mod book;
mod closing;
mod commands;
mod edit;
mod exclude;
#[cfg(test)]
pub(crate) mod fault;
mod files;
mod help;
mod hint;
mod interrupt;
mod kibitz;
mod lines;
mod no_search;
mod offers;
mod options;
mod partner;
mod pause;
mod ping;
mod play;
mod pondering;
mod result;
mod search;
mod status;

pub use partner::Partner;

use super::player::{Player, Profile};
use super::{Effect, FileRequest, Input, Setup, step};
use crate::chess::{Color, Game, Move, Variant};
use crate::protocol::http;
use crate::protocol::xboard::{ErrorReason, GameResult, Rating, Reply};
use closing::Closing;
use edit::Editor;
use offers::Offers;
use pondering::Pondering;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// The state of one connection.
pub struct Session {
    player: Player,
    client: Client,
    game: Game,
    mode: Mode,
    /// `white` or `black` wants this side on move. It takes effect when something depends on it, since
    /// GUIs send both in a row around `time` (protocol 1, section 13), and the record shall survive that.
    turn_wanted: Option<Color>,
    /// The game on the board has ended: a result was claimed or told.
    over: bool,
    /// First moves not to consider in the position on the board.
    excluded: Vec<Move>,
    pondering: Pondering,
    offers: Offers,
    /// `ping`s to be answered after our move.
    pings: Vec<i64>,
    editor: Option<Editor>,
    closing: Closing,
}

/// What the client told about itself and the opponent.
#[derive(Clone, Default, Debug)]
pub struct Client {
    /// It has said something.
    pub heard: bool,
    /// It has begun as programs do; a person at a terminal has no reason to.
    pub program: bool,
    /// The line that is being obeyed is its first.
    pub first: bool,
    /// Its protocol version; 1 until it says another.
    pub protocol: u32,
    /// It is one of ChessBase's programs.
    pub fritz: bool,
    /// It accepted `feature debug`, so `#` lines are shown to nobody but whoever reads its log.
    pub debug: bool,
    /// It rejected `feature debug`: what it has read of version 2 is older than that.
    pub old_text: bool,
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
    /// What is told of a partner and of men in hand, if anything ever was.
    pub partner: Option<Box<Partner>>,
    /// How often it signalled.
    pub interrupts: u64,
    /// `post`
    post: bool,
    /// The user was asked for the strength.
    asked: bool,
    /// The user has seen the banner, if there is one.
    welcomed: bool,
    /// The line before was `depth`.
    depth_follows: bool,
    /// It was told that the server has too many searches, and none of its own has been heard of since.
    told_busy: bool,
}

impl Client {
    /// Whether thinking lines may have further columns before the moves. Version 1 and ChessBase's programs know none,
    /// nor does version 2 as it was when features like `debug` were not in it: whoever has read that one, as the authors
    /// of cutechess, takes all that follows the nodes for moves.
    fn reads_columns(&self) -> bool {
        self.protocol >= 2 && !self.fritz && !self.old_text
    }
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

/// With the replies of this protocol.
type Step<'a> = step::Step<'a, Reply>;

impl Session {
    /// A session that has heard nothing yet.
    pub fn new(setup: Setup) -> Session {
        Session {
            player: Player::new(setup),
            client: Client { protocol: 1, ..Client::default() },
            game: Game::new(Variant::NORMAL),
            mode: Mode::Play(Color::Black),
            turn_wanted: None,
            over: false,
            excluded: Vec::new(),
            pondering: Pondering::default(),
            offers: Offers::default(),
            pings: Vec::new(),
            editor: None,
            closing: Closing::No,
        }
    }

    /// The same session on a server that has these profiles, too.
    pub fn among(mut self, profiles: Arc<BTreeMap<String, Arc<Profile>>>) -> Session {
        self.player.engine.set_profiles(profiles);
        self
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
    pub fn handle(&mut self, input: Input<'_>, now: Instant, effects: &mut Vec<Effect<Reply>>) {
        if self.closing == Closing::Closed {
            return;
        }
        #[cfg(test)]
        let strikes = fault::strikes(&input);
        let step = &mut Step { now, effects };
        match input {
            Input::Line(line) => {
                self.client.first = !std::mem::replace(&mut self.client.heard, true);
                if http::is_request(line, self.client.first) {
                    self.refuse_http(step);
                } else {
                    self.line(line, step);
                }
            }
            Input::LineTooLong(limit) => {
                self.client.heard = true;
                let what = format!("line too long, {limit} bytes at most");
                self.refuse(ErrorReason::Argument(what), String::new(), step);
            }
            Input::Interrupt => self.interrupt(step),
            Input::Eof => self.end_of_input(step),
            Input::Search(id, event) => self.search_event(id, event, step),
            Input::Timer => self.timer(step),
            Input::Book(found) => self.book_opened(found, step),
            Input::NotSaved(why) => {
                step.reply(Reply::Tellusererror(format!("The game was not saved: {why}")))
            }
            Input::Drain => self.drain(step),
        }
        self.answer_pings(step);
        self.close_if_done(step);
        self.check_invariants();
        #[cfg(test)]
        assert!(!strikes, "this panic is part of a test");
    }

    /// A line that cannot be obeyed.
    fn refuse(&self, reason: ErrorReason, line: String, step: &mut Step<'_>) {
        step.reply(if self.player.engine.options.old_gui {
            Reply::OldError(reason, line)
        } else {
            Reply::Error(reason, line)
        });
    }

    fn check_invariants(&self) {
        self.player.check_invariants();
        debug_assert!(self.search_fits(), "a search nobody asked for");
        debug_assert!(
            self.closing != Closing::Closed || self.player.search().is_none(),
            "a search of nobody"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Books;
    use std::time::Duration;

    #[test]
    fn hours_of_silence_change_nothing() {
        let profile = Arc::new(Profile::new("", Books::default()));
        let mut session = Session::new(Setup { seed: 0, profile });
        let mut now = Instant::now();
        let mut effects = Vec::new();
        for line in ["xboard", "protover 2", "new", "force", "e2e4"] {
            session.handle(Input::Line(line.as_bytes()), now, &mut effects);
        }
        effects.clear();
        for _ in 0..3 {
            now += Duration::from_secs(2 * 60 * 60);
            session.handle(Input::Line(b"ping 1"), now, &mut effects);
            assert!(matches!(effects[..], [Effect::Send(Reply::Pong(1))]), "and no timer, and no farewell");
            effects.clear();
        }
        session.handle(Input::Line(b"e7e5"), now, &mut effects);
        assert_eq!((session.game().moves().len(), effects.len()), (2, 0));
    }
}
