//! Names that are all different, where a format does not ask for it: a variable is its name.

use rustc_hash::{FxHashMap, FxHashSet};

/// The names that were given away.
#[derive(Debug, Default)]
pub(crate) struct Unique {
    taken: FxHashSet<String>,
    /// The last number that a name was given.
    numbers: FxHashMap<String, u32>,
}

impl Unique {
    /// The name itself if it is new, or with the first number that makes it new. What no quoted symbol of SMT-LIB
    /// may have in it is an underscore, so that terms can be read again.
    pub(crate) fn name(&mut self, name: &str) -> String {
        let name = &*name.replace(['|', '\\'], "_");
        let mut unique = name.to_owned();
        while !self.taken.insert(unique.clone()) {
            let number = self.numbers.entry(name.to_owned()).or_insert(1);
            *number += 1;
            unique = format!("{name}#{number}");
        }
        unique
    }
}
