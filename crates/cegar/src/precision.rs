//! Precisions with locations, `Π_L` of the first paper: one for all locations, or one for each.
//!
//! A precision can be taken apart into [`Tracked`] things and put together again, so that it can be written to a
//! file after one run ([`text`]) and another run can start from it.

pub mod text;

use std::fmt;

use lapidary_expr::{Term, Var};
use lapidary_model::{Cfa, Loc};

use crate::Precision;
use crate::axis::axis;

axis! {
    /// What a refinement is about.
    pub enum Granularity {
        /// One precision for the whole automaton.
        #[default]
        Global = "global",
        /// One per location.
        Local = "local",
        /// States of one location are split one by one; explicit variables are visible everywhere.
        State = "state",
    }
}

/// One thing that a precision keeps track of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The value of a variable.
    Variable(Var),
    /// A predicate.
    Predicate(Term),
    /// A variable whose value is not to be tracked, having too many.
    Flagged(Var),
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fact::Variable(var) => write!(f, "{var}"),
            Fact::Predicate(term) => write!(f, "{term}"),
            Fact::Flagged(var) => write!(f, "not {var}"),
        }
    }
}

/// What is tracked, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tracked {
    /// The name of the location; none = everywhere.
    pub at: Option<String>,
    /// What is tracked there.
    pub fact: Fact,
}

/// The current precision `π_L`.
#[derive(Clone, Debug)]
pub struct PrecisionMap<P> {
    granularity: Granularity,
    /// One entry if global, one per location if local.
    entries: Vec<P>,
}

impl<P: Precision> PrecisionMap<P> {
    /// The empty precision.
    pub fn new(cfa: &Cfa, granularity: Granularity) -> Self {
        let n = match granularity {
            Granularity::Global => 1,
            Granularity::Local | Granularity::State => cfa.n_locs(),
        };
        PrecisionMap { granularity, entries: vec![P::default(); n] }
    }

    fn slot(&self, loc: Loc) -> usize {
        match self.granularity {
            Granularity::Global => 0,
            Granularity::Local | Granularity::State => loc.0 as usize,
        }
    }

    /// `π_L(l)`.
    pub fn at(&self, loc: Loc) -> &P {
        &self.entries[self.slot(loc)]
    }

    /// Adds `prec` at `loc`, that is everywhere if the precision is global; whether that was new.
    pub fn refine(&mut self, loc: Loc, prec: &P) -> bool {
        let slot = self.slot(loc);
        self.entries[slot].join(prec)
    }

    /// The number of things tracked, over all locations.
    pub fn size(&self) -> usize {
        self.entries.iter().map(Precision::size).sum()
    }

    /// Everything that is tracked, in a fixed order.
    pub fn facts(&self, cfa: &Cfa) -> Vec<Tracked> {
        let name = |number: usize| match self.granularity {
            Granularity::Global => None,
            Granularity::Local | Granularity::State => {
                Some(cfa.loc_name(Loc(number as u32)).to_string())
            }
        };
        let tracked = |(number, prec): (usize, &P)| {
            let at = name(number);
            let facts = prec.facts().into_iter();
            facts.map(|fact| Tracked { at: at.clone(), fact }).collect::<Vec<_>>()
        };
        self.entries.iter().enumerate().flat_map(tracked).collect()
    }

    /// Adds what another run tracked. What is about locations or variables that `cfa` does not have is left out:
    /// they may have been reduced away.
    pub fn adopt(&mut self, cfa: &Cfa, tracked: &[Tracked]) {
        for Tracked { at, fact } in tracked {
            let known = match fact {
                Fact::Variable(var) | Fact::Flagged(var) => cfa.vars().contains(var),
                Fact::Predicate(term) => term.vars().iter().all(|var| cfa.vars().contains(var)),
            };
            let is_there = |loc: &Loc| at.as_deref().is_none_or(|name| cfa.loc_name(*loc) == name);
            for loc in cfa.locs().filter(is_there).filter(|_| known) {
                let slot = self.slot(loc);
                self.entries[slot].adopt(fact);
            }
        }
    }
}
