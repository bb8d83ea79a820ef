//! The fuzzer of [`farboard_fuzz::framing`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| farboard_fuzz::framing::run(data));
