//! The engine as a library: the rules of its games, and what it finds.

mod chess;
mod draughts;
mod search;
