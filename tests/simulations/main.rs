//! Simulations of servers and their clients in one process, with a clock of their own.

mod scale;
#[path = "../support/mod.rs"]
mod support;
mod world;
