//! Boolean structure: a tree of case distinctions over paths of literals.
//!
//! A disjunction `c₁ ∨ c₂` in part `m` is refuted case by case. From sequences `I` for `c₁` and `J` for `c₂`
//! the sequence for the disjunction is `Iᵢ ∧ Jᵢ` before part `m` and `Iᵢ ∨ Jᵢ` from there on: this is the
//! interpolant of a resolution proof whose pivots are local to a part, and every atom here is, so no atom has
//! to be mixed and nothing has to be given up. `ite`, equivalences, disequations and fractions of integers
//! (`x <= 3 ∨ x >= 4`) are disjunctions too.
//!
//! The tree would be exponential without what conflict analysis is in a solver: a case that the refutation
//! of another does not use needs no distinction, and a case for which another's sequence holds as it stands
//! (one entailment across part `m` decides that) needs no refutation of its own.

use lapidary_expr::{IBig, Op, Sort, Term};
use rustc_hash::FxHashSet;

use super::congruence::Congruence;
use super::definitions::Definitions;
use super::farkas::Farkas;
use super::instances;
use super::path::{Complements, Path, Refutation, Rule};
use super::score::Score;
use super::steps::Steps;
use super::{Sequence, is_propositional, twin::Twin};
use crate::{Result, UnsatCore};

/// So many paths of literals may be refuted for one sequence.
const LEAVES: usize = 24;

/// So many distinctions of truth values alone are made for one sequence: beyond that, clauses are easier to find.
const DISTINCTIONS: usize = 100;

/// Formulas larger than this are not taken apart.
const LARGEST: u32 = 20_000;

pub(super) struct Cases {
    name: &'static str,
    solver: Box<dyn UnsatCore>,
    congruence: Option<Congruence>,
    farkas: Farkas,
    complements: Complements,
    literals: Literals,
    steps: Steps,
    leaves: usize,
    /// How many distinctions may still be made.
    distinctions: usize,
}

impl Cases {
    /// Sums of inequalities alone.
    pub(super) fn farkas(solver: Box<dyn UnsatCore>) -> Cases {
        Cases {
            name: "farkas",
            solver,
            congruence: None,
            farkas: Farkas::default(),
            complements: Complements::default(),
            literals: Literals::default(),
            steps: Steps::default(),
            leaves: 0,
            distinctions: 0,
        }
    }

    /// Equations first, over the rationals and modulo numbers.
    pub(super) fn congruence(solver: Box<dyn UnsatCore>) -> Cases {
        Cases {
            name: "congruence",
            congruence: Some(Congruence::default()),
            ..Cases::farkas(solver)
        }
    }

    /// Equations see through the wrap-around of machine arithmetic: they are asked before it is taken apart.
    fn refute_whole(&mut self, path: &Path) -> Result<Option<Refutation>> {
        if self.literals.first_split(path).is_none() {
            return self.refute(path);
        }
        let by_equations = match &mut self.congruence {
            Some(congruence) => match (congruence.refute(path), tight(congruence, path)) {
                (None, Some(split)) => self.split(path, &split)?,
                (refutation, _) => refutation,
            },
            None => None,
        };
        match by_equations {
            Some(refutation) if !is_diverging(&refutation) => Ok(Some(refutation)),
            other => Ok(better(other, self.refute(path)?)),
        }
    }

    fn refute(&mut self, path: &Path) -> Result<Option<Refutation>> {
        if let Some(refutation) = self.complements.refute(path) {
            return Ok(Some(refutation));
        }
        match self.literals.first_split(path) {
            Some(split) => self.split(path, &split),
            None => self.refute_literals(path),
        }
    }

    /// A path of literals: by sums of inequalities, unless that unrolls a loop and equations do not.
    fn refute_literals(&mut self, path: &Path) -> Result<Option<Refutation>> {
        self.leaves += 1;
        if self.leaves > LEAVES {
            return Ok(None);
        }
        let by_sums = self.farkas.refute(path);
        let fraction = self.farkas.fraction.take();
        if by_sums.as_ref().is_some_and(|refutation| !is_diverging(refutation)) {
            return Ok(by_sums);
        }
        let by_equations = self.congruence.as_mut().and_then(|rule| rule.refute(path));
        if let Some(refutation) = better(by_sums, by_equations) {
            return Ok(Some(refutation));
        }
        let split = self
            .congruence
            .as_mut()
            .and_then(|congruence| tight(congruence, path))
            .or_else(|| fraction.and_then(|(term, floor)| halves(path, term, floor)))
            .or_else(|| disequation(path));
        split.map_or(Ok(None), |split| self.split(path, &split))
    }

    /// Refutes all cases, each only if the sequence of those before does not hold for it.
    fn split(&mut self, path: &Path, split: &Split) -> Result<Option<Refutation>> {
        let Some(rest) = self.distinctions.checked_sub(1) else { return Ok(None) };
        self.distinctions = rest;
        let mut whole: Option<Refutation> = None;
        let mut done: Vec<Term> = Vec::new();
        let mut is_asked = false;
        for case in &split.cases {
            let chosen = split.choose(path, *case);
            if let Some(refutation) = &whole
                && self.holds(refutation, &chosen, split.part)?
            {
                done.push(*case);
                is_asked = true;
                continue;
            }
            let known = split.first.clone().filter(|_| done.is_empty());
            let refutation = if known.is_some() { known } else { self.refute(&chosen)? };
            let Some(mut refutation) = refutation else { return Ok(None) };
            let is_needed = |conjunct: &Term| {
                refutation.used.contains(&(split.part, *conjunct))
                    && !path[split.part].contains(conjunct)
            };
            if !conjuncts(*case).iter().any(is_needed) {
                return Ok(Some(refutation));
            }
            if let Some(before) = whole.take() {
                let mut covers = true;
                for case in &done {
                    covers = covers
                        && self.holds(&refutation, &split.choose(path, *case), split.part)?;
                }
                is_asked |= covers;
                if !covers {
                    refutation = joined(before, refutation, split.part);
                }
            }
            done.push(*case);
            whole = Some(refutation);
        }
        if let Some(refutation) = &mut whole {
            refutation.used.insert((split.part, split.formula));
            if is_asked {
                // The solver has seen all of the part, and may have used any of it.
                refutation
                    .used
                    .extend(path[split.part].iter().map(|formula| (split.part, *formula)));
            }
        }
        Ok(whole)
    }

    /// Whether the sequence holds across a part of the path, too.
    fn holds(&mut self, refutation: &Refutation, path: &Path, part: usize) -> Result<bool> {
        let before = part.checked_sub(1).map_or(true.into(), |cut| refutation.itps[cut]);
        let after = refutation.itps.get(part).copied().unwrap_or_else(|| false.into());
        let premise = Term::and(path[part].iter().copied().chain([before]));
        self.steps.entails(&mut *self.solver, premise, after)
    }
}

fn is_diverging(refutation: &Refutation) -> bool {
    Score::of(&refutation.itps).diverging > 0
}

/// The one that looks more inductive.
fn better(left: Option<Refutation>, right: Option<Refutation>) -> Option<Refutation> {
    [left, right].into_iter().flatten().min_by_key(|refutation| Score::of(&refutation.itps))
}

/// A formula of a part that is a disjunction, and its disjuncts.
struct Split {
    part: usize,
    /// What is distinguished; a formula of the path unless the cases are exhaustive by themselves.
    formula: Term,
    cases: Vec<Term>,
    /// The refutation of the first case, if it is known.
    first: Option<Refutation>,
}

impl Split {
    /// The path in which this is the case.
    fn choose(&self, path: &Path, case: Term) -> Path {
        let mut path = path.clone();
        path[self.part].retain(|formula| *formula != self.formula);
        path[self.part].extend(conjuncts(case));
        path
    }
}

/// The interpolants of the two sides of a case distinction.
fn joined(left: Refutation, right: Refutation, part: usize) -> Refutation {
    let join = |(cut, (a, b)): (usize, (&Term, &Term))| match cut < part {
        true => Term::and([*a, *b]),
        false => Term::or([*a, *b]),
    };
    let itps = left.itps.iter().zip(&right.itps).enumerate().map(join).collect();
    let mut used = left.used;
    used.extend(right.used);
    Refutation { itps, used }
}

/// The conjuncts of a formula, through nested conjunctions and negated disjunctions.
fn conjuncts(formula: Term) -> Vec<Term> {
    match (formula.op(), formula.args()) {
        (Op::And, args) => args.iter().flat_map(|arg| conjuncts(*arg)).collect(),
        (Op::Not, [inner]) if *inner.op() == Op::Or => {
            inner.args().iter().flat_map(|arg| conjuncts(arg.not())).collect()
        }
        _ if formula.is_true() => Vec::new(),
        _ => vec![formula],
    }
}

/// Formulas that are known to be literals: to find that out, a formula is searched for choices.
#[derive(Default)]
struct Literals(FxHashSet<Term>);

impl Literals {
    /// The first formula that is not a literal. Those of the last parts come first: their cases make
    /// conjunctions, those of the first parts make disjunctions.
    fn first_split(&mut self, path: &Path) -> Option<Split> {
        for (part, formulas) in path.iter().enumerate().rev() {
            for formula in formulas.iter().copied() {
                if self.0.contains(&formula) {
                    continue;
                }
                if let Some(cases) = cases(formula) {
                    return Some(Split { part, formula, cases, first: None });
                }
                self.0.insert(formula);
            }
        }
        None
    }
}

/// The disjuncts of a formula; none if it is a literal.
fn cases(formula: Term) -> Option<Vec<Term>> {
    let either = |left: Term, right: Term| {
        Some(vec![Term::and([left, right]), Term::and([left.not(), right.not()])])
    };
    let choice = |condition: Term, then: Term, otherwise: Term| {
        Some(vec![Term::and([condition, then]), Term::and([condition.not(), otherwise])])
    };
    match (formula.op(), formula.args()) {
        (Op::Or, args) => Some(args.to_vec()),
        (Op::Eq, [left, right]) if left.sort() == Sort::Bool => either(*left, *right),
        (Op::Ite, [condition, then, otherwise]) => choice(*condition, *then, *otherwise),
        (Op::Not, [inner]) => match (inner.op(), inner.args()) {
            (Op::And, args) => Some(args.iter().map(|arg| arg.not()).collect()),
            (Op::Eq, [left, right]) if left.sort() == Sort::Bool => either(*left, right.not()),
            (Op::Ite, [condition, then, otherwise]) => {
                choice(*condition, then.not(), otherwise.not())
            }
            _ => lifted(formula),
        },
        _ => lifted(formula),
    }
}

/// The cases of a choice inside an atom.
fn lifted(atom: Term) -> Option<Vec<Term>> {
    let choice = inner_choice(atom)?;
    let [condition, then, otherwise] = *choice.args() else { return None };
    let with = |branch: Term| atom.map_terms(&|term| (term == choice).then_some(branch));
    Some(vec![Term::and([condition, with(then)]), Term::and([condition.not(), with(otherwise)])])
}

/// A choice between numbers without another choice inside.
fn inner_choice(atom: Term) -> Option<Term> {
    if atom.size() > LARGEST {
        return None;
    }
    let mut found = None;
    let mut pending = vec![atom];
    while let Some(term) = pending.pop() {
        if *term.op() == Op::Ite && term.sort().is_arithmetic() {
            found = Some(term);
            pending.clear();
        }
        pending.extend(term.args());
    }
    found
}

/// `t ≠ u` is `t < u ∨ u < t`.
fn disequation(path: &Path) -> Option<Split> {
    path.iter().enumerate().rev().find_map(|(part, formulas)| {
        formulas.iter().find_map(|formula| match (formula.op(), formula.args()) {
            (Op::Not, [inner]) if *inner.op() == Op::Eq => {
                let [left, right] = *inner.args() else { return None };
                left.sort().is_arithmetic().then(|| Split {
                    part,
                    formula: *formula,
                    cases: vec![left.less(right), right.less(left)],
                    first: None,
                })
            }
            _ => None,
        })
    })
}

/// An integer is at most the floor of a fraction, or at least the next.
fn halves(path: &Path, term: Term, floor: IBig) -> Option<Split> {
    let var = term.as_var()?;
    let part = path.iter().position(|formulas| formulas.iter().any(|f| f.mentions(var)))?;
    let low = term.at_most(Term::int(floor));
    Some(Split { part, formula: true.into(), cases: vec![low, low.not()], first: None })
}

/// `t <= u` in the last part, if equations refute `t = u`: what remains is `t < u`.
fn tight(congruence: &mut Congruence, path: &Path) -> Option<Split> {
    let part = path.len().checked_sub(1)?;
    path[part].iter().find_map(|formula| {
        let ([left, right], Op::Le) = (formula.args(), formula.op()) else { return None };
        let split = Split {
            part,
            formula: *formula,
            cases: vec![left.equals(*right), left.less(*right)],
            first: None,
        };
        let first = congruence.refute(&split.choose(path, split.cases[0]))?;
        Some(Split { first: Some(first), ..split })
    })
}

impl Sequence for Cases {
    fn name(&self) -> &'static str {
        self.name
    }

    fn selects(&self) -> bool {
        true
    }

    fn suits(&self, _: &[Term]) -> bool {
        true
    }

    fn sequence(&mut self, parts: &[Term]) -> Result<Option<Vec<Term>>> {
        let elements = instances::instantiated(parts);
        let parts = elements.as_deref().unwrap_or(parts);
        let twin = Twin::of(parts);
        let parts = twin.as_ref().map_or(parts, Twin::parts);
        let definitions = Definitions::of(parts);
        let path: Path = definitions.parts().iter().map(|part| conjuncts(*part)).collect();
        self.leaves = 0;
        self.distinctions = if is_propositional(parts) { DISTINCTIONS } else { usize::MAX };
        let Some(refutation) = self.refute_whole(&path)? else { return Ok(None) };
        let itps = refutation.itps.into_iter().map(|itp| definitions.back(itp));
        Ok(match twin {
            Some(twin) => itps.map(|itp| twin.back(itp)).collect(),
            None => Some(itps.collect()),
        })
    }
}
