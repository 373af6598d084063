//! What is verified: a program or a transition system.

use std::sync::Arc;

use crate::cfa::Cfa;
use crate::sts::System;

/// A program, as an automaton, or a transition system with one property.
#[derive(Clone, Debug)]
pub enum Model {
    /// An automaton, from C or from a language for automata.
    Program(Cfa),
    /// A system. It is shared with what is made of it.
    System(Arc<System>),
}

impl Model {
    /// The automaton: the program itself, or the lowered system.
    pub fn cfa(&self) -> &Cfa {
        match self {
            Model::Program(cfa) => cfa,
            Model::System(system) => system.cfa(),
        }
    }

    /// The automaton, for callers that keep it.
    pub fn into_cfa(self) -> Cfa {
        match self {
            Model::Program(cfa) => cfa,
            Model::System(system) => system.cfa().clone(),
        }
    }

    /// The system, if it is one.
    pub fn system(&self) -> Option<&Arc<System>> {
        match self {
            Model::Program(_) => None,
            Model::System(system) => Some(system),
        }
    }
}
