//! The fuzzer of [`farboard_fuzz::book`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| farboard_fuzz::book::run(data));
