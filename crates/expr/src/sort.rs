//! Sorts: what a term's value can be.

use std::fmt;

use crate::intern::{Interned, Interner};

/// The sort of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Unbounded integers.
    Int,
    /// Exact rationals.
    Rat,
    /// Bit-vectors of the given width, which is at least one.
    Bv(u32),
    /// Total maps from an index to an element sort.
    Array(ArraySort),
}

/// The index and element sorts of an array, interned.
#[derive(Clone, Copy)]
pub struct ArraySort(&'static Interned<(Sort, Sort)>);

static ARRAY_SORTS: Interner<(Sort, Sort)> = Interner::new();

impl Sort {
    /// The sort of arrays from `index` to `element`.
    pub fn array(index: Sort, element: Sort) -> Sort {
        Sort::Array(ArraySort(ARRAY_SORTS.intern((index, element))))
    }

    /// Whether values are numbers with `+` and `<=`.
    pub fn is_arithmetic(self) -> bool {
        matches!(self, Sort::Int | Sort::Rat)
    }
}

impl ArraySort {
    /// The sort of indices.
    pub fn index(self) -> Sort {
        self.0.value.0
    }

    /// The sort of elements.
    pub fn element(self) -> Sort {
        self.0.value.1
    }
}

impl PartialEq for ArraySort {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for ArraySort {}

impl std::hash::Hash for ArraySort {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.id.hash(state);
    }
}

impl PartialOrd for ArraySort {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ArraySort {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.value.cmp(&other.0.value)
    }
}

impl fmt::Debug for ArraySort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({:?} -> {:?})", self.index(), self.element())
    }
}

/// SMT-LIB's spelling.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Int => f.write_str("Int"),
            Sort::Rat => f.write_str("Real"),
            Sort::Bv(width) => write!(f, "(_ BitVec {width})"),
            Sort::Array(array) => write!(f, "(Array {} {})", array.index(), array.element()),
        }
    }
}
