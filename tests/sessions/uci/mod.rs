//! UCI: transcripts (`tests/transcripts/uci`), a seeded simulation, a game compared with one in
//! xboard's protocol, and standard input and output.

mod directives;
mod same_moves;
mod simulation;
mod stdio;
mod transcripts;
mod world;
