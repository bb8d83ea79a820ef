//! The server: one thread for all sockets. It knows no chess.
//!
//! Each turn of the `event_loop` waits for events (bytes, new connections, timers, search events,
//! signals). Bytes become lines, lines go to the connection's
//! [`Conversation`](crate::session::Conversation), and its effects are carried out. Everything is
//! bounded: line length, the input of a client per turn, unread output, sessions, searches. So a
//! client waits for other clients at most one turn each: a millisecond or one command, whichever is
//! longer.
//!
//! * Limits of sessions, by server, address and user: `admission`. Reasons for refusals and ends:
//!   `outcome`.
//! * From socket to session: `listen`, `login`, `rsh`, `connections`, `connection`, `sessions`.
//! * Load balancers: `balancer`. Searches on their way to the pool and back: `searches`.
//! * For administrators: [`control`], [`reload`], `observe`, and `http` in a thread of its own.
//! * Watchers of sessions: `watch`.
//! * Sessions without a socket: [`local_session`], and [`stdio`] on standard input and output.

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
mod watch;

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
    /// Sessions at one time from one address, or one /64 network of IPv6; `None` for a tenth of
    /// `sessions`, and no limit for loopback addresses.
    pub sessions_per_address: Option<usize>,
    /// Connections at one time with an incomplete login.
    pub pending_logins: usize,
    /// Longest line in bytes.
    pub line: usize,
    /// Limits of unread output.
    pub output: OutputLimits,
    /// Bytes of input and output that all connections together may hold.
    pub buffers: usize,
    /// Time limit for a login.
    pub login_timeout: Duration,
    /// Silence after which a client is probed.
    pub keepalive: Duration,
    /// Time that running games get at shutdown.
    pub drain: Duration,
    /// Most bytes of the transposition table that a link carries for a search; 0 for none.
    pub warm: usize,
}

/// Everything that a server is built from.
pub struct Setup {
    /// Its limits.
    pub limits: ServerLimits,
    /// The sources that share the server.
    pub sources: Sources,
    /// The size of the pool.
    pub size: Size,
    /// The search function of the built-in engine.
    pub search: Box<SearchFn>,
    /// The default profile of sessions.
    pub profile: Arc<Profile>,
    /// Seed that makes sessions differ from each other and from other servers' sessions.
    pub seed: u64,
}

/// Niceness of search threads: they yield somewhat to the loop when cores are short. More would
/// weaken play beside other programs on the machine; the loop also [raises its own
/// priority](raise_loop_priority).
const NICENESS: i32 = 1;

impl ServerLimits {
    /// Takes the limits from a configuration.
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
    /// Combines a configuration with an engine and its profile.
    pub fn new(config: &Config, search: Box<SearchFn>, profile: Arc<Profile>, seed: u64) -> Setup {
        let limits = ServerLimits::new(config);
        let size = Size { workers: config.workers, searches: config.max_searches, niceness: NICENESS };
        Setup { limits, sources: Sources::new(config), size, search, profile, seed }
    }
}
