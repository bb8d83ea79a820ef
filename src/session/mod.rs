//! One client's world, sans-io: a [`Conversation`] takes an [`Input`] and `now`, and appends [`Effect`]s.
//!
//! No socket, clock, thread or random number is in here, so a recorded session replays bit for bit.
//!
//! * [`conversation`](Conversation): which protocol a client speaks, and the session of that protocol. Where a new protocol comes in.
//! * `effect`: what goes into a session and what comes out, whatever the protocol.
//! * `board_squares`: the squares of a board, to be drawn.
//! * `closing`: how a session ends, whatever the protocol.
//! * `finished_game`: games that have ended, for the server's archive.
//! * `player`: what every protocol needs: the one search of a session, its clock, options, statistics.
//! * `state`: a session as text, with which another server can go on.
//! * `status`: what a session is doing, for others than its client.
//! * `takeover`: how a restored session goes on.
//! * [`checkers`]: the session of a client that speaks the Checkers Protocol.
//! * [`uci`]: the session of a client that speaks UCI.
//! * [`xboard`]: the session of a client that speaks the protocol of xboard and WinBoard.

mod board_squares;
pub mod checkers;
mod closing;
mod conversation;
mod effect;
mod finished_game;
mod player;
mod state;
mod status;
mod step;
mod takeover;
pub mod uci;
pub mod xboard;

pub use conversation::{Conversation, Protocol, Setup, http_refusal};
pub use effect::{Effect, FileRequest, Input};
pub use finished_game::{FinishedGame, GameIdentity, KeptGame, MoveNote};
pub use player::{
    DEFAULT_PROFILE, Interrupt, LagSeen, Measured, OptionError, Options, Profile, Resources, SEED_OPTION,
    SettingError,
};
pub use state::{MAX_STATE, SessionState, StateError, StateKey};
pub use status::{Activity, Status};
pub use takeover::{SendTime, Takeover};
