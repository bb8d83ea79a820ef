//! Farboard: a chess engine server that speaks the protocol of xboard and WinBoard.
//!
//! Data flows one way: bytes → line → command → session → effects → bytes. The folders of this crate are the
//! stations on that way; each knows only those to its right.
//!
//! ```text
//! server ─▶ session ─▶ protocol
//!              │
//!              └─────▶ pool ─▶ search ─▶ chess
//! ```
//!
//! * `server`: sockets, buffers, limits, timers. Knows no chess. Unix only; other systems have the shim.
//! * [`protocol`]: bytes to typed commands, typed replies to bytes. Nothing else.
//! * [`session`]: one client's world, sans-io: `now` is an argument, effects are the result.
//! * [`pool`]: which searches run when. The scheduler is a pure value that the workers obey.
//! * [`search`]: the engine. Knows no protocol word, no socket, no session.
//! * [`kriegspiel`]: the kriegspiel player, which sees only its own men.
//! * [`book`]: opening books. Knows only [`chess`].
//! * [`chess`]: rules, positions, notation.
//! * [`draughts`]: rules, positions, notation of English draughts.
//! * [`shim`]: the stdio ⇄ TCP shim that a GUI starts.
//! * [`mod@archive`]: games that have ended, in files of PGN.
//! * [`auth`]: authentication and TLS between shim and server. Sans-io, too.
//! * [`logging`]: the log: rate-limited, bounded, and written by a thread, so that nobody waits for it.
//! * [`metrics`]: numbers about a running server, counted without a lock, and their text for Prometheus.
//! * [`monitor`]: a server seen from outside, through its control socket.
//! * [`engines`]: other engines, as a program sees them that plays on them.
//! * [`hosting`]: external engines, lent to the searches of sessions.
//! * [`mod@matches`]: games of two engines against each other, and what they tell of their strength.
//! * [`link`]: what the shim and a server say to each other: bytes, and the state of the session.
//! * [`load`]: the load generator: many clients of one server, and what they measure.
//! * [`tuning`]: weights of the evaluation, from games of the engine against itself.
//! * [`replay`]: recorded sessions, repeated and compared.
//!
//! `docs/architecture.md` has the picture and the reasons.

#[cfg(all(unix, feature = "server"))]
pub mod archive;
pub mod auth;
pub mod book;
pub mod chess;
#[cfg(feature = "server")]
pub mod config;
pub mod draughts;
#[cfg(all(unix, feature = "server"))]
pub mod engines;
#[cfg(all(unix, feature = "server"))]
pub mod hosting;
pub mod kriegspiel;
pub mod link;
#[cfg(all(unix, feature = "load"))]
pub mod load;
#[cfg(feature = "server")]
pub mod logging;
#[cfg(all(unix, feature = "matches"))]
pub mod matches;
pub mod metrics;
#[cfg(all(unix, feature = "server"))]
pub mod monitor;
#[cfg(unix)]
mod niceness;
pub mod pool;
#[cfg(feature = "server")]
pub mod progress_bar;
pub mod protocol;
pub mod random;
#[cfg(all(unix, feature = "server"))]
pub mod replay;
pub mod search;
#[cfg(all(unix, feature = "server"))]
pub mod server;
pub mod session;
pub mod shim;
#[cfg(feature = "tuning")]
pub mod tuning;
