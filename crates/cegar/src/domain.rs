//! Abstract domains.

pub mod combined;
pub mod explicit;
mod limited;
pub(crate) mod memo;
pub mod pair;
pub mod predicate;
pub mod product;
pub mod states;

use crate::axis::axis;

pub use combined::Combined;
pub use explicit::Explicit;
pub use limited::Limited;
pub use predicate::{Boolean, Cartesian, Split};
pub use product::Product;
pub use states::States;

axis! {
    /// The abstract domain.
    pub enum DomainKind {
        /// Explicit values.
        Explicit = "explicit",
        /// Predicates.
        #[default]
        Predicate = "predicate",
        /// Explicit values first, predicates for variables with many values.
        Product = "product",
        /// Predicates, and explicit values of chosen variables.
        Combined = "combined",
    }
}
