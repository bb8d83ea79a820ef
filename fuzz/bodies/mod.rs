//! Fuzz targets: functions that take any bytes and panic on a failure.
//!
//! The fuzzers in `fuzz_targets/` call them with libFuzzer's inputs,
//! `tests/sessions/fuzz_corpus.rs` with the corpus.

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
pub mod web;
