//! The state of a session as text.

use super::Session;
use super::archive::PlayedGame;
use super::board::{Board, PositionError};
use super::go::Terms;
use super::lines::Lines;
use super::options::Settings;
use super::thinking::{Release, Thinking, Work};
use crate::chess::Game;
use crate::protocol::uci::{MoveWords, Start, VariantChoice};
use crate::session::player::Purpose;
use crate::session::state::{
    Fields, SessionState, StateError, Value, Words, chess_game, describe, text, words,
};
use std::time::Instant;

/// The protocol's word in the configuration and in states.
const PROTOCOL: &str = "uci";

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
            settings => settings.state(fields)?,
            board => board.state(fields, settings.rules())?,
            thinking => {
                let fresh = || Thinking::new(Work::Nothing, Release::AtOnce, board);
                fields.optional("go", thinking, fresh, |thinking, fields| thinking.state(fields))?;
            },
            clocked_ply: "clocked-ply",
            in_game: "in-game",
            answered: "answered",
            heard: "heard",
            debug: "debug",
            played => {
                let variant = settings.rules().variant();
                let recorder = Default::default();
                let fresh = || Box::new(PlayedGame { game: Game::new(variant), recorder });
                fields.optional("played", played, fresh, |played, fields| {
                    chess_game(fields, "game", &mut played.game)?;
                    played.recorder.state(fields)
                })?;
            },
            closing => closing.state(fields)?,
            player => {
                let root = thinking.as_ref().map(|thinking| thinking.root.into());
                player.state(fields, |_| root)?;
            },
        })?;
        if fields.is_reading() && !self.is_possible() {
            return Err(StateError::Inconsistent);
        }
        Ok(())
    }

    /// Returns true if commands can have led here, as far as the fields must agree.
    fn is_possible(&self) -> bool {
        let counts = matches!(self.player.purpose(), Some(Purpose::Perft(_)));
        let fits = match &self.thinking {
            None => self.player.search().is_none() && !self.player.has_timer(),
            Some(thinking) => self.player.search().is_none() || thinking.is_perft() == counts,
        };
        let is_open = self.closing != super::Closing::Closed || self.thinking.is_none();
        fits && is_open && !self.player.is_paused()
    }
}

text!(VariantChoice, word, |choice| choice.name, VariantChoice::named);

impl Settings {
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        fields.section("setting", |fields| {
            describe!(fields, self => Settings {
                choice: "variant",
                chess960: "chess960",
                own_book: "own-book",
                analyse_mode: "analyse-mode",
                show_wdl: "show-wdl",
                ponder: "ponder",
                opponent: "opponent",
                opponent_text: "opponent-as-set",
            })
        })
    }
}

/// `startpos`, or a FEN, possibly invalid.
impl Value for Start {
    fn write(&self, out: &mut String, now: Instant) {
        match self {
            Start::Startpos => out.push_str("startpos"),
            Start::Fen(fen) => fen.write(out, now),
        }
    }

    fn read(words: &mut Words<'_>) -> Option<Start> {
        let is_startpos = words.clone().line() == Some("startpos");
        if is_startpos { words.line().map(|_| Start::Startpos) } else { String::read(words).map(Start::Fen) }
    }
}

impl Board {
    /// The position as sent by the client: its errors are found again on reading.
    fn state(&mut self, fields: &mut Fields<'_>, rules: super::board::RulesInUse) -> Result<(), StateError> {
        let (mut start, mut moves) = (self.start.clone(), self.moves.as_str().to_owned());
        let mut syntax = self.error() == Some(&PositionError::Syntax);
        let mut other_rules = self.error() == Some(&PositionError::OtherRules);
        fields.section("position", |fields| {
            fields.field("start", &mut start)?;
            fields.field("moves", &mut moves)?;
            fields.field("not-understood", &mut syntax)?;
            fields.field("of-other-rules", &mut other_rules)?;
            if fields.is_reading() {
                *self = Board::new(rules);
                self.set(start, MoveWords::read(&moves));
                if syntax {
                    self.forget();
                } else if other_rules {
                    self.error = Some(PositionError::OtherRules);
                }
            }
            Ok(())
        })
    }
}

words!(Work {
    Work::Search(Terms::Clock) => "clock",
    Work::Search(Terms::Limited) => "limited",
    Work::Search(Terms::Endless) => "endless",
    Work::Perft => "perft",
    Work::Nothing => "nothing",
});

words!(Release { Release::AtOnce => "at-once", Release::OnHit => "on-hit", Release::OnStop => "on-stop" });

impl Thinking {
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        describe!(fields, self => Thinking {
            work: "work",
            release: "release",
            root: "root",
            ply: "ply" in 0..=1 << 32,
            excluded: "excluded",
            king_takes_rook: "king-takes-rook",
            counted: "counted",
            lines => describe!(fields, lines => Lines {
                shown: "shown",
                current: "current",
                shows_wdl: "shows-wdl",
            })?,
        })
    }
}
