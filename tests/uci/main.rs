//! UCI: transcripts, a seeded simulation, a game beside one by xboard's protocol, and a real server.
//!
//! Transcripts are in `tests/transcripts/uci`, in the form of `script`; what directives do is in `directives`.

mod directives;
#[path = "../running_server/mod.rs"]
mod running_server;
mod same_moves;
#[path = "../script/mod.rs"]
mod script;
#[path = "../seeds/mod.rs"]
mod seeds;
mod server;
mod simulation;
mod transcripts;
mod world;
