//! The fuzzer of [`farboard_fuzz::web`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| farboard_fuzz::web::run(data));
