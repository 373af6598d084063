//! How inductive a sequence looks.
//!
//! The predicates of a loop's invariant come back in every round. A sequence whose atoms are few is better
//! than one with many, and worst is one in which an atom comes back with another constant each time (`x = 0`,
//! `x = 2`, `x = 4`, …): refining with that unrolls the loop. So atoms are compared without the versions of
//! their variables, and those that differ in constants only are counted as one *family*.

use std::collections::{BTreeMap, BTreeSet};

use lapidary_expr::{Shapes, Term};

use super::path::unversioned;

/// A family of this many is still no sign of divergence: the first and the last round may differ.
const MEMBERS: usize = 2;

/// Smaller is better; compared field by field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Score {
    /// Members of families beyond what is normal.
    pub(super) diverging: usize,
    /// Distinct atoms.
    pub(super) atoms: usize,
    /// Nodes of the distinct atoms.
    pub(super) size: usize,
}

impl Score {
    pub(super) fn of(itps: &[Term]) -> Score {
        let atoms: BTreeSet<Term> = itps
            .iter()
            .flat_map(|itp| itp.atoms())
            .map(|atom| unversioned(atom).positive())
            .collect();
        let mut shapes = Shapes::default();
        let mut families: BTreeMap<u32, usize> = BTreeMap::new();
        atoms.iter().for_each(|atom| *families.entry(shapes.number(*atom)).or_default() += 1);
        Score {
            diverging: families.values().map(|members| members.saturating_sub(MEMBERS)).sum(),
            atoms: atoms.len(),
            size: atoms.iter().map(|atom| atom.size() as usize).sum(),
        }
    }
}
