//! The state of a session as text.

use super::edit::Editor;
use super::ping::MAX_PINGS;
use super::{Mode, Session};
use crate::chess::{Color, Game};
use crate::protocol::xboard::Rating;
use crate::search::{GameRecord, RootPosition};
use crate::session::player::Purpose;
use crate::session::state::{Fields, SessionState, StateError, chess_game, describe, record, words};
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
        let is_hidden = self.is_hidden();
        fields.secret(is_hidden, |fields| {
            describe!(fields, &mut *self => Session {
                game => chess_game(fields, "game", game)?,
                mode: "mode",
                gui => gui.state(fields)?,
                turn_wanted: "turn-wanted",
                over: "over",
                excluded: "excluded",
                pondering => fields.section("ponder", |fields| pondering.state(fields, game))?,
                umpire => fields.section("umpire", |fields| umpire.state(fields))?,
                offers => fields.section("offers", |fields| offers.state(fields))?,
                pings: "pings",
                editor => {
                    let fresh = || Box::new(Editor::new(game.position(), Color::White));
                    fields.optional("editor", editor, fresh, |editor, fields| editor.state(fields))?;
                },
                recorder => recorder.state(fields)?,
                closing => closing.state(fields)?,
                player => player.state(fields, |purpose| root(game, purpose))?,
            })
        })?;
        if fields.is_reading() && !self.is_possible() {
            return Err(StateError::Inconsistent);
        }
        Ok(())
    }

    /// Returns true if commands can have led here, as far as the fields must agree.
    fn is_possible(&self) -> bool {
        let position = self.game.position();
        let are_legal = self.excluded.iter().all(|&mv| position.is_legal(mv));
        let are_different =
            (1..self.excluded.len()).all(|index| !self.excluded[..index].contains(&self.excluded[index]));
        are_legal && are_different && self.pings.len() <= MAX_PINGS && self.search_fits_mode()
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

record!(Rating { own, opponent });
