//! The fuzzer of [`farboard_fuzz::command`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| farboard_fuzz::command::run(data));
