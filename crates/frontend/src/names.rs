//! Names that are all different, where a format does not ask for it: a variable is its name.

use rustc_hash::FxHashSet;

/// The names that were given away.
#[derive(Debug, Default)]
pub(crate) struct Unique {
    taken: FxHashSet<String>,
}

impl Unique {
    /// The name itself if it is new, or with the first number that makes it new.
    pub(crate) fn name(&mut self, name: &str) -> String {
        let mut unique = name.to_owned();
        let mut number = 1u32;
        while !self.taken.insert(unique.clone()) {
            number += 1;
            unique = format!("{name}#{number}");
        }
        unique
    }
}
