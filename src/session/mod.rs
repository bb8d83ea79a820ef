//! The session of one client, sans-io: a [`Conversation`] takes an [`Input`] and `now`, and appends
//! [`Effect`]s.
//!
//! It uses no socket, clock, thread or random number, so a recorded session replays bit for bit.
//!
//! * [`conversation`](Conversation): the protocol of a client, and its session. A new protocol
//!   starts there.
//! * `draws`: draws and resignation, where protocols agree.
//! * `effect`: inputs and effects of all protocols.
//! * `board_squares`: the squares of a board, to be drawn.
//! * `closing`: the end of a session.
//! * `finished_game`: finished games, for the server's archive.
//! * `picture`: a session as watchers see it.
//! * `player`: the one search of a session, its clock, options, statistics.
//! * `state`: a session as text, with which another server can go on.
//! * `status`: what a session is doing, for monitoring.
//! * `takeover`: restored sessions.
//! * [`checkers`]: sessions of the Checkers Protocol.
//! * [`uci`]: sessions of UCI.
//! * `web`: sessions of the web protocol.
//! * [`xboard`]: sessions of the protocol of xboard and WinBoard.

mod board_squares;
pub mod checkers;
mod closing;
mod conversation;
mod draws;
mod effect;
mod finished_game;
mod picture;
mod player;
mod state;
mod status;
mod takeover;
pub mod uci;
#[cfg(feature = "server")]
pub mod web;
pub mod xboard;

pub use conversation::{Conversation, Protocol, Setup, http_refusal};
pub use effect::{Effect, FileRequest, Input};
pub use finished_game::{FinishedGame, GameIdentity, KeptGame, MoveNote};
pub use picture::{Extent, GameEnd, Occasion, Picture, PicturedLine};
pub use player::{
    DEFAULT_PROFILE, Interrupt, LagSeen, Measured, OptionError, Options, Profile, Resources, SEED_OPTION,
    SettingError,
};
pub use state::{MAX_STATE, SessionState, StateError, StateKey};
pub use status::{Activity, Status};
pub use takeover::{SendTime, Takeover};
