//! Engines of others, hosted by a server: a fake engine that misbehaves in every way, and real sockets.

#[path = "../running_server/mod.rs"]
#[allow(dead_code, reason = "not every test program needs all of it")]
mod running_server;

mod endings;
mod fake;
mod fake_xboard;
mod kills;
mod lending;
mod misbehaviour;
mod support;
mod xboard;
