//! The engine as a library: the rules of its games, and the search.

mod chess;
mod draughts;
mod search;
#[path = "../support/mod.rs"]
mod support;
