//! The Checkers Protocol: transcripts, the sentences of its text, the traps of its programs, a model of the GUI of its time,
//! a seeded simulation, and a real server.
//!
//! Transcripts are in `tests/transcripts/checkers`, in the form of `script`; what directives do is in `directives`.

mod directives;
mod gui;
mod gui_games;
mod musts;
mod simulation;
mod transcripts;
mod traps;
mod without_search;
mod world;
