//! Farboard: a chess engine server that speaks the protocol of xboard and WinBoard.
//!
//! Data flows one way: bytes → line → command → session → effects → bytes. The folders of this
//! crate are the stations of that way; each knows only those to its right.
//!
//! ```text
//! server ─▶ session ─▶ protocol
//!              │
//!              └─────▶ pool ─▶ search ─▶ chess
//! ```
//!
//! * [`server`]: sockets, buffers, limits, timers. Knows no chess.
//! * [`protocol`]: bytes to typed commands, typed replies to bytes. Nothing else.
//! * [`session`]: one client's world, sans-io: `now` is an argument, effects are the result.
//! * [`pool`]: who may search when. The scheduler is a pure value, the workers obey it.
//! * [`search`]: the engine. Knows no protocol word, no socket, no session.
//! * [`chess`]: rules, positions, notation.
//! * [`connect`]: the stdio ⇄ TCP shim a GUI starts.
//!
//! `docs/architecture.md` has the picture and the reasons.

pub mod chess;
pub mod config;
pub mod connect;
pub mod pool;
pub mod protocol;
pub mod search;
pub mod server;
pub mod session;
