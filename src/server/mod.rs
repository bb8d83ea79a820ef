//! The server: one thread, sockets in, sockets out. Knows no chess.
//!
//! A turn of the loop waits for the first event: bytes, newcomers, a timer, events of a search, a signal.
//! Bytes become lines, lines go to the connection's [`Conversation`](crate::session::Conversation), and its
//! effects are run: lines are queued, searches started and stopped, timers set.
//!
//! Everything is bounded: line length, input of one client in one turn (in bytes and in time), output that
//! one client leaves unread, sessions, searches. So a client waits for others, but not for long: at worst for
//! one turn of each other client with input, which is a millisecond or one command, whichever is longer.
//! Timers, searches and newcomers do not wait for all of these turns.
//!
//! [`control`] tells administrators who is connected; `http` tells programs numbers, in a thread of its own.
//!
//! [`local_session`] is the same for one session without a socket, [`stdio`] for one on standard input and
//! output.

mod admission;
mod balancer;
mod connection;
mod connections;
pub mod control;
mod event_loop;
mod http;
mod listen;
mod login;
mod observe;
mod os;
mod outcome;
pub mod reload;
mod rsh;
mod searches;
mod sessions;
#[cfg(test)]
pub(crate) mod test_server;

pub use admission::Sources;
pub use connection::OutputLimits;
pub use event_loop::{Handle, Server};
pub use listen::{
    BindError, InheritError, InheritedSockets, ListenerPolicy, banner, bind, bind_beside, provide_descriptors,
};
pub use os::{Notifier, end_with_parent, log_panics, raise_loop_priority};
pub use sessions::{local_session, stdio};

use crate::config::Config;
use crate::pool::{SearchFn, Size};
use crate::session::Profile;
use std::sync::Arc;
use std::time::Duration;

/// The engine's name and version, as clients see it.
pub const NAME: &str = concat!("Farboard ", env!("CARGO_PKG_VERSION"));

/// The limits of a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ServerLimits {
    /// Sessions at one time.
    pub sessions: usize,
    /// Sessions at one time from one address, or one /64 network of IPv6; `None` for a tenth of all, and no
    /// limit for loopback addresses.
    pub sessions_per_address: Option<usize>,
    /// Connections at one time whose login is not complete.
    pub pending_logins: usize,
    /// Longest line in bytes.
    pub line: usize,
    /// Output that a client leaves unread.
    pub output: OutputLimits,
    /// Bytes of input and output that all connections together may hold.
    pub buffers: usize,
    /// How long a login may take.
    pub login_timeout: Duration,
    /// The silence after which a client is probed.
    pub keepalive: Duration,
    /// How long running games may go on after the server is asked to end.
    pub drain: Duration,
    /// The most bytes of the table that a link carries for a search; 0 for none.
    pub warm: usize,
}

/// What a server is made with.
pub struct Setup {
    /// Its limits.
    pub limits: ServerLimits,
    /// The sources that share it.
    pub sources: Sources,
    /// The size of the pool.
    pub size: Size,
    /// The engine.
    pub search: Box<SearchFn>,
    /// The default profile of sessions.
    pub profile: Arc<Profile>,
    /// Makes sessions differ from each other, and from those of other servers.
    pub seed: u64,
}

/// Search threads yield somewhat to the loop when cores are short. More would weaken the play beside other
/// programs on the machine; the loop also [raises its own priority](raise_loop_priority).
const NICENESS: i32 = 1;

impl ServerLimits {
    /// The limits in the configuration.
    pub fn new(config: &Config) -> ServerLimits {
        ServerLimits {
            sessions: config.max_sessions,
            sessions_per_address: config.max_sessions_per_address,
            pending_logins: config.max_unproven,
            line: config.max_line,
            output: OutputLimits { soft: config.output_soft, hard: config.output_hard },
            buffers: config.max_buffers,
            login_timeout: login::steps::TIMEOUT,
            keepalive: config.keepalive,
            drain: config.drain,
            warm: config.warm_kib << 10,
        }
    }
}

impl Setup {
    /// The configuration, with an engine and its profile.
    pub fn new(config: &Config, search: Box<SearchFn>, profile: Arc<Profile>, seed: u64) -> Setup {
        let limits = ServerLimits::new(config);
        let size = Size { workers: config.workers, searches: config.max_searches, niceness: NICENESS };
        Setup { limits, sources: Sources::new(config), size, search, profile, seed }
    }
}
