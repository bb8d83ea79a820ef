//! The state of a session as text.

use super::edit::Editor;
use super::ping::MAX_PINGS;
use super::{Mode, Session};
use crate::chess::{Color, Game};
use crate::search::{GameRecord, RootPosition};
use crate::session::player::Purpose;
use crate::session::state::{Fields, SessionState, StateError, describe, words};
use std::time::Instant;

/// The protocol's word in the configuration and in states.
const PROTOCOL: &str = "xboard";

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
        // In kriegspiel the engine's men are secret, and whatever follows from them. When reading,
        // nothing is.
        let is_hidden = self.board.is_hidden();
        fields.secret(is_hidden, |fields| {
            describe!(fields, &mut *self => Session {
                board => board.state(fields)?,
                gui => fields.section("client", |fields| gui.state(fields))?,
                context => context.state(fields)?,
                pondering => fields.section("ponder", |fields| pondering.state(fields, &board.game))?,
                umpire => fields.section("umpire", |fields| umpire.state(fields))?,
                offers => fields.section("offers", |fields| offers.state(fields))?,
                pings: "pings",
                editor => {
                    let fresh = || Box::new(Editor::new(board.position(), Color::White));
                    fields.optional("editor", editor, fresh, |editor, fields| editor.state(fields))?;
                },
                recorder => recorder.state(fields)?,
                closing => closing.state(fields)?,
                player => player.state(fields, |purpose| root(&board.game, purpose))?,
            })
        })?;
        let is_possible = self.pings.len() <= MAX_PINGS && self.board.fits(&self.player);
        if fields.is_reading() && !is_possible { Err(StateError::Inconsistent) } else { Ok(()) }
    }
}

/// The root position of a search for this purpose.
fn root(game: &Game, purpose: Purpose) -> Option<RootPosition> {
    match purpose {
        Purpose::Ponder(expected) => {
            let mut position = *game.position();
            position.is_legal(expected).then(|| {
                position.play(expected);
                position.into()
            })
        }
        Purpose::Perft(_) => None,
        Purpose::Move | Purpose::PonderOnBoard | Purpose::Expectation | Purpose::Analysis | Purpose::Hint => {
            Some(game.root())
        }
    }
}

words!(Mode {
    Mode::Force => "force",
    Mode::Analyze => "analyze",
    Mode::Play(Color::White) => "white",
    Mode::Play(Color::Black) => "black",
});
