//! What connects the automaton of a C program to its text, and evidence in terms of the text.

pub(in crate::c) mod harness;
pub(in crate::c) mod loops;
pub(in crate::c) mod names;
pub(in crate::c) mod source_map;
pub(in crate::c) mod witness;
