//! Sessions without sockets: conversations in the three protocols, simulations, and session state.

#[path = "../../fuzz/bodies/mod.rs"]
mod bodies;
mod checkers;
mod driver_directives;
mod fuzz_corpus;
mod kriegspiel;
mod patience;
mod playing;
mod protocol_table;
mod simulation;
mod state;
#[path = "../support/mod.rs"]
mod support;
mod takeover;
mod transcripts;
mod uci;
mod web_conversations;

use bodies::session_driver;
