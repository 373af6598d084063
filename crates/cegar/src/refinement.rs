//! Refinement: Algorithms 2 and 5 of the first paper.
//!
//! ```text
//! Σ = (σ₁, …, σₙ) ← paths to states with l_E
//! if any σᵢ ∈ Σ is feasible              return unsafe
//! Itpᵢ ← get interpolant for each σᵢ
//! s_rᵢ ← first state of σᵢ for which the interpolant is neither true nor false
//! for each σᵢ such that no s_r is a proper ancestor of s_rᵢ
//!     (π₁, …, πₖ) ← map Itpᵢ to precisions
//!     π'_L ← π_L joined with each πⱼ, at lⱼ if local, everywhere if global
//!     prune the subtree rooted at s_rᵢ
//! return spurious
//! ```
//!
//! With one counterexample this is Algorithm 2.
//!
//! Differences: pruning removes all children of the pruned edge, of which there may be several, so that
//! expanding the parent again computes all of them. Feasibility is asked of the statements alone. Refinement that
//! gets nowhere is noticed: if the same counterexample, states included, comes back under the same precision, or no
//! interpolant says anything, the others are tried, too, then the whole graph is pruned once (nodes may be older
//! than the precision), and if that does not help either, there is no progress. That the precision did not grow
//! is no such sign: nodes built before it grew are replaced. A counterexample that cannot be explained is left for
//! later as long as there is another one.

mod explain;
mod feasible;
mod novelty;
pub mod prefixes;
pub mod prune_index;
pub mod select;
mod several;
mod stories;

use lapidary_expr::Term;
use lapidary_model::{Cfa, EdgeId, Execution, Loc, Path};
use lapidary_solver::Backend;
use rustc_hash::FxHashSet;

use crate::abstraction::ArgOf;
use crate::arg::NodeId;
use crate::axis::axis;
use crate::observer::Story;
use crate::precision::PrecisionMap;
use crate::{Domain, Precision, Result, TraceChecker};
use explain::{Explained, Refuted};
use feasible::PathSolver;
pub use select::Select;
pub use several::Refine;
use several::topmost;
use stories::Stories;

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

/// What refinement made of counterexamples.
#[derive(Clone, Debug)]
pub enum Refinement {
    /// One is real.
    Unsafe(Execution),
    /// All are spurious, and have been ruled out: these nodes are to be processed again.
    Spurious(Vec<NodeId>),
    /// All are spurious, but there is nothing new to learn from them.
    NoProgress,
}

/// Refines precisions and graphs.
pub struct Refiner<'a> {
    cfa: &'a Cfa,
    paths: PathSolver,
    checkers: Vec<Box<dyn TraceChecker>>,
    prune: Prune,
    /// The counterexamples seen since the precision last grew.
    seen: FxHashSet<(Vec<EdgeId>, Vec<Term>)>,
    /// Whether the whole graph has been pruned since then.
    restarted: bool,
    stories: Stories,
}

impl<'a> Refiner<'a> {
    /// A refiner that explains counterexamples with `checkers`: of several counterexamples the first with the
    /// first checker, and so on in turn.
    pub fn new(
        cfa: &'a Cfa,
        backend: &dyn Backend,
        checkers: Vec<Box<dyn TraceChecker>>,
        prune: Prune,
    ) -> Self {
        let (paths, seen) = (PathSolver::new(backend), FxHashSet::default());
        let (restarted, stories) = (false, Stories::default());
        Refiner { cfa, paths, checkers, prune, seen, restarted, stories }
    }

    /// Wants to be told what enters the precision, too.
    pub fn tell_all(&mut self) {
        self.stories.in_full = true;
    }

    /// What was done since this was last asked.
    pub fn take_stories(&mut self) -> Vec<Story> {
        std::mem::take(&mut self.stories.list)
    }

    /// Decides the counterexamples that end in `errors`; rules them out if all are spurious.
    pub fn refine<D: Domain>(
        &mut self,
        domain: &mut D,
        errors: &[NodeId],
        prec: &mut PrecisionMap<D::Prec>,
        arg: &mut ArgOf<D>,
    ) -> Result<Refinement> {
        let paths: Vec<_> = errors.iter().map(|error| arg.path(*error)).collect();
        for (nodes, edges) in &paths {
            let path = Path::new(edges.iter().map(|edge| &self.cfa.edge(*edge).stmt));
            let labels = nodes.iter().filter(|_| domain.chooses()).skip(1);
            let labels = labels.map(|node| domain.expr(arg.state(*node)));
            if let Some(model) = self.paths.model(&feasible::labelled(&path, labels))? {
                let execution = Execution::from_model(self.cfa, edges, &model);
                return Ok(Refinement::Unsafe(execution));
            }
        }
        let refuted = match self.explain(domain, paths, arg)? {
            Explained::Spurious(refuted) => refuted,
            Explained::Real(execution) => return Ok(Refinement::Unsafe(execution)),
        };
        let roots: Vec<NodeId> = refuted.iter().map(|it| it.root).collect();
        let is_topmost = topmost::<D>(&roots, arg);
        let (minimal, others): (Vec<_>, Vec<_>) =
            refuted.into_iter().zip(is_topmost).partition(|(_, is_topmost)| *is_topmost);
        for set in [minimal, others] {
            let set: Vec<Refuted> = set.into_iter().map(|(refuted, _)| refuted).collect();
            let again = self.learn(domain, &set, prec, arg);
            if !again.is_empty() {
                return Ok(Refinement::Spurious(again));
            }
        }
        Ok(self.restart::<D>(arg))
    }

    /// Joins what there is to learn to the precision and prunes; the nodes to be processed again, none if all of
    /// the counterexamples were there before.
    fn learn<D: Domain>(
        &mut self,
        domain: &mut D,
        refuted: &[Refuted],
        prec: &mut PrecisionMap<D::Prec>,
        arg: &mut ArgOf<D>,
    ) -> Vec<NodeId> {
        // All reasons are learned from against the same precision, then joined.
        let mut learned: Vec<(usize, Loc, D::Prec)> = Vec::new();
        for it in refuted {
            let (locs, path) = it.lessons::<D>(prec, arg);
            let new = locs.into_iter().zip(domain.learn_along(&path));
            learned.extend(new.map(|(loc, new)| (it.story, loc, new)));
        }
        let mut grown = false;
        for (story, loc, new) in &learned {
            let old = if self.stories.in_full { prec.at(*loc).items() } else { Vec::new() };
            let is_new = prec.refine(*loc, new);
            grown |= is_new;
            if is_new && self.stories.in_full {
                let items = new.items().into_iter().filter(|item| !old.contains(item));
                let items = items.map(|item| (self.cfa.loc_name(*loc).into(), item));
                self.stories.list[*story].learned.extend(items);
            }
        }
        if grown {
            self.seen.clear();
            self.restarted = false;
        }
        let mut again = Vec::new();
        for Refuted { nodes, edges, states, root, .. } in refuted {
            if self.seen.insert((edges.clone(), states.clone())) {
                // A node that went with another subtree is not looked at: its state may be split, but not here.
                let is_split = |node: &&NodeId| {
                    arg.is_alive(**node)
                        && domain.is_split(arg.state(**node), prec.at(arg.loc(**node)))
                };
                again.extend(match (self.prune, nodes.iter().skip(1).find(is_split)) {
                    (Prune::Full, _) => arg.prune_all(),
                    (Prune::Lazy, Some(split)) => arg.split(*split),
                    (Prune::Lazy, None) => arg.prune(*root),
                });
            }
        }
        again.retain(|node| arg.is_alive(*node));
        again.sort_unstable();
        again.dedup();
        again
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
