//! Cubes of latch literals, and lemmas: the negations of cubes.
//!
//! A literal is about a latch by its number: variable `i + 1` for latch `i`, as in the solvers.

use std::rc::Rc;

use lapidary_sat::{Lit, Var};

/// A conjunction of latch literals, sorted, no latch twice.
pub(super) type Cube = Vec<Lit>;

/// The literal of a latch with this value.
pub(super) fn latch_literal(latch: usize, value: bool) -> Lit {
    Lit::new(latch as Var + 1, value)
}

/// The latch that a literal is about.
pub(super) fn latch_of(lit: Lit) -> usize {
    lit.var() as usize - 1
}

/// One bit for each literal: a cube within another one has no bits that the other lacks.
pub(super) fn signature(cube: &[Lit]) -> u64 {
    cube.iter().fold(0, |bits, lit| bits | 1 << (lit.code() & 63))
}

/// Whether all literals of `small` are in `large`; both are sorted.
pub(super) fn is_within(small: &[Lit], large: &[Lit]) -> bool {
    if small.len() > large.len() {
        return false;
    }
    let mut rest = large.iter();
    small.iter().all(|lit| rest.by_ref().find(|other| *other >= lit) == Some(lit))
}

/// A state: a value for each latch.
pub(super) type State = Rc<[bool]>;

/// Whether a state is in the cube.
pub(super) fn contains(cube: &[Lit], state: &[bool]) -> bool {
    cube.iter().all(|lit| state[latch_of(*lit)] == lit.is_positive())
}

/// No state of the frames at its level and below is in the cube.
#[derive(Clone, Debug)]
pub(super) struct Lemma {
    pub(super) cube: Rc<[Lit]>,
    signature: u64,
    /// A state of its frame with a successor in the cube, and the number of lemmas that there were then.
    pub(super) pushed_back: Option<(State, usize)>,
}

impl Lemma {
    pub(super) fn new(cube: &[Lit]) -> Self {
        Lemma { cube: cube.into(), signature: signature(cube), pushed_back: None }
    }

    /// Whether the lemma excludes all states of a cube with this signature.
    pub(super) fn excludes(&self, cube: &[Lit], of_cube: u64) -> bool {
        self.signature & !of_cube == 0 && is_within(&self.cube, cube)
    }

    /// Whether all that the lemma excludes, a cube with this signature does, too.
    pub(super) fn is_weaker(&self, cube: &[Lit], of_cube: u64) -> bool {
        of_cube & !self.signature == 0 && is_within(cube, &self.cube)
    }
}
