//! Second paper, §4.5: after a split the model checker goes on from the first split state, and explores nothing again
//! that it had explored before.

use std::collections::BTreeMap;

use lapidary_cegar::domain::States;
use lapidary_cegar::domain::explicit::MaxEnum;
use lapidary_cegar::domain::states::{Leaf, LeafIndex, Splits};
use lapidary_cegar::{Config, Domain, Reason, Result};
use lapidary_expr::{Sort, Term, Var, VarSet};
use lapidary_model::Stmt;

use super::{automaton, run_with, z3};

/// Counts how often each state is expanded by each statement, in full and within a split state.
struct Counted {
    inner: States,
    in_full: BTreeMap<(Term, String), usize>,
    within: usize,
}

impl Domain for &mut Counted {
    type State = Leaf;
    type Prec = Splits;
    type Index = LeafIndex;

    fn top(&self) -> Leaf {
        self.inner.top()
    }

    fn leq(&mut self, s: &Leaf, t: &Leaf) -> Result<bool> {
        self.inner.leq(s, t)
    }

    fn post(&mut self, s: &Leaf, given: Term, stmt: &Stmt, prec: &Splits) -> Result<Vec<Leaf>> {
        match given.is_true() {
            true => *self.in_full.entry((self.expr(s), stmt.to_string())).or_default() += 1,
            false => self.within += 1,
        }
        self.inner.post(s, given, stmt, prec)
    }

    fn expr(&self, s: &Leaf) -> Term {
        self.inner.expr(s)
    }

    fn is_split(&self, s: &Leaf, prec: &Splits) -> bool {
        self.inner.is_split(s, prec)
    }

    fn learn(&mut self, at: &Leaf, reason: &Reason, prec: &Splits) -> Splits {
        self.inner.learn(at, reason, prec)
    }
}

/// A part with many states of `k`, explored first, and a part behind it that needs refinement of its own.
const TWO_PARTS: &str = "main process parts {
    var k : int  var x : int
    init loc A  loc K  loc B  loc C  error loc E
    A -> K { k := 0 }
    K -> K { assume k < 9 k := k + 1 }
    K -> B { assume k = 9 x := 0 }
    B -> B { assume x < 4 x := x + 1 }
    B -> C { assume x >= 4 }
    C -> E { assume x /= 4 }
}";

/// The states of the first part, for each of which there is one value of `k`.
const FIRST_PART: usize = 10;
/// At most so many states has the second part, whatever `x` is split into.
const SECOND_PART: usize = 8;

fn explored(line: &str) -> (Counted, usize, usize) {
    let mut config = Config::default();
    config.set_line(line).unwrap();
    let k: VarSet = [Var::new("k", Sort::Int)].into();
    let inner = States::new(&z3(), MaxEnum::Unlimited, k);
    let mut counted = Counted { inner, in_full: BTreeMap::new(), within: 0 };
    let (verdict, log) = run_with(&automaton(TWO_PARTS), &config, &mut counted);
    assert_eq!(verdict, "safe", "{line}");
    (counted, log.statistics.refinements, log.statistics.explored)
}

#[test]
fn nothing_before_the_split_state_is_explored_again() {
    for checker in ["forward", "sequence"] {
        for search in ["bfs", "dfs"] {
            let line = format!("precision=state checker={checker} search={search}");
            let (counted, refinements, explored_lazily) = explored(&line);
            assert!(refinements > 1, "{line}");
            let again: Vec<_> = counted
                .in_full
                .iter()
                .filter(|((state, _), n)| **n > 1 && state.mentions(Var::new("k", Sort::Int)))
                .filter(|((_, stmt), _)| stmt.contains('k'))
                .collect();
            assert!(again.is_empty(), "{line}: {again:?}");
            assert!(counted.within >= refinements, "{line}: parts replace what was split");
            let most = FIRST_PART + SECOND_PART * (refinements + 1);
            assert!(explored_lazily <= most, "{line}: {explored_lazily}, {refinements}");
            // Tests beside this one decide which term is older, and so which interpolants are found and in how many
            // refinements: the two runs can be compared by what each refinement costs only.
            let (counted, refinements, explored_fully) = explored(&format!("{line} prune=full"));
            assert!(counted.in_full.values().any(|n| *n > refinements), "from the start each time");
            let least = FIRST_PART * (refinements + 1);
            assert!(explored_fully >= least, "{line}: {explored_fully}, {refinements}");
        }
    }
}
