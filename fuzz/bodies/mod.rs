//! What is fuzzed: for each target a function that takes any bytes and panics if something is wrong.
//!
//! The fuzzers of `fuzz_targets/` call them with what libFuzzer thinks up, `tests/fuzz_corpus.rs` with
//! what it thought up before.

pub mod book;
pub mod command;
pub mod fen;
pub mod framing;
pub mod session;
