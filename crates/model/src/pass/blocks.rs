//! Loop-free blocks as single edges (`encoding = lbe`): large-block encoding of Beyer, Cimatti, Griggio,
//! Keremoglu and Sebastiani (FMCAD 2009), as used in the fifth paper's §5.1.
//!
//! Blocks end at the entry, the error location and the targets of retreating edges. All paths between two
//! ends that pass no other become one edge, whose statement is made of sequences and choices.
//!
//! Difference: the authors rewrite by two rules, one after the other, which copies whatever stands before a
//! branch into each of its ways, so that a statement can grow exponentially. Here it follows the dominator
//! tree of the block, where what lies before a branch is written once (see `blocks/paths.rs`); diamonds in
//! a row give a statement as long as they are. Statements are trees, and a few graphs (jumps between
//! branches, again and again) have no small one; there, the location that would be copied most ends blocks,
//! too.

mod paths;

use super::chains::compose;
use super::shape::Shape;
use super::{BackTranslate, Pass, cuts};
use crate::cfa::{Cfa, Loc};
use paths::{Paths, Region};

/// Makes one edge of all paths between two ends of blocks.
#[derive(Clone, Copy, Debug)]
pub struct Blocks;

impl Pass for Blocks {
    fn name(&self) -> &'static str {
        "lbe"
    }

    fn run(&self, cfa: &Cfa) -> (Cfa, Box<dyn BackTranslate>) {
        let mut ends = cuts::necessary(cfa);
        while let Some(loc) = too_large(cfa, &ends) {
            ends[loc.0 as usize] = true;
        }
        compose(cfa, &ends, |loc| block(cfa, &ends, loc))
    }
}

/// A location at which blocks have to end, lest a statement becomes too large.
fn too_large(cfa: &Cfa, ends: &[bool]) -> Option<Loc> {
    let mut roots = cfa.locs().filter(|loc| ends[loc.0 as usize] && Some(*loc) != cfa.error());
    roots.find_map(|root| {
        let region = Region::new(cfa, ends, root);
        region.targets().iter().find_map(|target| Paths::new(&region, *target).excess())
    })
}

/// The statements from `root` to the next ends.
fn block(cfa: &Cfa, ends: &[bool], root: Loc) -> Vec<(Shape, Loc)> {
    let region = Region::new(cfa, ends, root);
    let shape = |target: &Loc| (Paths::new(&region, *target).shape(), *target);
    region.targets().iter().map(shape).collect()
}
