//! Unsatisfiable cores of partitions: of each part the conjuncts that a contradiction needs.

use lapidary_expr::Term;

use crate::{Result, Stop, UnsatCore};

/// Cores beyond this size are used as the solver gives them.
const MINIMIZED: usize = 48;

/// Conjuncts that contradict each other, with the numbers of their parts.
pub(super) struct Core {
    conjuncts: Vec<(usize, Term)>,
    parts: usize,
    is_minimal: bool,
}

impl Core {
    /// A core of the parts as the solver finds it; none if they do not contradict each other.
    pub(super) fn of(solver: &mut dyn UnsatCore, parts: &[Term]) -> Result<Option<Core>> {
        let numbered = parts.iter().enumerate();
        let conjuncts: Vec<(usize, Term)> = numbered
            .flat_map(|(i, part)| part.conjuncts().into_iter().map(move |conjunct| (i, conjunct)))
            .collect();
        let core = solver.core(&formulas(&conjuncts))?;
        Ok(core.map(|core| Core {
            conjuncts: core.into_iter().map(|position| conjuncts[position]).collect(),
            parts: parts.len(),
            is_minimal: false,
        }))
    }

    /// Drops conjuncts one by one as long as a contradiction remains. A question that the solver cannot
    /// answer leaves its conjunct in.
    pub(super) fn minimize(&mut self, solver: &mut dyn UnsatCore) -> Result<()> {
        if self.is_minimal || self.conjuncts.len() > MINIMIZED {
            return Ok(());
        }
        let mut next = 0;
        while next < self.conjuncts.len() {
            let mut candidate = self.conjuncts.clone();
            candidate.remove(next);
            match solver.core(&formulas(&candidate)) {
                Ok(Some(smaller)) => {
                    // Conjuncts before `next` are needed, so they are still there.
                    self.conjuncts = smaller.into_iter().map(|i| candidate[i]).collect();
                }
                Err(stop @ Stop::Limit(_)) => return Err(stop),
                Ok(None) | Err(_) => next += 1,
            }
        }
        self.is_minimal = true;
        Ok(())
    }

    /// The parts, reduced to the core.
    pub(super) fn parts(&self) -> Vec<Term> {
        let mut reduced: Vec<Vec<Term>> = vec![Vec::new(); self.parts];
        self.conjuncts.iter().for_each(|(part, conjunct)| reduced[*part].push(*conjunct));
        reduced.into_iter().map(Term::and).collect()
    }
}

fn formulas(conjuncts: &[(usize, Term)]) -> Vec<Term> {
    conjuncts.iter().map(|(_, conjunct)| *conjunct).collect()
}
