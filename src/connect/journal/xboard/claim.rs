//! The result of a game whose server died between its last move and the word that this was the last.
//!
//! Another server is told the moves and does not say again how the game has ended. So a session of our own,
//! which plays nothing, is asked.

use super::replay::Telling;
use super::state::{Entry, State};
use crate::book::Books;
use crate::protocol::xboard::Reply;
use crate::session::xboard::Session;
use crate::session::{Effect, Input, Profile, Setup};
use std::sync::Arc;
use std::time::Instant;

/// What the last move on the record has done to the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// It has ended it by rule; the line that claims the result.
    Ended(Vec<u8>),
    /// It has not.
    Open,
    /// There is none, or its rules or words are not ours.
    Unknown,
}

impl State {
    /// What a session of our own says of the last move.
    pub(super) fn standing(&self, now: Instant) -> Standing {
        let record = self.record.entries();
        let Some((Entry::Move(last), before)) = record.split_last() else { return Standing::Unknown };
        let mut told = Telling::default();
        told.lines(&self.variant);
        told.say("force");
        for entry in before {
            told.entry(entry);
        }
        // Of a move of the other side a session says whether it has ended the game.
        told.say("playother");
        told.line(last);
        let profile = Arc::new(Profile::new("", Books::default()));
        let mut session = Session::new(Setup { seed: 0, profile });
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
        standing
    }
}
