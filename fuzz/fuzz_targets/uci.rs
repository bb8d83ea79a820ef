//! The fuzzer of [`farboard_fuzz::uci`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| farboard_fuzz::uci::run(data));
