//! Simulations of servers and their clients in one process and in virtual time.

mod scale;
#[path = "../support/mod.rs"]
mod support;
mod world;
