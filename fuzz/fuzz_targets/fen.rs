//! The fuzzer of [`farboard_fuzz::fen`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| farboard_fuzz::fen::run(data));
