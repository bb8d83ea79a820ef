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
//! * `server`: sockets, buffers, limits, timers. Knows no chess. Only on systems like Unix; the others have the shim.
//! * [`protocol`]: bytes to typed commands, typed replies to bytes. Nothing else.
//! * [`session`]: one client's world, sans-io: `now` is an argument, effects are the result.
//! * [`pool`]: who may search when. The scheduler is a pure value, the workers obey it.
//! * [`search`]: the engine. Knows no protocol word, no socket, no session.
//! * [`book`]: what to play where others have played before. Knows only [`chess`], and not who asks.
//! * [`chess`]: rules, positions, notation.
//! * [`connect`]: the stdio ⇄ TCP shim a GUI starts.
//! * [`keys`]: how shim and server know each other, and keep others out. Sans-io, too.
//! * [`logging`]: lines of the log, limited and bounded; a thread writes them, and nobody waits for it.
//! * [`monitor`]: a server seen from outside, by its control socket.
//! * [`load`]: many clients of one server, and what they measure.
//! * [`replay`]: what a client said to a server, said again, and the answers compared.
//!
//! `docs/architecture.md` has the picture and the reasons.

pub mod book;
pub mod chess;
#[cfg(feature = "server")]
pub mod config;
pub mod connect;
pub mod keys;
#[cfg(all(unix, feature = "load"))]
pub mod load;
#[cfg(feature = "server")]
pub mod logging;
#[cfg(all(unix, feature = "server"))]
pub mod monitor;
pub mod pool;
pub mod protocol;
#[cfg(all(unix, feature = "server"))]
pub mod replay;
pub mod search;
#[cfg(all(unix, feature = "server"))]
pub mod server;
pub mod session;
