//! The one interner behind terms, variables, functions and array sorts.
//!
//! Interned values are leaked on purpose: handles are `'static` references, reading one takes no lock,
//! and a process of this tool lives as long as its terms. Ids count up in the order of creation, so
//! that a single-threaded run numbers its terms the same way every time.

use std::hash::{BuildHasher, Hash};
use std::sync::{Mutex, PoisonError};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// A hash-consing table for values of type `T`.
pub(crate) struct Interner<T: 'static> {
    table: Mutex<HashTable<&'static Interned<T>>>,
}

/// An interned value with its number in the order of creation.
#[derive(Debug)]
pub(crate) struct Interned<T> {
    pub(crate) id: u32,
    hash: u64,
    pub(crate) value: T,
}

impl<T: Hash + Eq> Interner<T> {
    pub(crate) const fn new() -> Self {
        Self { table: Mutex::new(HashTable::new()) }
    }

    /// The handle of `value`, made on first use.
    pub(crate) fn intern(&self, value: T) -> &'static Interned<T> {
        let hash = FxBuildHasher.hash_one(&value);
        // A poisoned table is still consistent: entries are inserted whole.
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = table.find(hash, |entry| entry.hash == hash && entry.value == value) {
            return found;
        }
        let id = u32::try_from(table.len()).expect("fewer than 2^32 interned values");
        let entry: &'static Interned<T> = Box::leak(Box::new(Interned { id, hash, value }));
        table.insert_unique(hash, entry, |entry| entry.hash);
        entry
    }
}
