//! `new_game` and `rematch`.

use super::clocks::{Clocks, Terms};
use super::match_terms::{MatchTerms, checked, person_name, set_strength};
use super::{Effect, Offers, Session, Step, Task, send};
use crate::chess::Color;
use crate::protocol::DEFAULT_PROFILE;
use crate::protocol::web::{ClockTerms, Message, Mode, Opponent, Seat, Side};
use crate::session::KeptGame;
use std::error::Error;
use std::sync::Arc;

/// The name of orthodox chess.
pub(super) const NORMAL: &str = "normal";

/// A `new_game` message.
pub(super) struct NewGame {
    pub(super) variant: Option<String>,
    pub(super) fen: Option<String>,
    pub(super) color: Seat,
    pub(super) clock: Option<ClockTerms>,
    pub(super) opponent: Opponent,
    pub(super) profile: Option<String>,
    pub(super) name: Option<String>,
}

impl Session {
    /// `new_game`
    pub(super) fn new_game(&mut self, wanted: NewGame, step: &mut Step<'_>) {
        let begun = self.terms_of(wanted).and_then(|terms| self.begin(terms, step));
        if let Err(error) = begun {
            send(Message::error(Some("new_game"), error), step);
        }
    }

    /// `rematch`: a game on the same terms, with the other colours.
    pub(super) fn rematch(&mut self, step: &mut Step<'_>) {
        let Some(terms) = self.terms.as_deref().cloned() else {
            return send(Message::error(Some("rematch"), "there was no game yet"), step);
        };
        if self.is_playing() {
            return send(Message::error(Some("rematch"), "the game is still going on"), step);
        }
        if let Err(error) = self.begin(MatchTerms { person: !terms.person, ..terms }, step) {
            send(Message::error(Some("rematch"), error), step);
        }
    }

    fn terms_of(&self, wanted: NewGame) -> Result<MatchTerms, Box<dyn Error>> {
        let person = match wanted.color {
            Seat::White => Color::White,
            Seat::Black => Color::Black,
            // Different in each game, and known to no other client.
            Seat::Random => Color::white_if(self.player.seed_at(usize::MAX).is_multiple_of(2)),
        };
        Ok(MatchTerms {
            person,
            name: person_name(wanted.name.as_deref()),
            variant: wanted.variant.unwrap_or_else(|| NORMAL.to_owned()),
            fen: wanted.fen,
            clock: wanted.clock.map(Terms::of).transpose()?,
            opponent: checked(wanted.opponent)?,
            profile: wanted.profile.unwrap_or_else(|| DEFAULT_PROFILE.to_owned()),
        })
    }

    /// Begins a game on these terms. On an error nothing changes.
    fn begin(&mut self, mut terms: MatchTerms, step: &mut Step<'_>) -> Result<(), Box<dyn Error>> {
        let seed = self.player.seed_at(0);
        let game = KeptGame::start(&terms.variant, terms.fen.as_deref(), Some(seed))?;
        terms.fen = terms.fen.map(|_| game.start_fen());
        // Games that go on belong to the profile that has played them.
        let mut engine = self.player.engine.clone();
        engine.choose_profile(&terms.profile)?;
        set_strength(terms.opponent, &mut engine);
        engine.options_mut().lines = 1;
        self.leave_game(step);
        self.player.engine = engine;
        self.player.new_game();
        self.clocks = terms.clock.map(Clocks::new);
        self.terms = Some(Box::new(terms));
        self.put_on_board(game, Mode::Play, step);
        if self.is_over() {
            self.announce_result(step);
        } else if self.is_engines_turn() {
            self.think(step.now, step);
        }
        Ok(())
    }

    /// Replaces the game on the board, and shows the new one.
    pub(super) fn put_on_board(&mut self, game: KeptGame, mode: Mode, step: &mut Step<'_>) {
        self.set_board(game, mode, step);
        self.show_game(step);
    }

    /// Puts a game on the board without showing it.
    pub(super) fn set_board(&mut self, game: KeptGame, mode: Mode, step: &mut Step<'_>) {
        self.game = game;
        self.mode = mode;
        self.verdict = None;
        self.task = Task::None;
        self.offers = Offers::default();
        self.recorder.clear();
        if mode != Mode::Play {
            self.clocks = None;
        }
        self.solve_endgames(step);
    }

    /// Solves the endgames of checkers, if that is on the board.
    pub(super) fn solve_endgames(&self, step: &mut Step<'_>) {
        if matches!(self.game, KeptGame::Draughts(_)) {
            step.effect(Effect::SolveEndgames(Arc::clone(&self.player.engine.profile().endgames)));
        }
    }

    /// The person's side, in a game against the engine.
    pub(super) fn person(&self) -> Option<Color> {
        self.terms.as_ref().filter(|_| self.mode == Mode::Play).map(|terms| terms.person)
    }

    /// As [`Session::person`], for the client.
    pub(super) fn person_shown(&self) -> Option<Side> {
        self.person().map(Side::from)
    }

    /// Returns true if the engine is to move in a game that goes on.
    pub(super) fn is_engines_turn(&self) -> bool {
        self.is_playing() && self.person() == Some(!self.game.turn())
    }
}
