//! The fuzzer of [`farboard_fuzz::session`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| farboard_fuzz::session::run(data));
