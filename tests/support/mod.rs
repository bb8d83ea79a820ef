//! Shared by several test programs.
#![allow(dead_code, reason = "no test program uses all of it")]

pub mod dice;
pub mod reserved_port;
pub mod seeds;
pub mod transcripts;
