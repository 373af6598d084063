//! Lapidary frontend.
