//! Any text as an automaton: see `lapidary_frontend::fuzzing`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| lapidary_frontend::fuzzing::cfa(data));
