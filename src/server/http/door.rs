//! The purposes of a connection that is no longer one of requests and responses.

use super::response::Status;
use crate::auth::User;
use std::sync::Arc;

/// The purpose of a connection after its last request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Door {
    /// A WebSocket with a session of its own, of a user if one has logged in.
    Session(Option<Arc<User>>),
    /// A WebSocket with the feed of sessions.
    Feed(Audience),
    /// The feed as server-sent events: of one game, or of all sessions.
    Events(Audience, Option<u64>),
    /// A game as PGN.
    Pgn(Audience, u64),
}

impl Door {
    /// Returns the status of the response that leads here, unless the game is not found.
    pub(super) fn status(&self) -> Status {
        match self {
            Door::Session(_) | Door::Feed(_) => Status::Switching,
            Door::Events(..) | Door::Pgn(..) => Status::Ok,
        }
    }
}

/// The rights of a watcher.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Audience {
    /// Rights of users: the client has logged in.
    User,
    /// Rights of all clients.
    Anyone,
}

impl Audience {
    /// Returns true if the watcher has the rights of users.
    pub(super) fn is_user(self) -> bool {
        self == Audience::User
    }
}
