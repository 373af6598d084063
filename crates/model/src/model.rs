//! What is verified: a program or a transition system.

use std::sync::Arc;

use crate::cfa::Cfa;
use crate::ends::Ends;
use crate::program::Inlined;
use crate::sts::System;

/// A program or a transition system with one property.
#[derive(Clone, Debug)]
pub enum Model {
    /// An automaton: a program without procedures.
    Automaton(Cfa),
    /// A program with procedures, which owns its automaton.
    Program(Arc<Inlined>),
    /// A system. It is shared with what is made of it.
    System(Arc<System>),
}

impl Model {
    /// The automaton: that of the program, or the lowered system.
    pub fn cfa(&self) -> &Cfa {
        match self {
            Model::Automaton(cfa) => cfa,
            Model::Program(inlined) => inlined.cfa(),
            Model::System(system) => system.cfa(),
        }
    }

    /// The automaton, for callers that keep it.
    pub fn into_cfa(self) -> Cfa {
        match self {
            Model::Automaton(cfa) => cfa,
            Model::Program(inlined) => inlined.cfa().clone(),
            Model::System(system) => system.cfa().clone(),
        }
    }

    /// The program, if it has procedures.
    pub fn program(&self) -> Option<&Arc<Inlined>> {
        match self {
            Model::Program(inlined) => Some(inlined),
            Model::Automaton(_) | Model::System(_) => None,
        }
    }

    /// What the edges to the error location stand for, if the program has more than one kind of them.
    pub fn ends(&self) -> Option<&Ends> {
        self.program().map(|inlined| &**inlined.ends())
    }

    /// The system, if it is one.
    pub fn system(&self) -> Option<&Arc<System>> {
        match self {
            Model::System(system) => Some(system),
            Model::Automaton(_) | Model::Program(_) => None,
        }
    }
}
