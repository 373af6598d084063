//! Removes wrap-around and checks that an interval analysis shows to be superfluous.
//!
//! Front ends write every wrap-around as it is: `ite(x < 2^31 - 1, x + 1, x + 1 - 2^32)`, a remainder, a masked shift distance.
//! They write every check as an edge to the error location. Both cost the search much, and most of them never happen.
//! This pass removes those that the ranges of variables decide. It assumes nothing on edges. A proof gets the
//! ranges that were used, and those from which they follow, so the validator checks them on the automaton that was
//! read.

mod needed;
mod relevant;
mod simplify;

use lapidary_expr::Term;

use super::intervals::{States, Transfer, analyze};
use super::rewritten::{Back, rewritten};
use super::{BackTranslate, Pass, Unchanged, cuts};
use crate::cfa::{Cfa, Loc};
use crate::stmt::Stmt;
use relevant::{Relevant, relevant};
use simplify::Simplifier;

/// How much work the analysis may take; then it starts again with fewer variables.
const MOST_WORK: usize = 4_000_000;

/// Removes wrap-around and checks that cannot happen.
#[derive(Clone, Copy, Debug)]
pub struct Wraps;

impl Pass for Wraps {
    fn name(&self) -> &'static str {
        "wraps"
    }

    fn run(&self, cfa: &Cfa) -> (Cfa, Box<dyn BackTranslate>) {
        if cfa.is_system() {
            return (cfa.clone(), Box::new(Unchanged));
        }
        let simplifier = Simplifier::new(cfa);
        match known(cfa, &simplifier) {
            Some(known) => known.apply(cfa, &simplifier),
            None => (cfa.clone(), Box::new(Unchanged)),
        }
    }
}

/// The ranges that matter; none if there is nothing to remove, or the analysis takes too long.
fn known(cfa: &Cfa, simplifier: &Simplifier) -> Option<Known> {
    let Relevant { all, direct } = relevant(cfa, simplifier)?;
    let cuts = cuts::necessary(cfa);
    let analyzed = [all, direct].into_iter().find_map(|vars| {
        let transfer = Transfer::new(&vars).with_elements();
        let states = analyze(cfa, &transfer, &cuts, MOST_WORK)?;
        Some((transfer, states))
    });
    let (transfer, states) = analyzed?;
    let states = needed::needed(cfa, simplifier, &transfer, &states)?;
    Some(Known { transfer, states })
}

/// What is known at each location, without what is not used.
struct Known {
    transfer: Transfer,
    states: States,
}

impl Known {
    /// The formula for what is known at a location.
    fn fact(&self, loc: Loc) -> Term {
        let Some(state) = &self.states[loc.0 as usize] else { return false.into() };
        let vars = self.transfer.vars.iter().enumerate();
        Term::and(vars.flat_map(|(i, var)| state.get(i).facts((*var).into())))
    }

    /// The automaton without what cannot happen.
    fn apply(self, cfa: &Cfa, simplifier: &Simplifier) -> (Cfa, Box<dyn BackTranslate>) {
        let mut stmts: Vec<Option<Stmt>> =
            cfa.edges().map(|(_, edge)| Some(edge.stmt.clone())).collect();
        for loc in cfa.locs() {
            let Some(state) = &self.states[loc.0 as usize] else { continue };
            let outcome = simplifier.leaving(cfa, loc, &self.transfer, state);
            for (id, stmt) in outcome.into_iter().flat_map(|outcome| outcome.edges) {
                stmts[id.0 as usize] = stmt;
            }
        }
        let (smaller, numbers) = rewritten(cfa, |id, _| stmts[id.0 as usize].take());
        let new_of = numbers.new_of();
        let (before, after) = (cfa.distances_to_error(), smaller.distances_to_error());
        let is_harmless = |loc: &Loc| {
            before[loc.0 as usize].is_some() && after[new_of[loc.0 as usize].0 as usize].is_none()
        };
        let harmless = cfa.locs().filter(is_harmless).collect();
        (smaller, Box::new(Back { numbers, fact: move |loc| self.fact(loc), harmless }))
    }
}
