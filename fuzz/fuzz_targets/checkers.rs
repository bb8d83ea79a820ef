//! The fuzzer of [`farboard_fuzz::checkers`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| farboard_fuzz::checkers::run(data));
