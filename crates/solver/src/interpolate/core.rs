//! Unsatisfiable cores of partitions: of each part the conjuncts that a contradiction needs.

use std::collections::BTreeSet;

use lapidary_expr::Term;

use super::is_propositional;
use crate::{Result, Stop, UnsatCore};

/// Cores beyond this size are used as the solver gives them.
const MINIMIZED: usize = 48;

/// The same for cores of truth values, about which questions are cheap.
const MINIMIZED_CLAUSES: usize = 400;

/// Conjuncts that contradict each other, with the numbers of their parts.
pub(super) struct Core {
    conjuncts: Vec<(usize, Term)>,
    parts: usize,
    progress: Progress,
}

/// How far the conjuncts have been reduced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    All,
    Needed,
    Minimal,
}

impl Core {
    /// All conjuncts of the parts, which may or may not contradict each other.
    pub(super) fn whole(parts: &[Term]) -> Core {
        let numbered = parts.iter().enumerate();
        let conjuncts =
            numbered.flat_map(|(i, part)| part.conjuncts().into_iter().map(move |c| (i, c)));
        Core { conjuncts: conjuncts.collect(), parts: parts.len(), progress: Progress::All }
    }

    /// All conjuncts of the shortest prefix of the parts that contradicts itself; none if no prefix does.
    pub(super) fn prefix(solver: &mut dyn UnsatCore, parts: &[Term]) -> Result<Option<Core>> {
        let (mut length, mut shortest) = (parts.len(), None);
        while length > 0
            && let Some(core) = Core::of(solver, &parts[..length])?
        {
            length = core.conjuncts.iter().map(|(part, _)| *part).max().unwrap_or(0);
            shortest = Some(&parts[..=length]);
        }
        Ok(shortest.map(|prefix| Core { parts: parts.len(), ..Core::whole(prefix) }))
    }

    /// How many of the parts are more than a conjunction of literals.
    pub(super) fn choices(&self) -> usize {
        let is_choice = |formula: &Term| formula.atoms().len() > 1;
        let parts: BTreeSet<usize> =
            self.conjuncts.iter().filter(|(_, c)| is_choice(c)).map(|(part, _)| *part).collect();
        parts.len()
    }

    /// A core of the parts as the solver finds it; none if they do not contradict each other.
    pub(super) fn of(solver: &mut dyn UnsatCore, parts: &[Term]) -> Result<Option<Core>> {
        let whole = Core::whole(parts);
        let core = solver.core(&formulas(&whole.conjuncts))?;
        Ok(core.map(|core| Core {
            conjuncts: core.into_iter().map(|position| whole.conjuncts[position]).collect(),
            parts: whole.parts,
            progress: Progress::Needed,
        }))
    }

    /// Drops conjuncts one by one as long as a contradiction remains. A question that the solver cannot
    /// answer leaves its conjunct in.
    pub(super) fn minimize(&mut self, solver: &mut dyn UnsatCore) -> Result<()> {
        if self.progress == Progress::All
            && let Some(core) = solver.core(&formulas(&self.conjuncts))?
        {
            self.conjuncts = core.into_iter().map(|i| self.conjuncts[i]).collect();
            self.progress = Progress::Needed;
        }
        let most = if is_propositional(&formulas(&self.conjuncts)) {
            MINIMIZED_CLAUSES
        } else {
            MINIMIZED
        };
        if self.progress == Progress::Minimal || self.conjuncts.len() > most {
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
        self.progress = Progress::Minimal;
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
