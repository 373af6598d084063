//! Abstract domains.

pub mod explicit;
mod limited;
pub mod predicate;

pub use explicit::Explicit;
pub use limited::Limited;
pub use predicate::Cartesian;
