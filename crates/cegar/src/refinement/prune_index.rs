//! Several refinements of one counterexample (first paper, §3.2.3): forward and backward interpolants, and of
//! the two the one that prunes closer to the entry or closer to the error.

use crate::{Choice, Feasibility, Refutation, Result, Stop, Trace, TraceChecker};

/// Which of the refutations to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// The one with the smallest prune index.
    Smallest,
    /// The one with the largest.
    Largest,
}

/// Asks several checkers and takes the refutation that is preferred.
pub struct ByPruneIndex {
    checkers: Vec<Box<dyn TraceChecker>>,
    prefer: Prefer,
}

impl ByPruneIndex {
    /// Chooses among the refutations of these checkers.
    pub fn new(checkers: Vec<Box<dyn TraceChecker>>, prefer: Prefer) -> Self {
        ByPruneIndex { checkers, prefer }
    }
}

impl TraceChecker for ByPruneIndex {
    fn check(&mut self, trace: &Trace<'_>) -> Result<Feasibility> {
        let mut refutations: Vec<Refutation> = Vec::new();
        let mut problem = Stop::Interpolation("there is no checker".into());
        for checker in &mut self.checkers {
            match checker.check(trace) {
                Ok(Feasibility::Infeasible(refutation)) => refutations.push(refutation),
                Err(stop @ (Stop::Interpolation(_) | Stop::Solver(_))) => problem = stop,
                feasible_or_limit => return feasible_or_limit,
            }
        }
        let among = refutations.len();
        // A refutation without an index teaches nothing, so it is the last to be taken. Ties: the first checker's.
        let rank = |refutation: &Refutation| {
            let index = refutation.prune_index().map(|index| match self.prefer {
                Prefer::Smallest => index,
                Prefer::Largest => usize::MAX - index,
            });
            (index.is_none(), index)
        };
        let mut chosen = refutations.into_iter().min_by_key(rank).ok_or(problem)?;
        let index = chosen.prune_index().unwrap_or(trace.stmts.len());
        let why = match self.prefer {
            Prefer::Smallest => format!("the smallest prune index, {index}"),
            Prefer::Largest => format!("the largest prune index, {index}"),
        };
        chosen.choice = Some(Choice { among, length: trace.stmts.len(), why });
        Ok(Feasibility::Infeasible(chosen))
    }
}
