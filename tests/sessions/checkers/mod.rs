//! The Checkers Protocol: transcripts (`tests/transcripts/checkers`), the requirements of its
//! specification, bugs of other programs, a model of a GUI, and a seeded simulation.

mod directives;
mod gui;
mod gui_games;
mod musts;
mod simulation;
mod transcripts;
mod traps;
mod without_search;
mod world;
