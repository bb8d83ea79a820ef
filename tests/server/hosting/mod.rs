//! External engines hosted by a server: a fake engine that misbehaves in every way, and real
//! sockets.

mod endings;
mod fake;
mod fake_xboard;
pub mod hosting_server;
mod kills;
mod lending;
mod misbehaviour;
mod names;
mod program;
mod reload;
mod remote_shell;
mod xboard;
