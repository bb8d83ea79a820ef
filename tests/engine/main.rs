//! The engine as a library: rules and search.

mod chess;
mod draughts;
mod search;
#[path = "../support/mod.rs"]
mod support;
