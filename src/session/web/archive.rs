//! Finished games go to the server's archive, if there is one; and the game as text.
//!
//! A game is archived when it ends. One that is left unfinished is archived without a result if the
//! engine has moved in it.

use super::{Session, Step, send};
use crate::chess::{Move, Tags};
use crate::protocol::web::Message;
use crate::session::finished_game::by_color;
use crate::session::player::Search;
use crate::session::web::clocks::Terms;
use crate::session::{FinishedGame, MoveNote};
use std::time::{Duration, Instant};

impl Session {
    /// Records the engine's move before it is played.
    pub(super) fn note_move(&mut self, mv: Move, search: Option<&Search>, step: &Step<'_>) {
        if self.player.engine.profile().takes_notes() {
            let time =
                search.map_or(Duration::ZERO, |search| step.now.saturating_duration_since(search.since));
            let note = MoveNote { ply: self.game.plies(), mv, score: search.and_then(Search::score), time };
            self.recorder.note(note, self.game.turn(), step.now);
        }
    }

    /// Archives the game, unless that was done.
    pub(super) fn archive_game(&mut self, step: &mut Step<'_>) {
        step.archive(self.finished(step.now));
    }

    /// Leaves the game on the board: stops its search, and archives it.
    pub(super) fn leave_game(&mut self, step: &mut Step<'_>) {
        self.player.stop(step);
        self.archive_game(step);
    }

    /// Returns the game that is not archived yet, where the session does not end by itself:
    /// connection lost, client disconnected by the administrator, server shutting down.
    pub fn take_game(&mut self, now: Instant) -> Option<Box<FinishedGame>> {
        self.finished(now)
    }

    fn finished(&mut self, now: Instant) -> Option<Box<FinishedGame>> {
        if !self.player.engine.profile().archives {
            return None;
        }
        self.recorder.unarchived_side()?;
        self.recorder.settle();
        let identity = self.player.next_game_identity();
        let comment = self.verdict.map(|verdict| verdict.reason(&self.game).to_owned()).unwrap_or_default();
        Some(Box::new(FinishedGame {
            identity,
            game: self.game.clone(),
            tags: self.tags(),
            outcome: self.outcome(),
            comment,
            time_control: self.time_control(),
            notes: self.game.noted(self.recorder.notes()),
            began: self.recorder.began(now),
        }))
    }

    /// The players.
    fn tags(&self) -> Tags {
        let Some((person, terms)) = self.person().zip(self.terms.as_deref()) else {
            let [white, black] = self.players.clone();
            return Tags { white, black, ..Tags::default() };
        };
        let name = self.player.engine.profile().name.clone();
        let [white, black] = by_color(person, terms.name.clone(), name);
        let strength = self.player.engine.options.strength();
        let elo = by_color(person, None, strength.map(|strength| i32::from(strength.elo())));
        Tags { white, black, elo, program: by_color(person, false, true), ..Tags::default() }
    }

    /// The names of White and Black for the person; empty if unknown.
    pub(super) fn players_shown(&self) -> [String; 2] {
        match self.person().zip(self.terms.as_deref()) {
            Some((person, terms)) => by_color(person, terms.name.clone(), self.player.engine.shown_name()),
            None => self.players.clone(),
        }
    }

    /// The terms of the clocks in PGN's notation.
    fn time_control(&self) -> String {
        self.clocks.as_ref().map_or_else(|| "-".to_owned(), |clocks| Terms::in_pgn(clocks.terms))
    }

    /// `pgn`
    pub(super) fn show_pgn(&self, step: &mut Step<'_>) {
        let text = self.game.text(&self.tags(), self.outcome(), &self.time_control());
        send(Message::Pgn { text }, step);
    }
}
