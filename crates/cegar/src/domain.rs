//! Abstract domains.

pub mod explicit;
pub mod predicate;

pub use explicit::Explicit;
pub use predicate::Cartesian;
