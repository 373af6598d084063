//! Any text as a term: see `lapidary_expr::fuzzing`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| lapidary_expr::fuzzing::term(data));
