//! Generated C.

pub mod layout;
