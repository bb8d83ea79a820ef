//! Fuzz targets: for each a function that takes any bytes and panics if something is wrong.
//!
//! The fuzzers of `fuzz_targets/` call them with libFuzzer's inputs, `tests/sessions/fuzz_corpus.rs` with those kept
//! in the corpus.

pub mod book;
pub mod checkers;
pub mod command;
mod conversation;
pub mod fen;
pub mod framing;
pub mod proxy;
pub mod session;
#[allow(dead_code, reason = "shared with the tests, which use more of it")]
#[path = "../../tests/sessions/session_driver.rs"]
pub(crate) mod session_driver;
pub mod state;
pub mod uci;
