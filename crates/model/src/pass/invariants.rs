//! Cheap invariants: what an abstract interpretation knows at each location, told to whoever explores the automaton.
//!
//! One forward analysis, without a solver, finds the interval and the congruence of each variable at each
//! location, and a second one affine equations between integers. What is known where paths are cut is assumed
//! on the edges that lead there, conditions of `ite` that are decided go, and so do edges that cannot be taken.
//! All that is told is inductive, edge by edge, so a proof gets it back as conjuncts; the locations that only
//! the analysis shows to be harmless get it as states of their own (see [`Constants`](super::Constants), which
//! does likewise).

mod affine;
mod equations;

use lapidary_expr::{Term, Var};

use super::cycles::Cycles;
use super::intervals::{State, States, Transfer, analyze};
use super::rewritten::{Back, rewritten};
use super::{BackTranslate, Pass, Renumbering, Unchanged, cuts};
use crate::cfa::{Cfa, Loc};
use crate::live::Live;
use crate::stmt::Stmt;
use equations::Equations;

/// The pass does nothing if the analysis takes more work.
const MOST_WORK: usize = 1_000_000;

/// Tells what is known about the values of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invariants {
    /// Assumes it where paths are cut.
    Assumed,
    /// Leaves the automaton as it is, unless the error location is not reached by what is known. Where the search
    /// follows single values, assumptions about all the others cost it more than they tell.
    Decisive,
}

impl Pass for Invariants {
    fn name(&self) -> &'static str {
        "invariants"
    }

    fn run(&self, cfa: &Cfa) -> (Cfa, Box<dyn BackTranslate>) {
        let transfer = Transfer::new(cfa.vars());
        let cuts = cuts::necessary(cfa);
        let Some(mut states) = analyze(cfa, &transfer, &cuts, MOST_WORK) else {
            return (cfa.clone(), Box::new(Unchanged));
        };
        let equations = Equations::analyze(cfa, &transfer, &states);
        if let Some(equations) = &equations {
            let both = states.iter_mut().zip(&equations.states);
            both.filter(|(_, equations)| equations.is_none()).for_each(|(state, _)| *state = None);
        }
        let known = Known { live: Live::of(cfa), transfer, states, equations };
        let (strengthened, numbers) = known.strengthen(cfa, &cuts);
        let (before, after) = (cfa.distances_to_error(), strengthened.distances_to_error());
        if *self == Invariants::Decisive && after[strengthened.entry().0 as usize].is_some() {
            return (cfa.clone(), Box::new(Unchanged));
        }
        let new_of = numbers.new_of();
        let is_harmless = |loc: &Loc| {
            let is_cut_off =
                !known.reaches(*loc) || after[new_of[loc.0 as usize].0 as usize].is_none();
            before[loc.0 as usize].is_some() && is_cut_off && Some(*loc) != cfa.error()
        };
        let harmless = cfa.locs().filter(is_harmless).collect();
        (strengthened, Box::new(Back { numbers, fact: move |loc| known.fact(loc), harmless }))
    }
}

/// What is known at each location.
struct Known {
    live: Live,
    transfer: Transfer,
    states: States,
    equations: Option<Equations>,
}

impl Known {
    /// Whether control may get to a location.
    fn reaches(&self, loc: Loc) -> bool {
        self.states[loc.0 as usize].is_some()
    }

    /// What is known at a location about live variables and those that equations relate. What is known about these
    /// further on follows from it: what they get their values from is read on the way, and so live here. What equations
    /// say of live variables may depend on what is known about dead ones.
    fn fact(&self, loc: Loc) -> Term {
        let Some(state) = &self.states[loc.0 as usize] else { return false.into() };
        let vars = self.transfer.vars.iter().enumerate();
        let equations = self.equations.as_ref();
        let is_told = |var: Var| {
            self.live.is_live(loc, var) || equations.is_some_and(|all| all.vars.contains(&var))
        };
        let vars = vars.filter(|(_, var)| is_told(**var));
        let ranges = vars.flat_map(|(i, var)| state.get(i).facts((*var).into()));
        let equations = equations.map(|all| all.facts(loc.0 as usize, &self.transfer, state));
        Term::and(ranges.chain(equations.into_iter().flatten()))
    }

    /// What is known about single variables, with what equations say about them.
    fn tightened(&self, loc: Loc, state: &State) -> State {
        match &self.equations {
            Some(equations) => equations.tightened(loc.0 as usize, &self.transfer, state),
            None => state.clone(),
        }
    }

    /// What is worth to be assumed at a location.
    fn assumption(&self, cfa: &Cfa, loc: Loc) -> Term {
        if loc == cfa.entry() || Some(loc) == cfa.error() {
            return true.into();
        }
        self.fact(loc)
    }

    /// The automaton with what is known in it.
    fn strengthen(&self, cfa: &Cfa, cuts: &[bool]) -> (Cfa, Renumbering) {
        let mut assumed = vec![Term::from(true); cfa.n_locs()];
        for loc in cfa.locs().filter(|loc| cuts[loc.0 as usize]) {
            assumed[loc.0 as usize] = self.assumption(cfa, loc);
        }
        let cycles = Cycles::new(cfa, |loc| self.reaches(loc));
        rewritten(cfa, |_, edge| {
            let state = self.states[edge.source.0 as usize].as_ref()?;
            let taken = self.transfer.rewrite(&edge.stmt, self.tightened(edge.source, state));
            let fact = assumed[edge.target.0 as usize];
            match taken.filter(|_| self.reaches(edge.target)) {
                Some((stmt, _)) if fact.is_true() => Some(stmt),
                Some((stmt, _)) => Some(Stmt::seq([stmt, Stmt::Assume(fact)])),
                None if cycles.has(edge) => Some(Stmt::Assume(false.into())),
                None => None,
            }
        })
    }
}
