//! UCI: transcripts, a seeded simulation, a game beside one by xboard's protocol, and a real server.
//!
//! Transcripts are in `tests/transcripts/uci`, in the form of `script`; what directives do is in `directives`.

mod directives;
mod same_moves;
mod simulation;
mod stdio;
mod transcripts;
mod world;
