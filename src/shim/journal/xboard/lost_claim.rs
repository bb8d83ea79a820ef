//! The result of a game whose server died between its last move and the claim of the result.
//!
//! The next server gets the moves and does not claim the result again. So the shim asks a session of its own,
//! which never searches.

use super::retell::Telling;
use super::state::{GameStep, State};
use crate::book::Books;
use crate::protocol::xboard::Reply;
use crate::session::xboard::{Session, is_believed};
use crate::session::{Effect, Input, Profile, Setup};
use std::sync::Arc;
use std::time::Instant;

/// Effect of the last recorded move on the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// It ended the game by rule; the line that claims the result.
    Ended(Vec<u8>),
    /// The game goes on.
    Open,
    /// There is no move, or its rules or words are not known here.
    Unknown,
}

impl State {
    /// Asks a session of the shim's own about the last move, which was one of the engine.
    pub(super) fn standing(&self, now: Instant) -> Standing {
        let record = self.record.entries();
        let Some((GameStep::Move(last), before)) = record.split_last() else { return Standing::Unknown };
        let mut told = Telling::default();
        told.lines(&self.variant);
        told.say("force");
        for entry in before {
            told.entry(entry);
        }
        // A session claims a result after a move of the opponent.
        told.say("playother");
        told.line(last);
        let profile = Arc::new(Profile::new("", Books::default()));
        let mut session = Session::new(Setup { seed: 0, identity: 1, profile });
        let mut effects = Vec::new();
        for line in told.into_bytes().split(|&byte| byte == b'\n') {
            session.handle(Input::Line(line), now, &mut effects);
        }
        let mut standing = Standing::Open;
        for effect in effects {
            match effect {
                Effect::Send(reply @ Reply::Result(..)) => {
                    standing = Standing::Ended(reply.line().into_bytes());
                }
                Effect::Send(Reply::IllegalMove(..) | Reply::Error(..) | Reply::Tellusererror(_)) => {
                    return Standing::Unknown;
                }
                _ => {}
            }
        }
        let position = session.game().position();
        match session.game().ending() {
            // The engine does not claim what a computer's GUI would not believe.
            Some(end) if self.opponent_is_computer() && !is_believed(position, end, !position.turn()) => {
                Standing::Open
            }
            _ => standing,
        }
    }
}
