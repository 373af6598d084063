//! Which refinement of a counterexample to take: Algorithm 4 of the fourth paper, `Refine⁺`.
//!
//! ```text
//! Σ ← ExtractSlicedPrefixes(σ)
//! for each φ ∈ Σ    τ(φ) ← Refine(φ)
//! return τ(SelectSlicedPrefix(τ))
//! ```
//!
//! `Refine` is any checker. The heuristics are those of the paper and of its sequel (D. Beyer, S. Löwe, P.
//! Wendler: *Refinement Selection*, SPIN 2015); several are compared one after the other.
//!
//! Differences: a prefix is explained only if the heuristics need that. A prefix that was taken when the same path
//! came up before is not taken again as long as there is another one that teaches something: it was not enough.

use std::fmt;
use std::str::FromStr;

use lapidary_expr::Term;
use lapidary_model::{Cfa, Path, Stmt, VariableTypes};
use lapidary_solver::{Backend, Result, Stop, UnsatCore};
use rustc_hash::FxHashMap;

use super::prefixes::SlicedPrefixes;
use super::prune_index::{ByPruneIndex, Prefer};
use crate::axis::axis;
use crate::checker::{Checker, ValuePost};
use crate::{Choice, Feasibility, Reason, Refutation, Trace, TraceChecker};

axis! {
    /// What makes a sliced prefix better than another.
    pub enum Criterion {
        /// Few statements: rules out many similar paths.
        #[default]
        Shortest = "shortest",
        /// Many statements: what is learned is close to the error.
        Longest = "longest",
        /// Variables that are easy to track.
        DomainBest = "domain-best",
        /// Variables that are hard to track, for comparison.
        DomainWorst = "domain-worst",
        /// Few states to learn something about.
        Width = "width",
        /// Nothing to learn up to a state far from the entry.
        Pivot = "pivot",
    }
}

/// More criteria than this are never needed: the length decides between any two prefixes.
const MOST_CRITERIA: usize = 4;

/// Which refinement of a counterexample to take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Select {
    /// There is one only.
    #[default]
    None,
    /// Of the forward and the backward one that with the smallest prune index.
    MinPrune,
    /// That with the largest.
    MaxPrune,
    /// That of a sliced prefix, by these criteria.
    Sliced([Option<Criterion>; MOST_CRITERIA]),
}

impl Select {
    /// The values to try.
    pub const NAMES: &[&str] = &[
        "none",
        "min-prune",
        "max-prune",
        "shortest",
        "longest",
        "domain-best",
        "domain-worst",
        "width",
        "pivot",
        "domain-best,width,shortest",
    ];

    /// Whether the checker is given with the selection.
    pub fn brings_checkers(self) -> bool {
        matches!(self, Select::MinPrune | Select::MaxPrune)
    }

    /// The checker with the selection around it; `build` makes checkers.
    pub(crate) fn around(
        self,
        cfa: &Cfa,
        checker: Checker,
        backend: &dyn Backend,
        build: &dyn Fn(Checker) -> Box<dyn TraceChecker>,
    ) -> Box<dyn TraceChecker> {
        let both = || vec![build(Checker::Forward), build(Checker::Backward)];
        match self {
            Select::None => build(checker),
            Select::MinPrune => Box::new(ByPruneIndex::new(both(), Prefer::Smallest)),
            Select::MaxPrune => Box::new(ByPruneIndex::new(both(), Prefer::Largest)),
            Select::Sliced(criteria) => {
                let criteria = criteria.into_iter().flatten().collect();
                let contradictions = match checker {
                    Checker::Value => Contradictions::OfValues(ValuePost::new(backend)),
                    _ => Contradictions::OfFormulas(backend.solver()),
                };
                let checker = build(checker);
                Box::new(BySlicedPrefix::new(cfa, criteria, contradictions, checker))
            }
        }
    }
}

impl fmt::Display for Select {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Select::None => f.write_str("none"),
            Select::MinPrune => f.write_str("min-prune"),
            Select::MaxPrune => f.write_str("max-prune"),
            Select::Sliced(criteria) => {
                let names: Vec<&str> = criteria.iter().flatten().map(|c| c.name()).collect();
                f.write_str(&names.join(","))
            }
        }
    }
}

impl FromStr for Select {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text {
            "none" => return Ok(Select::None),
            "min-prune" => return Ok(Select::MinPrune),
            "max-prune" => return Ok(Select::MaxPrune),
            _ => {}
        }
        let mut criteria = [None; MOST_CRITERIA];
        for (i, name) in text.split(',').enumerate() {
            *criteria.get_mut(i).ok_or(text)? = Some(name.parse()?);
        }
        Ok(Select::Sliced(criteria))
    }
}

/// Which contradictions of a path end its prefixes: those that the checker can see.
pub enum Contradictions {
    /// Those of the formulas.
    OfFormulas(Box<dyn UnsatCore>),
    /// Those of known values.
    OfValues(ValuePost),
}

impl Contradictions {
    fn prefixes(&mut self, stmts: &[&Stmt]) -> Result<SlicedPrefixes> {
        match self {
            Contradictions::OfFormulas(solver) => SlicedPrefixes::of(&mut **solver, stmts),
            Contradictions::OfValues(post) => SlicedPrefixes::by_values(post, stmts),
        }
    }
}

/// Of two prefixes that with the smaller rank is better: whether it was taken before, its scores, its number.
type Rank = (bool, Vec<i64>, usize);

/// Explains a sliced prefix of the counterexample instead of the whole.
pub struct BySlicedPrefix {
    types: VariableTypes,
    criteria: Vec<Criterion>,
    contradictions: Contradictions,
    checker: Box<dyn TraceChecker>,
    /// The prefixes that were taken, by the formulas of the path.
    taken: FxHashMap<Vec<Term>, Vec<usize>>,
}

impl BySlicedPrefix {
    /// Explains prefixes with `checker` and takes the best by `criteria`, the first of them first.
    pub fn new(
        cfa: &Cfa,
        criteria: Vec<Criterion>,
        contradictions: Contradictions,
        checker: Box<dyn TraceChecker>,
    ) -> Self {
        let types = VariableTypes::of(cfa);
        BySlicedPrefix { types, criteria, contradictions, checker, taken: FxHashMap::default() }
    }

    /// The refutation of one prefix, for the whole path of `n_states`; an error of this prefix alone is none.
    fn explain(&mut self, prefix: &Trace<'_>, n_states: usize) -> Result<Option<Refutation>> {
        match self.checker.check(prefix) {
            Ok(Feasibility::Infeasible(mut refutation)) => {
                refutation.reasons.resize(n_states, Reason::Holds(false.into()));
                Ok(Some(refutation))
            }
            Ok(Feasibility::Feasible(_)) => {
                Err(Stop::Solver("contradicts itself about a prefix".into()))
            }
            Err(stop @ Stop::Limit(_)) => Err(stop),
            Err(_) => Ok(None),
        }
    }

    /// The number to be small.
    fn score(&self, criterion: Criterion, length: usize, refutation: Option<&Refutation>) -> i64 {
        let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        match (criterion, refutation) {
            (Criterion::Shortest, _) => number(length),
            (Criterion::Longest, _) => -number(length),
            (_, None) => i64::MAX,
            (Criterion::DomainBest, Some(it)) => i64::from(self.types.score(&it.vars())),
            (Criterion::DomainWorst, Some(it)) => -i64::from(self.types.score(&it.vars())),
            (Criterion::Width, Some(it)) => number(it.width()),
            (Criterion::Pivot, Some(it)) => -number(it.prune_index().unwrap_or(0)),
        }
    }

    /// The criteria with what they amount to.
    fn why(&self, length: usize, refutation: &Refutation) -> String {
        let reason = |criterion: &Criterion| match self
            .score(*criterion, length, Some(refutation))
            .unsigned_abs()
        {
            score if score >= u64::from(u32::MAX) => format!("{criterion} a loop counter"),
            score => format!("{criterion} {score}"),
        };
        self.criteria.iter().map(reason).collect::<Vec<_>>().join(", ")
    }

    /// The best prefix that teaches something, with its refutation: none of those in `taken` if there is another one.
    /// Where the length decides, the others are not explained.
    fn best(
        &mut self,
        prefixes: &SlicedPrefixes,
        trace: &Trace<'_>,
        taken: &[usize],
    ) -> Result<Option<(usize, Refutation)>> {
        let by_length = matches!(self.criteria[..], [Criterion::Shortest | Criterion::Longest, ..]);
        let mut numbers: Vec<usize> = (0..prefixes.len()).collect();
        if self.criteria.first() == Some(&Criterion::Longest) {
            numbers.reverse();
        }
        let is_taken = |number: &usize| taken.contains(number);
        numbers.sort_by_key(is_taken);
        let mut best: Option<(Rank, Refutation)> = None;
        for number in numbers {
            let prefix = prefixes.trace(number, &trace.stmts);
            let Some(refutation) = self.explain(&prefix, trace.states.len())? else { continue };
            // What teaches nothing is not worth taking.
            if refutation.prune_index().is_none() {
                continue;
            }
            let length = prefixes.length(number);
            let score = |c: &Criterion| self.score(*c, length, Some(&refutation));
            let scores: Vec<i64> = self.criteria.iter().map(score).collect();
            let rank = (is_taken(&number), scores, number);
            if best.as_ref().is_none_or(|(known, _)| rank < *known) {
                best = Some((rank, refutation));
            }
            if by_length {
                break;
            }
        }
        Ok(best.map(|((_, _, number), refutation)| (number, refutation)))
    }
}

impl TraceChecker for BySlicedPrefix {
    fn check(&mut self, trace: &Trace<'_>) -> Result<Feasibility> {
        let prefixes = self.contradictions.prefixes(&trace.stmts)?;
        if prefixes.is_empty() {
            // Feasible; or the checker sees no contradiction; or labels choose among several successors of an edge.
            return self.checker.check(trace);
        }
        let key = Path::new(trace.stmts.iter().copied()).formulas;
        let taken = self.taken.get(&key).cloned().unwrap_or_default();
        let Some((number, mut refutation)) = self.best(&prefixes, trace, &taken)? else {
            return self.checker.check(trace);
        };
        self.taken.entry(key).or_default().push(number);
        let why = self.why(prefixes.length(number), &refutation);
        refutation.choice =
            Some(Choice { among: prefixes.len(), length: prefixes.length(number), why });
        Ok(Feasibility::Infeasible(refutation))
    }
}
