//! Lapidary model.
