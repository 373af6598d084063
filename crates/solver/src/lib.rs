//! Lapidary solver.
