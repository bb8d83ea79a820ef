//! The state of a session as text.

use super::archive::OurPart;
use super::board::Board;
use super::parameters::Settings;
use super::progress::Pacer;
use super::thinking::Thinking;
use super::waiting::MAX_WAITING;
use super::{Manners, Orientation, Session};
use crate::protocol::checkers::{Command, Dialect, GameCommand};
use crate::search::GameRecord;
use crate::session::closing::Closing;
use crate::session::player::Purpose;
use crate::session::state::{Fields, SessionState, StateError, describe, draughts_game, record, text, words};
use std::time::Instant;

words!(Dialect { Dialect::Seed => "seed", Dialect::Late => "late" });

words!(Orientation {
    Orientation::Auto => "auto",
    Orientation::Pdn => "pdn",
    Orientation::Rotated => "rotated",
});

/// The protocol's word in the configuration and in states.
const PROTOCOL: &str = "checkers";

impl Session {
    /// The state at the instant `now`. Nothing changes: `&mut` because one description of the
    /// fields writes and reads them.
    pub fn state(&mut self, now: Instant) -> SessionState {
        let mut new = Session::new(self.player.setup_for_comparison(), Manners::default());
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
            manners => describe!(fields, manners => Manners {
                dialect: "dialect",
                orientation: "orientation",
            })?,
            board => board.state(fields)?,
            settings => settings.state(fields)?,
            thinking => {
                let fresh = Thinking { dont_play_move: false, pacer: Pacer::new(fields.now()) };
                fields.optional("go", thinking, || fresh, Thinking::state)?;
            },
            waiting => {
                let mut commands: Vec<Waiting> = waiting.drain(..).map(Waiting).collect();
                fields.list("waiting", &mut commands, 2 * MAX_WAITING)?;
                *waiting = commands.into_iter().map(|Waiting(command)| command).collect();
            },
            has_hole: "has-hole",
            heard: "heard",
            initialised: "initialised",
            our_part: "our-part",
            closing => closing.state(fields)?,
            player => {
                let root = board.game().root();
                player.state(fields, |purpose| (purpose == Purpose::Move).then_some(root))?;
            },
        })?;
        if fields.is_reading() && !self.is_possible() {
            return Err(StateError::Inconsistent);
        }
        Ok(())
    }

    /// Returns true if commands can have led here, as far as the fields must agree.
    fn is_possible(&self) -> bool {
        let thinks = self.thinking.is_some();
        thinks == self.player.search().is_some()
            && (thinks || self.waiting.is_empty() && !self.player.has_timer())
            && (self.closing != Closing::Closed || !thinks)
            && !self.player.is_paused()
    }
}

impl Board {
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        draughts_game(fields, "game", &mut self.game)?;
        fields.section("board", |fields| {
            fields.field("orientation", &mut self.orientation)?;
            fields.field("is-rotated", &mut self.is_rotated)?;
            fields.field("is-proved", &mut self.is_proved)
        })
    }
}

impl Settings {
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        fields.section("setting", |fields| {
            describe!(fields, self => Settings {
                think_time: "think-time",
                depth: "depth",
                infinite: "infinite",
                show_info: "show-info",
                randomness: "randomness" in 0..=100,
                opponent: "opponent",
                profile: "profile",
            })
        })
    }
}

impl Thinking {
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        describe!(fields, self => Thinking {
            dont_play_move: "dont-play-move",
            pacer => describe!(fields, pacer => Pacer {
                began: "began",
                last: "last-info",
                nodes: "nodes",
                time: "time",
            })?,
        })
    }
}

/// A command as the client sends it.
struct Waiting(GameCommand);

text!(Waiting, line, |waiting| waiting.0, |line: &str| {
    if let Ok(Command::Game(command)) = Command::parse(line.as_bytes()) {
        return Some(Waiting(command));
    }
    None
});

record!(OurPart { side, began });
