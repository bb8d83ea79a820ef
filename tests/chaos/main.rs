//! Tests that break things: networks that delay, cut and reset connections, and servers that are
//! killed.
//!
//! * `direct`: games over a rough network, and clients that vanish in the middle of a line.
//! * `lag`: short games over a slow connection, none of which may be lost on time.
//! * `kills`: servers killed at every kind of moment of a game, behind the shim.
//! * `hands`: the same with pieces in hand, as in crazyhouse and bughouse on a chess server.
//! * `broken`: connections broken at any byte, behind the shim.
//! * `network`: the proxy itself.
//!
//! Shared by all: `gui` is a model of a GUI that verifies everything it receives over a `wire`;
//! `proxy` is the network and `weather` its faults; `servers` are the real programs; `metronome`
//! measures the machine's delays; `seeds` runs and reports.

mod broken;
mod direct;
mod farm;
mod gui;
mod hands;
mod kills;
mod lag;
mod metronome;
mod network;
mod opponent;
mod proxy;
mod seeds;
mod servers;
#[path = "../support/mod.rs"]
mod support;
mod weather;
mod wire;
