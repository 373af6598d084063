//! Abstract domains.

pub mod explicit;
mod limited;
mod memo;
pub mod predicate;

pub use explicit::Explicit;
pub use limited::Limited;
pub use predicate::{Boolean, Cartesian, Split};
