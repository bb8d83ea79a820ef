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
//! * [`training`]: weights and nets of the evaluation, fitted to self-play games.
//! * [`replay`]: recorded sessions, repeated and compared.
//!
//! `docs/architecture.md` has the picture and the reasons.
//!
//! # Use as a library
//!
//! The rules alone: positions of any variant, their moves and outcomes.
//!
//! ```
//! use farboard::chess::{Color, Ending, Game, Outcome, Variant};
//!
//! let variant: Variant = "crazyhouse".parse()?;
//! let mut game = Game::from_fen(variant, "6k1/5ppp/8/8/8/8/8/6K1[R] w - - 0 1")?;
//! assert_eq!(game.position().legal_moves().len(), 5 + 59);
//! let mate = game.position().parse_move("R@e8")?;
//! assert_eq!(game.position().san(mate), "R@e8#");
//! game.play(mate);
//! assert_eq!(game.ending(), Some((Outcome::Win(Color::White), Ending::Checkmate)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same for draughts:
//!
//! ```
//! use farboard::chess::{Color, Outcome};
//! use farboard::draughts::{Ending, Game, Position};
//!
//! let mut game = Game::from_position(Position::from_fen("W:W22,K30:B18")?);
//! let jump = game.position().parse_move("22x15")?;
//! assert_eq!(game.position().legal_moves().to_vec(), [jump]);
//! game.play(jump);
//! assert_eq!(game.ending(), Some((Outcome::Win(Color::White), Ending::NoMoves)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The built-in engine, here with a limit of nodes:
//!
//! ```
//! use farboard::chess::{AnyPosition, Variant};
//! use farboard::search::{Limits, OpenGate, Request, Table, search};
//!
//! let position = AnyPosition::from_fen(Variant::NORMAL, "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1")?;
//! let limits = Limits { nodes: Some(20_000), ..Limits::default() };
//! let request = Request { limits, ..Request::of(position) };
//! let table = Table::private(1)?;
//! let done = search(&request, &table, &mut OpenGate::new(), &mut |_report| {});
//! let best = done.best.ok_or("every move is excluded")?;
//! assert_eq!(position.san(best), "Re8#");
//! assert_eq!(done.score.mate_distance(), Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A client's session without a socket: lines in, effects out.
//!
//! ```
//! use farboard::book::Books;
//! use farboard::session::{Conversation, Effect, Input, Profile, Protocol, Setup};
//! use std::sync::Arc;
//! use std::time::Instant;
//!
//! let profile = Arc::new(Profile::new("Example", Books::default()));
//! let setup = Setup { seed: 1, identity: 1, profile };
//! let mut session = Conversation::new(Protocol::Auto, setup, Arc::default());
//! let mut effects = Vec::new();
//! for line in ["xboard", "ping 7"] {
//!     session.handle(Input::Line(line.as_bytes()), Instant::now(), &mut effects);
//! }
//! let is_pong = |effect: &Effect| matches!(effect, Effect::Send(line) if line.text == "pong 7\n");
//! assert!(effects.iter().any(is_pong));
//! ```
//!
//! The server, in a thread, on a port that the system chooses:
//!
//! ```
//! use farboard::config::Settings;
//! use farboard::pool::engine;
//! use farboard::search::Table;
//! use farboard::server::{ListenerPolicy, NAME, Server, Setup, bind};
//! use std::io::{BufRead, BufReader, Write};
//! use std::net::{Ipv4Addr, TcpStream};
//!
//! let config = Settings::default().resolve()?;
//! let profile = config.profile(NAME)?;
//! let setup = Setup::new(&config, engine(Table::new(1)?), profile.into(), 1);
//! let listener = bind((Ipv4Addr::LOCALHOST, 0).into())?;
//! let server = Server::new(vec![(listener, ListenerPolicy::open())], setup)?;
//! let (address, handle) = (server.addresses()?[0], server.handle());
//! let thread = std::thread::spawn(|| server.run());
//!
//! let mut client = TcpStream::connect(address)?;
//! client.write_all(b"uci\n")?;
//! let id = BufReader::new(client).lines().next().ok_or("no answer")??;
//! assert_eq!(id, format!("id name {NAME}"));
//!
//! handle.stop();
//! thread.join().expect("the server does not panic")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), warn(unreachable_pub))]
// The shim alone uses a part of the crate; the complete build finds what nothing uses.
#![cfg_attr(not(feature = "server"), allow(dead_code, unused_imports))]

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
#[cfg(feature = "training")]
pub mod training;
