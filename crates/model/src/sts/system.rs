//! A system with one chosen property, and its automaton: `start –init→ run –step→ run –bad→ error`.
//!
//! Engines that work on transition systems take the [`Sts`]; all others take the automaton. The system is lowered
//! once, here, and whoever needs a location or an edge of the automaton asks for it by name.

use std::sync::Arc;

use lapidary_expr::Term;

use super::conditions::Conditions;
use super::{Property, Sts};
use crate::cfa::{Cfa, CfaBuilder, EdgeId, InvalidCfa, Loc};
use crate::proof::{Proof, ProofState};

/// A transition system with the property that is verified, and its automaton.
#[derive(Clone, Debug)]
pub struct System {
    sts: Arc<Sts>,
    property: usize,
    cfa: Cfa,
    run: Loc,
    init: EdgeId,
    step: EdgeId,
    bad: EdgeId,
}

impl System {
    /// The system, to be verified for the property with this number. There must be such a property.
    pub fn new(sts: Arc<Sts>, property: usize) -> Result<System, InvalidCfa> {
        let conditions = sts.conditions();
        System::with_conditions(sts, property, &conditions)
    }

    /// The same, with conditions that may come from a system that this is a part of.
    pub(super) fn with_conditions(
        sts: Arc<Sts>,
        property: usize,
        conditions: &Conditions,
    ) -> Result<System, InvalidCfa> {
        let Property { bad, position, .. } = &sts.properties[property];
        let mut builder = CfaBuilder::new(&sts.name, "start");
        builder.vars(&sts.vars);
        builder.vars(&sts.inputs);
        let (run, error) = (builder.loc("run"), builder.loc("error"));
        builder.error(error);
        let init = builder.edge(builder.entry(), conditions.init_stmt(), run, None);
        let step = builder.edge(run, sts.step_stmt(conditions), run, None);
        let bad = builder.edge(run, sts.bad_stmt(*bad, conditions), error, *position);
        let cfa = builder.build()?;
        Ok(System { sts, property, cfa, run, init, step, bad })
    }

    /// The transition system.
    pub fn sts(&self) -> &Sts {
        &self.sts
    }

    /// The property that is verified.
    pub fn property(&self) -> &Property {
        &self.sts.properties[self.property]
    }

    /// The automaton that reaches its error location if and only if the property fails.
    pub fn cfa(&self) -> &Cfa {
        &self.cfa
    }

    /// The location at which every step begins and ends.
    pub fn run(&self) -> Loc {
        self.run
    }

    /// The edge to the first frame.
    pub fn init(&self) -> EdgeId {
        self.init
    }

    /// The edge from a frame to the next one.
    pub fn step(&self) -> EdgeId {
        self.step
    }

    /// The edge from a bad frame to the error location.
    pub fn bad(&self) -> EdgeId {
        self.bad
    }

    /// The proof that the property holds because of this inductive invariant.
    pub fn inductive(&self, invariant: Term) -> Proof {
        let state = |loc, formula| ProofState { loc, formula, successors: Vec::new() };
        Proof::of(vec![state(self.cfa.entry(), true.into()), state(self.run, invariant)])
    }

    /// The invariant of the frames that a proof about the automaton contains.
    pub fn invariant(&self, proof: &Proof) -> Term {
        proof.invariant(self.run)
    }
}
