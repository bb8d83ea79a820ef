//! The fuzzer of [`farboard_fuzz::state`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| farboard_fuzz::state::run(data));
