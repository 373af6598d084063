//! Edges that stand for many: how their statement is composed, and the way back to single edges.

use super::{BackTranslate, Renumbering};
use crate::cfa::{Cfa, EdgeId, Loc, Position};
use crate::execution::{Execution, Step};
use crate::proof::Proof;
use crate::stmt::{Decision, Stmt};

/// A statement made of the statements of edges. It has no part that is not an edge, so that a way through the
/// statement is a path of the original automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// The statement of an edge, as it is.
    Edge(EdgeId),
    /// One after the other.
    Seq(Vec<Shape>),
    /// Any one of these.
    Choice(Vec<Shape>),
}

impl Shape {
    /// One after the other; a single part is itself.
    pub(super) fn seq(mut parts: Vec<Shape>) -> Shape {
        if parts.len() == 1 { parts.swap_remove(0) } else { Shape::Seq(parts) }
    }

    /// Any one of these; a single part is itself.
    pub(super) fn choice(mut parts: Vec<Shape>) -> Shape {
        if parts.len() == 1 { parts.swap_remove(0) } else { Shape::Choice(parts) }
    }

    /// The parts that come one after the other.
    pub(super) fn into_parts(self) -> Vec<Shape> {
        match self {
            Shape::Seq(parts) => parts,
            single => vec![single],
        }
    }

    /// The statement. Those of the edges are not flattened: decisions follow the shape.
    pub(super) fn to_stmt(&self, cfa: &Cfa) -> Stmt {
        let all = |parts: &[Shape]| parts.iter().map(|part| part.to_stmt(cfa)).collect();
        match self {
            Shape::Edge(edge) => cfa.edge(*edge).stmt.clone(),
            Shape::Seq(parts) => Stmt::Seq(all(parts)),
            Shape::Choice(parts) => Stmt::Choice(all(parts)),
        }
    }

    /// Where its first edge stands in the source.
    pub(super) fn position(&self, cfa: &Cfa) -> Option<Position> {
        match self {
            Shape::Edge(edge) => cfa.edge(*edge).position,
            Shape::Seq(parts) | Shape::Choice(parts) => parts.first()?.position(cfa),
        }
    }
}

/// The way back from an automaton whose edges are composed.
pub(super) struct Composition {
    /// The original of each location.
    pub(super) locs: Vec<Loc>,
    /// The shape of each edge.
    pub(super) edges: Vec<Shape>,
    /// The original automaton.
    pub(super) original: Cfa,
}

impl BackTranslate for Composition {
    fn execution(&self, execution: Execution) -> Execution {
        let mut steps = Vec::new();
        for step in execution.steps {
            let mut tape = step.tape.into_iter();
            self.unfold(&self.edges[step.edge.0 as usize], &mut tape, &mut steps);
        }
        Execution { start: execution.start, steps }
    }

    fn proof(&self, proof: Proof) -> Proof {
        Renumbering { locs: self.locs.clone(), edges: Vec::new() }.proof(proof)
    }
}

impl Composition {
    /// The steps along the edges that the decisions choose. Decisions that do not fit end it early, which
    /// replay will notice.
    fn unfold(
        &self,
        shape: &Shape,
        tape: &mut impl Iterator<Item = Decision>,
        steps: &mut Vec<Step>,
    ) {
        match shape {
            Shape::Edge(edge) => {
                let mut own = Vec::new();
                take_decisions(&self.original.edge(*edge).stmt, tape, &mut own);
                steps.push(Step { edge: *edge, tape: own });
            }
            Shape::Seq(parts) => parts.iter().for_each(|part| self.unfold(part, tape, steps)),
            Shape::Choice(parts) => {
                if let Some(Decision::Branch(taken)) = tape.next()
                    && let Some(part) = parts.get(taken)
                {
                    self.unfold(part, tape, steps);
                }
            }
        }
    }
}

/// Moves the decisions that `stmt` needs from `tape` to `own`.
fn take_decisions(stmt: &Stmt, tape: &mut impl Iterator<Item = Decision>, own: &mut Vec<Decision>) {
    match stmt {
        Stmt::Assume(_) | Stmt::Assign(_) => {}
        Stmt::Havoc(vars) => own.extend(tape.take(vars.len())),
        Stmt::Relation { written, .. } => own.extend(tape.take(written.len())),
        Stmt::Seq(parts) => parts.iter().for_each(|part| take_decisions(part, tape, own)),
        Stmt::Choice(parts) => {
            let Some(decision) = tape.next() else { return };
            own.push(decision.clone());
            if let Decision::Branch(taken) = decision
                && let Some(part) = parts.get(taken)
            {
                take_decisions(part, tape, own);
            }
        }
    }
}
