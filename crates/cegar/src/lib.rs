//! Lapidary cegar.
