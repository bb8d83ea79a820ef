//! UCI: transcripts, a seeded simulation, a game beside one by xboard's protocol, and a real server.
//!
//! Transcripts are in `tests/transcripts/uci`, in the form of `script`; what directives do is in `directives`.

#[path = "../seeds/dice.rs"]
#[allow(dead_code)]
mod dice;
mod directives;
#[path = "../session_driver/directives.rs"]
mod driver_directives;
#[path = "../running_server/over_tcp.rs"]
#[allow(dead_code)]
mod over_tcp;
#[path = "../session_driver/patience.rs"]
mod patience;
#[path = "../script/playing.rs"]
mod playing;
#[path = "../running_server/mod.rs"]
mod running_server;
mod same_moves;
#[path = "../script/mod.rs"]
mod script;
#[path = "../seeds/mod.rs"]
mod seeds;
mod server;
#[path = "../session_driver/mod.rs"]
mod session_driver;
mod simulation;
mod stdio;
mod transcripts;
mod world;
