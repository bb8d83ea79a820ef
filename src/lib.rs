//! Farboard: a chess engine server that speaks the protocol of xboard and WinBoard.
//!
//! Data flows one way: bytes → line → command → session → effects → bytes. The folders of this
//! crate are the stations on that way; each knows only those to its right.
//!
//! ```text
//! server ─▶ session ─▶ protocol
//!              │
//!              └─────▶ pool ─▶ search ─▶ chess
//! ```
//!
//! * `server`: sockets, buffers, limits, timers. Knows no chess. Unix only; other systems have the
//!   shim.
//! * [`protocol`]: bytes to typed commands, typed replies to bytes.
//! * [`session`]: one client's session, sans-io: `now` is an argument, effects are the result.
//! * [`pool`]: the scheduler, a pure value, and the worker threads that execute its decisions.
//! * [`search`]: the built-in engine. Knows no protocol, no socket, no session.
//! * [`kriegspiel`]: the kriegspiel player, which sees only its own men.
//! * [`book`]: opening books.
//! * [`chess`]: rules, positions, notation.
//! * [`draughts`]: rules, positions, notation of English draughts.
//! * [`shim`]: the stdio to TCP program that a GUI starts.
//! * [`link`]: the protocol between shim and server: bytes, and the state of the session.
//! * [`mod@archive`]: finished games, in files of PGN.
//! * [`auth`]: authentication and TLS between shim and server, sans-io.
//! * [`logging`]: the log: rate-limited, bounded, written by a thread of its own.
//! * [`metrics`]: lock-free metrics of a running server, and their text for Prometheus.
//! * [`monitor`]: a client of a server's control socket.
//! * [`engines`]: processes of external engines and the protocols they speak.
//! * [`hosting`]: external engines that search for sessions.
//! * [`mod@matches`]: matches between engines, and their statistics.
//! * [`load`]: the load generator: many clients of one server, with measurements.
//! * [`tuning`]: weights of the evaluation, fitted to self-play games.
//! * [`replay`]: recorded sessions, repeated and compared.
//!
//! `docs/architecture.md` has the picture and the reasons.

#![cfg_attr(not(test), warn(unreachable_pub))]

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
