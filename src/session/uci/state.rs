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
use crate::session::Setup;
use crate::session::player::Purpose;
use crate::session::state::{Fields, SessionState, StateError, Value, Words, chess_game, text, words};
use std::time::Instant;

/// The protocol's word in the configuration and in states.
const PROTOCOL: &str = "uci";

impl Session {
    /// The state at the instant `now`. Nothing changes: `&mut` because one description of the
    /// fields writes and reads them.
    pub fn state(&mut self, now: Instant) -> SessionState {
        let (profile, profiles) = self.player.engine.profiles();
        let mut new = Session::new(Setup { seed: 0, identity: 0, profile }).with_profiles(profiles);
        let (word, describe) = (PROTOCOL, |fields: &mut Fields<'_>| self.describe(fields));
        SessionState::written(now, word, describe, |fields| new.describe(fields))
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
        // Not a use of the fields: makes the compiler report one that is missing below.
        let Session {
            player: _,
            settings: _,
            board: _,
            thinking: _,
            clocked_ply: _,
            in_game: _,
            heard: _,
            debug: _,
            played: _,
            closing: _,
        } = self;
        self.settings.state(fields)?;
        self.board.state(fields, self.settings.rules())?;
        let fresh = Thinking::blank(&self.board);
        fields.optional("go", &mut self.thinking, || fresh, Thinking::state)?;
        fields.field("clocked-ply", &mut self.clocked_ply)?;
        fields.field("in-game", &mut self.in_game)?;
        fields.field("heard", &mut self.heard)?;
        fields.field("debug", &mut self.debug)?;
        let variant = self.settings.rules().variant();
        let fresh = PlayedGame { game: Game::new(variant), recorder: Default::default() };
        fields.optional(
            "played",
            &mut self.played,
            || fresh,
            |played, fields| {
                chess_game(fields, "game", &mut played.game)?;
                played.recorder.state(fields)
            },
        )?;
        self.closing.state(fields)?;
        let root = self.thinking.as_ref().map(|thinking| thinking.root.into());
        self.player.state(fields, |_| root)?;
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
        let Settings { choice, chess960, own_book, analyse_mode, show_wdl, ponder, opponent, opponent_text } =
            self;
        fields.section("setting", |fields| {
            fields.field("variant", choice)?;
            fields.field("chess960", chess960)?;
            fields.field("own-book", own_book)?;
            fields.field("analyse-mode", analyse_mode)?;
            fields.field("show-wdl", show_wdl)?;
            fields.field("ponder", ponder)?;
            fields.field("opponent", opponent)?;
            fields.field("opponent-as-set", opponent_text)
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
        let (mut start, mut moves) = (self.start().clone(), self.moves().to_owned());
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
                    self.set_of_other_rules();
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
    /// A `go` about the position on the board.
    fn blank(board: &Board) -> Thinking {
        Thinking {
            work: Work::Nothing,
            release: Release::AtOnce,
            root: *board.game().position(),
            ply: board.game().moves().len(),
            excluded: Vec::new(),
            king_takes_rook: board.king_takes_rook(),
            lines: Lines::new(false),
            counted: Vec::new(),
        }
    }

    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        fields.field("work", &mut self.work)?;
        fields.field("release", &mut self.release)?;
        fields.field("root", &mut self.root)?;
        fields.within("ply", &mut self.ply, 0..=1 << 32)?;
        fields.field("excluded", &mut self.excluded)?;
        fields.field("king-takes-rook", &mut self.king_takes_rook)?;
        fields.field("counted", &mut self.counted)?;
        self.lines.state(fields)
    }
}

impl Lines {
    fn state(&mut self, fields: &mut Fields<'_>) -> Result<(), StateError> {
        let Lines { shown, current, shows_wdl } = self;
        fields.field("shown", shown)?;
        fields.field("current", current)?;
        fields.field("shows-wdl", shows_wdl)
    }
}
