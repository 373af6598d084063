//! What is known about all variables, in pieces that states share until they differ.

use std::sync::Arc;

use lapidary_expr::{Term, Var};

use super::abs::Abs;

/// The variables of a piece.
const PIECE: usize = 8;

/// A set of values for each variable, by its number.
#[derive(Clone, Debug)]
pub(in crate::pass) struct State {
    pieces: Vec<Arc<[Abs; PIECE]>>,
    /// What the conditions before say about elements of arrays; within a statement only.
    elements: Vec<(Term, Abs)>,
}

impl State {
    pub(in crate::pass) fn new(values: &[Abs]) -> State {
        let piece = |values: &[Abs]| {
            let mut piece = [Abs::Any; PIECE];
            piece[..values.len()].copy_from_slice(values);
            Arc::new(piece)
        };
        State { pieces: values.chunks(PIECE).map(piece).collect(), elements: Vec::new() }
    }

    pub(in crate::pass) fn get(&self, var: usize) -> Abs {
        self.pieces[var / PIECE][var % PIECE]
    }

    pub(in crate::pass) fn set(&mut self, var: usize, value: Abs) {
        if self.get(var) != value {
            Arc::make_mut(&mut self.pieces[var / PIECE])[var % PIECE] = value;
        }
    }

    /// What is known about an element of an array.
    pub(in crate::pass) fn element(&self, term: Term) -> Option<Abs> {
        self.elements.iter().find(|(known, _)| *known == term).map(|(_, value)| *value)
    }

    pub(in crate::pass) fn set_element(&mut self, term: Term, value: Abs) {
        self.elements.retain(|(known, _)| *known != term);
        self.elements.push((term, value));
    }

    /// Forgets the elements that a written variable may change.
    pub(in crate::pass) fn forget_elements(&mut self, is_written: impl Fn(Var) -> bool) {
        self.elements.retain(|(term, _)| !term.vars().iter().any(|var| is_written(*var)));
    }

    /// The numbers of pieces, as a measure of what it costs to copy a state.
    pub(in crate::pass) fn n_pieces(&self) -> usize {
        self.pieces.len()
    }

    /// Whether `other` allows all that this allows.
    pub(in crate::pass) fn is_subset(&self, other: &State) -> bool {
        let is_subset = |(a, b): (&Arc<[Abs; PIECE]>, &Arc<[Abs; PIECE]>)| {
            Arc::ptr_eq(a, b) || a.iter().zip(b.iter()).all(|(a, b)| a.is_subset(*b))
        };
        self.pieces.iter().zip(&other.pieces).all(is_subset)
    }

    /// Combines the values of each variable by a function that gives `a` for `(a, a)`, and tells whether anything
    /// changed. `combine` also gets the number of the variable; where it fails, there is no such state.
    pub(in crate::pass) fn merge(
        &mut self,
        other: &State,
        mut combine: impl FnMut(usize, Abs, Abs) -> Option<Abs>,
    ) -> Option<bool> {
        self.elements.retain(|element| other.elements.contains(element));
        let mut changed = false;
        for (i, (own, other)) in self.pieces.iter_mut().zip(&other.pieces).enumerate() {
            if Arc::ptr_eq(own, other) {
                continue;
            }
            let mut merged = **own;
            for (j, (a, b)) in own.iter().zip(other.iter()).enumerate().filter(|(_, (a, b))| a != b)
            {
                merged[j] = combine(PIECE * i + j, *a, *b)?;
            }
            if merged == **other {
                changed |= merged != **own;
                *own = Arc::clone(other);
            } else if merged != **own {
                changed = true;
                *own = Arc::new(merged);
            }
        }
        Some(changed)
    }

    /// Allows what `other` allows too; whether that is more than before.
    pub(in crate::pass) fn join(&mut self, other: &State) -> bool {
        self.merge(other, |_, a, b| Some(a.join(b))).unwrap_or(false)
    }
}
