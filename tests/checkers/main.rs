//! The Checkers Protocol: transcripts, the sentences of its text, the traps of its programs, a model of the GUI of its time,
//! a seeded simulation, and a real server.
//!
//! Transcripts are in `tests/transcripts/checkers`, in the form of `script`; what directives do is in `directives`.

#[path = "../seeds/dice.rs"]
#[allow(dead_code)]
mod dice;
mod directives;
#[path = "../session_driver/directives.rs"]
mod driver_directives;
mod gui;
mod gui_games;
mod musts;
#[path = "../running_server/over_tcp.rs"]
#[allow(dead_code)]
mod over_tcp;
#[path = "../script/playing.rs"]
mod playing;
mod programs;
#[path = "../running_server/mod.rs"]
mod running_server;
#[path = "../script/mod.rs"]
mod script;
#[path = "../seeds/mod.rs"]
mod seeds;
mod server;
#[path = "../session_driver/mod.rs"]
mod session_driver;
mod simulation;
mod transcripts;
mod traps;
mod without_search;
mod world;
