//! Any bytes are read as an input or refused at a place.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| lapidary_frontend::fuzzing::input(data));
