//! A program with its automaton: which edge was made of what, and what is active on it.

use std::collections::BTreeSet;
use std::sync::Arc;

use lapidary_expr::Var;
use rustc_hash::FxHashMap;

use super::{Call, ProcedureId, Program, ProgramEdgeId};
use crate::cfa::{Cfa, EdgeId, Loc};
use crate::ends::Ends;

/// A procedure that runs: the call that it runs for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activation {
    /// The procedure.
    pub procedure: ProcedureId,
    /// The calling activation, as a number among all, and the edge with the call; none for the first.
    pub caller: Option<(u32, ProgramEdgeId)>,
}

/// What an edge of the automaton was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The edge of the program.
    pub edge: ProgramEdgeId,
    /// Which activation runs it, as a number among all.
    pub activation: u32,
}

/// Why a call was not inlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The automaton has too many edges.
    Size,
    /// The procedure is active too often.
    Recursion,
}

/// A program with its automaton.
#[derive(Clone, Debug)]
pub struct Inlined {
    pub(super) program: Program,
    pub(super) cfa: Cfa,
    pub(super) origins: Vec<Origin>,
    pub(super) activations: Vec<Activation>,
    pub(super) cuts: Vec<(EdgeId, Cut)>,
    pub(super) places: FxHashMap<Loc, Vec<Loc>>,
    /// For each procedure the locals that have any values when it begins, unless a call gives them one.
    pub(super) fresh: Vec<Vec<Var>>,
    /// The locals of activations that have other names there.
    pub(super) renamed: FxHashMap<(u32, Var), Var>,
    pub(super) ends: Arc<Ends>,
}

impl Inlined {
    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The automaton.
    pub fn cfa(&self) -> &Cfa {
        &self.cfa
    }

    /// What the edges of the automaton were made of, in their order.
    pub fn origins(&self) -> &[Origin] {
        &self.origins
    }

    /// All activations.
    pub fn activations(&self) -> &[Activation] {
        &self.activations
    }

    /// The edges to the error location that stand for calls that were not inlined.
    pub fn cuts(&self) -> &[(EdgeId, Cut)] {
        &self.cuts
    }

    /// The locations of the automaton that stand for one of the program, in the order of the activations.
    pub fn places(&self, loc: Loc) -> &[Loc] {
        self.places.get(&loc).map_or(&[], Vec::as_slice)
    }

    /// What a variable of the program is called in an activation.
    pub fn var(&self, activation: u32, var: Var) -> Var {
        self.renamed.get(&(activation, var)).copied().unwrap_or(var)
    }

    /// The variables of the program that have other names in some activations, with these; those within others have the same
    /// name at the same depth.
    pub fn renamed(&self) -> BTreeSet<(Var, Var)> {
        self.activations
            .iter()
            .enumerate()
            .flat_map(|(i, activation)| {
                let locals = &self.program.procedure(activation.procedure).locals;
                locals.iter().map(move |local| (*local, self.var(i as u32, *local)))
            })
            .filter(|(local, name)| local != name)
            .collect()
    }

    /// The calls that are active on an edge of the automaton, innermost first.
    pub fn calls(&self, edge: EdgeId) -> impl Iterator<Item = (u32, ProgramEdgeId)> {
        let mut at = self.origins[edge.0 as usize].activation;
        std::iter::from_fn(move || {
            let call = self.activations[at as usize].caller?;
            at = call.0;
            Some(call)
        })
    }

    /// The locals that have any values when a call begins.
    pub(super) fn fresh(&self, call: &Call) -> Vec<Var> {
        call.without_value(&self.fresh[call.callee.0 as usize])
    }

    /// What the edges to the error location stand for.
    pub fn ends(&self) -> &Arc<Ends> {
        &self.ends
    }

    /// Says what the edges to the error location stand for.
    pub fn set_ends(&mut self, ends: Ends) {
        self.ends = Arc::new(ends);
    }

    /// The automaton is another one with the same edges.
    #[must_use]
    pub fn with_cfa(&self, change: impl FnOnce(&Cfa) -> Cfa) -> Inlined {
        Inlined { cfa: change(&self.cfa), ..self.clone() }
    }
}
