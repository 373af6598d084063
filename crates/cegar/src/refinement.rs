//! Refinement: Algorithm 2 of the first paper.
//!
//! ```text
//! σ = ((l₁, s₁), op₁, …, (lₙ, sₙ)) ← path to unsafe node
//! if σ is feasible                       return unsafe
//! (I₁, …, Iₙ) ← get interpolant for σ
//! (π₁, …, πₙ) ← map interpolant to precisions
//! π'_L ← π_L joined with each πᵢ, at lᵢ if local, everywhere if global
//! i ← lowest index for which Iᵢ ∉ {true, false}
//! prune the subtree rooted at (lᵢ, sᵢ)
//! return spurious
//! ```
//!
//! Differences: pruning removes all children of the pruned edge, of which there may be several, so that
//! expanding the parent again computes all of them. Refinement that gets nowhere is noticed: if the same
//! counterexample, states included, comes back under the same precision, or no interpolant says anything, the
//! whole graph is pruned once (nodes may be older than the precision), and if that does not help either, there
//! is no progress. That the precision did not grow is no such sign: nodes built before it grew are replaced.

use lapidary_expr::Term;
use lapidary_model::{Cfa, EdgeId, Execution, Loc};
use rustc_hash::FxHashSet;

use crate::abstraction::ArgOf;
use crate::arg::NodeId;
use crate::axis::axis;
use crate::precision::PrecisionMap;
use crate::{Domain, Feasibility, Reason, Result, Trace, TraceChecker};

axis! {
    /// How much of the graph a refinement removes.
    pub enum Prune {
        /// The subtree of the first state that is refined.
        #[default]
        Lazy = "lazy",
        /// Everything.
        Full = "full",
    }
}

/// What refinement made of a counterexample.
#[derive(Clone, Debug)]
pub enum Refinement {
    /// It is real.
    Unsafe(Execution),
    /// It is spurious, and has been ruled out: these nodes are to be processed again.
    Spurious(Vec<NodeId>),
    /// It is spurious, but there is nothing new to learn from it.
    NoProgress,
}

/// Refines precisions and graphs.
pub struct Refiner<'a> {
    cfa: &'a Cfa,
    checker: Box<dyn TraceChecker>,
    prune: Prune,
    /// The counterexamples seen since the precision last grew.
    seen: FxHashSet<(Vec<EdgeId>, Vec<Term>)>,
    /// Whether the whole graph has been pruned since then.
    restarted: bool,
}

impl<'a> Refiner<'a> {
    /// A refiner that decides counterexamples with `checker`.
    pub fn new(cfa: &'a Cfa, checker: Box<dyn TraceChecker>, prune: Prune) -> Self {
        Refiner { cfa, checker, prune, seen: FxHashSet::default(), restarted: false }
    }

    /// Decides the counterexample that ends in `node`; rules it out if it is spurious.
    pub fn refine<D: Domain>(
        &mut self,
        domain: &mut D,
        node: NodeId,
        prec: &mut PrecisionMap<D::Prec>,
        arg: &mut ArgOf<D>,
    ) -> Result<Refinement> {
        let (nodes, edges) = arg.path(node);
        let states: Vec<Term> = nodes.iter().map(|node| domain.expr(arg.state(*node))).collect();
        let stmts = edges.iter().map(|edge| &self.cfa.edge(*edge).stmt).collect();
        let trace = Trace { states, stmts };
        let reasons = match self.checker.check(&trace)? {
            Feasibility::Feasible(model) => {
                return Ok(Refinement::Unsafe(Execution::from_model(self.cfa, &edges, &model)));
            }
            Feasibility::Infeasible(refutation) => refutation.reasons,
        };
        // All reasons are learned from against the same precision, then joined.
        let telling = nodes.iter().zip(&reasons).filter(|(_, reason)| !reason.is_trivial());
        let learn = |(node, reason): (&NodeId, &Reason)| {
            let loc = arg.loc(*node);
            (loc, domain.learn(arg.state(*node), reason, prec.at(loc)))
        };
        let learned: Vec<(Loc, D::Prec)> = telling.map(learn).collect();
        let grown = learned.iter().fold(false, |grown, (loc, new)| prec.refine(*loc, new) || grown);
        let index = reasons.iter().position(|reason| !Reason::is_trivial(reason));
        if grown {
            self.seen.clear();
            self.restarted = false;
        }
        let repeated = !self.seen.insert((edges, trace.states));
        Ok(match index {
            Some(index) if !repeated => Refinement::Spurious(match self.prune {
                Prune::Lazy => arg.prune(nodes[index]),
                Prune::Full => arg.prune_all(),
            }),
            _ => self.restart::<D>(arg),
        })
    }

    /// Prunes everything, if nothing is left that could be older than the precision, in vain.
    fn restart<D: Domain>(&mut self, arg: &mut ArgOf<D>) -> Refinement {
        if self.prune == Prune::Full || std::mem::replace(&mut self.restarted, true) {
            return Refinement::NoProgress;
        }
        self.seen.clear();
        Refinement::Spurious(arg.prune_all())
    }
}
