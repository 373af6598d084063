//! Abstract domains.

pub mod combined;
pub mod explicit;
mod limited;
pub(crate) mod memo;
pub mod pair;
pub mod predicate;
pub mod product;
pub mod states;

pub use combined::Combined;
pub use explicit::Explicit;
pub use limited::Limited;
pub use predicate::{Boolean, Cartesian, Split};
pub use product::Product;
pub use states::States;
