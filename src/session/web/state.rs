//! The state of a session as text.

use super::clocks::{Clocks, Terms};
use super::match_terms::MatchTerms;
use super::verdict::Verdict;
use super::{Session, Task};
use crate::chess::{Color, Variant};
use crate::draughts;
use crate::protocol::DEFAULT_PROFILE;
use crate::protocol::web::{Mode, Opponent};
use crate::session::closing::Closing;
use crate::session::player::Purpose;
use crate::session::state::{
    Fields, SessionState, StateError, Value, Words, chess_game, describe, draughts_game, words,
};
use crate::session::{KeptGame, web::review::NODES};
use std::time::{Duration, Instant};

/// The protocol's word in the configuration and in states.
const PROTOCOL: &str = "web";

words!(Mode { Mode::Idle => "idle", Mode::Play => "play", Mode::Analysis => "analysis" });

impl Session {
    /// The state at the instant `now`. Nothing changes: `&mut` because one description of the
    /// fields writes and reads them.
    pub fn state(&mut self, now: Instant) -> SessionState {
        let mut new = Session::new(self.player.setup_for_comparison());
        SessionState::written(now, PROTOCOL, |fields| self.describe(fields), |fields| new.describe(fields))
    }

    /// Restores the state that was written at the instant `written` of this server's clock.
    ///
    /// # Errors
    /// Commands cannot have led to that state on this server.
    pub fn restored(mut self, state: &SessionState, written: Instant) -> Result<Session, StateError> {
        state.read(written, |fields| self.describe(fields))?;
        Ok(self)
    }

    fn describe(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        describe!(fields, &mut *self => Session {
            mode: "mode",
            game => game.state(fields)?,
            players => fields.section("player", |fields| {
                fields.field("white", &mut players[0])?;
                fields.field("black", &mut players[1])
            })?,
            terms => fields.optional("terms", terms, Box::default, |terms, fields| terms.state(fields))?,
            clocks => {
                let fresh = || Clocks::new(Terms::PerMove(Duration::ZERO));
                fields.optional("clocks-of-game", clocks, fresh, Clocks::state)?;
            },
            verdict: "verdict",
            offers => fields.section("offers", |fields| offers.state(fields))?,
            task: "task",
            // The client says it again.
            guest_key,
            recorder => recorder.state(fields)?,
            heard: "heard",
            timer,
            flags_from: "flags-from",
            closing => closing.state(fields)?,
            player => {
                let reviewed = match task {
                    Task::Review(review) if review.ply <= game.plies() => Some(game.after(review.ply).root()),
                    Task::None | Task::Analysis | Task::Review(_) => None,
                };
                let board = game.root();
                player.state(fields, |purpose| match purpose {
                    Purpose::Analysis => Some(reviewed.unwrap_or(board)),
                    Purpose::Move | Purpose::Hint => Some(board),
                    Purpose::Ponder(_) | Purpose::PonderOnBoard | Purpose::Expectation | Purpose::Perft(_) => None,
                })?;
            },
        })?;
        if fields.is_reading() {
            if !self.is_possible() {
                return Err(StateError::Inconsistent);
            }
            self.timer = self.next_timer();
        }
        Ok(())
    }

    /// Returns true if commands can have led here, as far as the fields must agree.
    fn is_possible(&self) -> bool {
        let is_reviewable = match self.task {
            Task::None => true,
            Task::Analysis => self.mode == Mode::Analysis,
            Task::Review(review) => {
                review.ply <= self.game.plies() && NODES.contains(&review.nodes) && !self.is_playing()
            }
        };
        let runs = self.clocks.as_ref().is_some_and(|clocks| clocks.running.is_some());
        is_reviewable
            && self.fits_search()
            && (self.mode != Mode::Play || self.terms.is_some())
            && (self.mode == Mode::Play || self.clocks.is_none() && self.verdict.is_none())
            && (!runs || self.is_playing())
            && (self.player.search().is_none() || self.game.goes_on() || matches!(self.task, Task::Review(_)))
            && self.closing != Closing::Closed
            && !self.player.is_paused()
    }
}

impl KeptGame {
    /// Writes or reads the state.
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        let mut is_draughts = matches!(self, KeptGame::Draughts(_));
        fields.field("checkers", &mut is_draughts)?;
        if fields.is_reading() && is_draughts {
            *self = KeptGame::Draughts(draughts::Game::new());
        }
        match self {
            KeptGame::Chess(game) => {
                chess_game(fields, "game", game)?;
                let variant = game.position().variant();
                let is_offered =
                    variant == Variant::NORMAL || crate::protocol::web::offered(variant.name()).is_some();
                if fields.is_reading() && !is_offered { Err(fields.wrong("game.start")) } else { Ok(()) }
            }
            KeptGame::Draughts(game) => draughts_game(fields, "draughts", game),
        }
    }
}

impl Clocks {
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        describe!(fields, self => Clocks {
            terms: "terms",
            left => {
                fields.field("white", &mut left[0])?;
                fields.field("black", &mut left[1])?;
            },
            running: "running",
        })
    }
}

impl Default for MatchTerms {
    fn default() -> MatchTerms {
        MatchTerms {
            person: Color::White,
            name: String::new(),
            variant: Variant::NORMAL.name().to_owned(),
            fen: None,
            clock: None,
            opponent: Opponent::default(),
            profile: DEFAULT_PROFILE.to_owned(),
        }
    }
}

impl MatchTerms {
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        describe!(fields, self => MatchTerms {
            person: "person",
            name: "name",
            variant: "variant",
            fen: "fen",
            clock: "clock",
            opponent: "opponent",
            profile: "profile",
        })
    }
}

/// `game`, the initial time and the increment; `move` and its time.
impl Value for Terms {
    fn write(&self, out: &mut String, now: Instant) {
        match self {
            Terms::Game { initial, increment } => {
                out.push_str("game ");
                (*initial, *increment).write(out, now);
            }
            Terms::PerMove(time) => {
                out.push_str("move ");
                time.write(out, now);
            }
        }
    }

    fn read(words: &mut Words<'_>) -> Option<Terms> {
        match words.word()? {
            "game" => Some(Terms::Game { initial: Value::read(words)?, increment: Value::read(words)? }),
            "move" => Value::read(words).map(Terms::PerMove),
            _ => None,
        }
    }
}

/// `elo` or `level` and a number; `full`.
impl Value for Opponent {
    fn write(&self, out: &mut String, _: Instant) {
        match self {
            Opponent::Elo(elo) => out.push_str(&format!("elo {elo}")),
            Opponent::Level(level) => out.push_str(&format!("level {level}")),
            Opponent::Full(_) => out.push_str("full"),
        }
    }

    fn read(words: &mut Words<'_>) -> Option<Opponent> {
        let opponent = match words.word()? {
            "elo" => Opponent::Elo(Value::read(words)?),
            "level" => Opponent::Level(Value::read(words)?),
            "full" => Opponent::Full(true),
            _ => return None,
        };
        super::match_terms::checked(opponent).ok()
    }
}

/// A word, and the losing side.
impl Value for Verdict {
    fn write(&self, out: &mut String, now: Instant) {
        match self {
            Verdict::Resigned(side) => {
                out.push_str("resigned ");
                side.write(out, now);
            }
            Verdict::OutOfTime(side) => {
                out.push_str("out-of-time ");
                side.write(out, now);
            }
            Verdict::Agreed => out.push_str("agreed"),
        }
    }

    fn read(words: &mut Words<'_>) -> Option<Verdict> {
        match words.word()? {
            "resigned" => Value::read(words).map(Verdict::Resigned),
            "out-of-time" => Value::read(words).map(Verdict::OutOfTime),
            "agreed" => Some(Verdict::Agreed),
            _ => None,
        }
    }
}

/// A word, and the review.
impl Value for Task {
    fn write(&self, out: &mut String, now: Instant) {
        match self {
            Task::None => out.push_str("none"),
            Task::Analysis => out.push_str("analysis"),
            Task::Review(review) => {
                out.push_str("review ");
                review.write(out, now);
            }
        }
    }

    fn read(words: &mut Words<'_>) -> Option<Task> {
        match words.word()? {
            "none" => Some(Task::None),
            "analysis" => Some(Task::Analysis),
            "review" => Value::read(words).map(Task::Review),
            _ => None,
        }
    }
}
