//! Whether an explanation says anything but the same with other constants.

use lapidary_expr::{Shapes, Term};
use rustc_hash::FxHashSet;

use crate::Reason;

/// The shapes of atoms, and the variables, that explanations have spoken of.
#[derive(Default)]
pub(super) struct Novelty {
    shapes: Shapes,
    known: FxHashSet<u32>,
}

impl Novelty {
    /// Remembers what reasons speak of; whether any of that is new but for its constants.
    pub(super) fn see(&mut self, reasons: &[Reason]) -> bool {
        let mut is_new = false;
        for reason in reasons {
            match reason {
                Reason::Holds(term) => term.atoms().iter().for_each(|a| is_new |= self.add(*a)),
                Reason::Tracks(vars) => vars.iter().for_each(|v| is_new |= self.add(Term::var(*v))),
                Reason::Core { vars, atoms } => {
                    let vars = vars.iter().map(|var| Term::var(*var));
                    vars.chain(atoms.iter().copied()).for_each(|a| is_new |= self.add(a));
                }
            }
        }
        is_new
    }

    fn add(&mut self, atom: Term) -> bool {
        let shape = self.shapes.number(atom);
        self.known.insert(shape)
    }
}
