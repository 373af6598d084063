//! Passes: automata made smaller, with a way back for the evidence.

mod bits;
mod blocks;
mod chains;
mod cone;
mod constants;
mod cuts;
mod cycles;
mod intervals;
mod invariants;
mod rewritten;
mod shape;
mod slice;
mod unreachable;
mod wraps;

pub use bits::{Bits, bit_called};
pub use blocks::Blocks;
pub use chains::Chains;
pub use cone::Cone;
pub use constants::Constants;
pub use invariants::Invariants;
pub use slice::Slice;
pub use unreachable::Unreachable;
pub use wraps::Wraps;

use crate::cfa::Cfa;
use crate::execution::Execution;
use crate::proof::Proof;

/// Rewrites an automaton into one with the same verdict.
pub trait Pass {
    /// The name of the pass.
    fn name(&self) -> &'static str;

    /// The new automaton, and what maps evidence about it to evidence about `cfa`.
    fn run(&self, cfa: &Cfa) -> (Cfa, Box<dyn BackTranslate>);
}

/// Maps evidence about the automaton that a pass made to evidence about the one it was given.
pub trait BackTranslate: Send + Sync {
    /// The execution of the original automaton.
    fn execution(&self, execution: Execution) -> Execution;

    /// The proof about the original automaton.
    fn proof(&self, proof: Proof) -> Proof;
}

/// The way back if nothing was changed.
#[derive(Clone, Copy, Debug)]
pub struct Unchanged;

impl BackTranslate for Unchanged {
    fn execution(&self, execution: Execution) -> Execution {
        execution
    }

    fn proof(&self, proof: Proof) -> Proof {
        proof
    }
}

/// Several passes, one after the other.
pub struct Pipeline {
    translators: Vec<Box<dyn BackTranslate>>,
}

impl Pipeline {
    /// Runs the passes in order.
    pub fn run(cfa: &Cfa, passes: &[&dyn Pass]) -> (Cfa, Pipeline) {
        let mut pipeline = Pipeline { translators: Vec::new() };
        let mut current = cfa.clone();
        for pass in passes {
            let (next, translator) = pass.run(&current);
            pipeline.translators.push(translator);
            current = next;
        }
        (current, pipeline)
    }
}

impl BackTranslate for Pipeline {
    fn execution(&self, execution: Execution) -> Execution {
        self.translators.iter().rev().fold(execution, |execution, back| back.execution(execution))
    }

    fn proof(&self, proof: Proof) -> Proof {
        self.translators.iter().rev().fold(proof, |proof, back| back.proof(proof))
    }
}

/// How the parts of a rewritten automaton are numbered in the original one.
struct Renumbering {
    /// The original of each location.
    locs: Vec<crate::cfa::Loc>,
    /// The original of each edge.
    edges: Vec<crate::cfa::EdgeId>,
}

impl Renumbering {
    /// The new number of each original location, where none was left out.
    fn new_of(&self) -> Vec<crate::cfa::Loc> {
        let mut new_of = vec![crate::cfa::Loc(0); self.locs.len()];
        for (new, old) in self.locs.iter().enumerate() {
            new_of[old.0 as usize] = crate::cfa::Loc(new as u32);
        }
        new_of
    }

    fn execution(&self, mut execution: Execution) -> Execution {
        for step in &mut execution.steps {
            step.edge = self.edges[step.edge.0 as usize];
        }
        execution
    }

    fn proof(&self, mut proof: Proof) -> Proof {
        for state in &mut proof.states {
            state.loc = self.locs[state.loc.0 as usize];
        }
        proof
    }
}
