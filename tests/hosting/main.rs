//! External engines hosted by a server: a fake engine that misbehaves in every way, and real sockets.

#[path = "../running_server/mod.rs"]
#[allow(dead_code, reason = "not every test program needs all of it")]
mod running_server;

#[path = "../rsh/reader.rs"]
#[allow(dead_code, reason = "not every test program needs all of it")]
mod reader;
#[path = "../rsh/winboard.rs"]
#[allow(dead_code, reason = "not every test program needs all of it")]
mod winboard;

mod endings;
mod fake;
mod fake_xboard;
mod kills;
mod lending;
mod misbehaviour;
mod names;
mod program;
mod reload;
mod remote_shell;
mod support;
mod xboard;
