//! Why counterexamples are spurious: one refutation each, by the checkers in turn.

use lapidary_expr::Term;
use lapidary_model::{EdgeId, Execution, Loc};

use super::Refiner;
use crate::abstraction::ArgOf;
use crate::arg::NodeId;
use crate::precision::PrecisionMap;
use crate::{Domain, Feasibility, Lesson, Reason, Refutation, Result, Stop, Trace};

/// A counterexample, and why it is none.
pub(super) struct Refuted {
    pub(super) nodes: Vec<NodeId>,
    pub(super) edges: Vec<EdgeId>,
    pub(super) states: Vec<Term>,
    pub(super) refutation: Refutation,
    /// `s_r`.
    pub(super) root: NodeId,
    /// The number of its story.
    pub(super) story: usize,
}

impl Refuted {
    /// The states that there is something to learn about, with their locations.
    pub(super) fn lessons<'a, D: Domain>(
        &'a self,
        prec: &'a PrecisionMap<D::Prec>,
        arg: &'a ArgOf<D>,
    ) -> (Vec<Loc>, Vec<Lesson<'a, D>>) {
        let reasons = self.nodes.iter().zip(&self.refutation.reasons);
        let reasons = reasons.filter(|(_, reason)| !reason.is_trivial());
        let lesson = |(node, reason): (&NodeId, &'a Reason)| {
            let (at, loc) = (arg.state(*node), arg.loc(*node));
            (loc, Lesson { at, reason, prec: prec.at(loc) })
        };
        reasons.map(lesson).unzip()
    }
}

/// What checkers said about all counterexamples.
pub(super) enum Explained {
    Real(Execution),
    Spurious(Vec<Refuted>),
}

impl Refiner<'_> {
    /// Explains the counterexamples; those that cannot be explained are left out if another one can.
    pub(super) fn explain<D: Domain>(
        &mut self,
        domain: &D,
        paths: Vec<(Vec<NodeId>, Vec<EdgeId>)>,
        arg: &ArgOf<D>,
    ) -> Result<Explained> {
        let (mut refuted, mut problem) = (Vec::new(), None);
        for (i, (nodes, edges)) in paths.into_iter().enumerate() {
            let states: Vec<Term> = nodes.iter().map(|n| domain.expr(arg.state(*n))).collect();
            let stmts = edges.iter().map(|edge| &self.cfa.edge(*edge).stmt).collect();
            let trace = Trace { states, stmts };
            let number = i % self.checkers.len();
            let refutation = match self.checkers[number].check(&trace) {
                Ok(Feasibility::Infeasible(refutation)) => refutation,
                Ok(Feasibility::Feasible(model)) => {
                    return Ok(Explained::Real(Execution::from_model(self.cfa, &edges, &model)));
                }
                Err(limit @ Stop::Limit(_)) => return Err(limit),
                Err(stop) => {
                    problem = problem.or(Some(stop));
                    continue;
                }
            };
            let story = self.stories.begin(&refutation, edges.len());
            if let Some(index) = refutation.prune_index() {
                let (root, states) = (nodes[index], trace.states);
                refuted.push(Refuted { nodes, edges, states, refutation, root, story });
            }
        }
        match problem {
            Some(stop) if refuted.is_empty() => Err(stop),
            _ => Ok(Explained::Spurious(refuted)),
        }
    }
}
