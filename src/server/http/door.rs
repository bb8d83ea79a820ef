//! The purposes of a connection that is no longer one of requests and responses.

use super::login::Login;
use super::response::Status;
use crate::auth::User;
use crate::server::admission::Banned;
use std::net::IpAddr;
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
    /// Returns the rights of a watcher.
    pub(super) fn audience(&self) -> Option<&Audience> {
        match self {
            Door::Session(_) => None,
            Door::Feed(audience) | Door::Events(audience, _) | Door::Pgn(audience, _) => Some(audience),
        }
    }

    /// Returns the status of the response that leads here, unless the game is not found.
    pub(super) fn status(&self) -> Status {
        match self {
            Door::Session(_) | Door::Feed(_) => Status::Switching,
            Door::Events(..) | Door::Pgn(..) => Status::Ok,
        }
    }
}

/// The rights of a watcher.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Audience {
    /// Rights of users: the client has logged in.
    LoggedIn(Login),
    /// Rights of all clients.
    Anyone,
}

impl Audience {
    /// Returns true if the watcher has the rights of users.
    pub(super) fn is_user(&self) -> bool {
        matches!(self, Audience::LoggedIn(_))
    }

    /// Returns what a ban of the watcher has: its user's name, or else the address.
    pub(super) fn banned_as(&self, address: IpAddr) -> Banned {
        match self {
            Audience::LoggedIn(Login::User(user)) => Banned::User(user.name.clone()),
            Audience::LoggedIn(Login::Secret) | Audience::Anyone => Banned::address(address),
        }
    }
}
