//! The fuzzer of [`farboard_fuzz::proxy`].

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| farboard_fuzz::proxy::run(data));
