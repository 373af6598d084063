//! Search strategies on the first paper's Figure 5: how many nodes are expanded until the error is found.
//!
//! The figure is reconstructed from its description. Values make all paths different, so that nothing is
//! covered, as the paper supposes.

use lapidary_cegar::abstraction::{Abstractor, ArgOf, Exploration};
use lapidary_cegar::arg::{Arg, CoverIndex, NodeId};
use lapidary_cegar::precision::{Granularity, PrecisionMap};
use lapidary_cegar::search::Search;
use lapidary_cegar::{Domain, Precision, Reason, Result};
use lapidary_expr::{Term, Valuation, Value};
use lapidary_model::{Cfa, Stmt};

/// Concrete values, and nothing covers anything.
struct Concrete(Valuation);

#[derive(Clone, Debug, Default)]
struct Nothing;

impl Precision for Nothing {
    fn join(&mut self, _: &Self) -> bool {
        false
    }

    fn size(&self) -> usize {
        0
    }
}

impl CoverIndex<Valuation> for Nothing {
    fn insert(&mut self, _: NodeId, _: &Valuation) {}

    fn remove(&mut self, _: NodeId, _: &Valuation) {}

    fn candidates(&self, _: &Valuation) -> Vec<NodeId> {
        Vec::new()
    }
}

impl Domain for Concrete {
    type State = Valuation;
    type Prec = Nothing;
    type Index = Nothing;

    fn top(&self) -> Valuation {
        self.0.clone()
    }

    fn leq(&mut self, _: &Valuation, _: &Valuation) -> Result<bool> {
        Ok(false)
    }

    fn post(&mut self, s: &Valuation, _: Term, stmt: &Stmt, _: &Nothing) -> Result<Vec<Valuation>> {
        Ok(run(stmt, s.clone()).into_iter().collect())
    }

    fn expr(&self, s: &Valuation) -> Term {
        s.to_term()
    }

    fn learn(&mut self, _: &Valuation, _: &Reason, _: &Nothing) -> Nothing {
        Nothing
    }
}

fn run(stmt: &Stmt, mut state: Valuation) -> Option<Valuation> {
    match stmt {
        Stmt::Assume(condition) => (condition.holds(&state) == Some(true)).then_some(state),
        Stmt::Assign(assignments) => {
            let [(var, term)] = assignments[..] else { panic!("one at a time") };
            let value = term.eval(&state).expect("a value");
            state.set(var, value);
            Some(state)
        }
        Stmt::Seq(parts) => parts.iter().try_fold(state, |state, part| run(part, state)),
        other => panic!("no such statement here: {other}"),
    }
}

/// The number of nodes that are expanded before the error is found.
fn expanded(text: &str, search: Search) -> usize {
    let cfa: Cfa = lapidary_frontend::load("figure.cfa", text)
        .unwrap_or_else(|error| panic!("{error}"))
        .model
        .into_cfa();
    let zeros = cfa.vars().iter().map(|var| (*var, Value::default_of(var.sort()))).collect();
    let mut domain = Concrete(zeros);
    let mut arg: ArgOf<Concrete> = Arg::new(&cfa, domain.top());
    let prec = PrecisionMap::new(&cfa, Granularity::Global);
    let found =
        Abstractor::new::<Concrete>(&cfa, search, 1, &arg).explore(&mut domain, &prec, &mut arg);
    assert!(matches!(found, Ok(Exploration::Unsafe(_))), "{search}: {found:?}");
    arg.alive()
        .filter(|node| !arg.is_unmarked(*node) && Some(arg.loc(*node)) != cfa.error())
        .count()
}

fn all(text: &str) -> [usize; 5] {
    Search::ALL.map(|search| expanded(text, search))
}

/// Figure 5a: `n` diamonds in a row, the last one ends in the error.
fn figure_5a(n: usize) -> String {
    let locs: Vec<String> = (1..3 * n).map(|k| format!("loc L{k}")).collect();
    let name = |k: usize| if k == 3 * n { "E".to_string() } else { format!("L{k}") };
    let diamond = |k: usize| {
        let [start, left, right, end] = [k, k + 1, k + 2, k + 3].map(name);
        format!(
            "{start} -> {left} {{ x := 2 * x }}
             {start} -> {right} {{ x := 2 * x + 1 }}
             {left} -> {end} {{ }}
             {right} -> {end} {{ }}\n"
        )
    };
    let edges: String = (0..3 * n).step_by(3).map(diamond).collect();
    format!(
        "main process figure_5a {{ var x : int init loc L0 error loc E {} {edges} }}",
        locs.join(" ")
    )
}

/// Figure 5b, with a loop that can be unfolded `n` times. The edge from `L1` to `L6` is not feasible.
fn figure_5b(n: usize) -> String {
    format!(
        "main process figure_5b {{
            var x : int
            init loc L0 loc L1 loc L2 loc L3 loc L4 loc L5 loc L6 error loc E
            L0 -> L3 {{ }}
            L0 -> L1 {{ }}
            L1 -> L6 {{ assume x < 0 }}
            L1 -> L2 {{ x := x + 1 }}
            L2 -> L1 {{ assume x <= {n} }}
            L3 -> L4 {{ }}
            L4 -> L5 {{ }}
            L5 -> L6 {{ }}
            L6 -> E {{ }}
        }}"
    )
}

/// Breadth first takes all of the exponentially many paths, and so does `err-dfs`, whose sums grow with
/// every step; the others go straight to the error.
#[test]
fn figure_5a_directs_the_search() {
    //                              bfs dfs err dfs-err err-dfs
    assert_eq!(all(&figure_5a(3)), [21, 6, 6, 6, 21]);
    assert_eq!(all(&figure_5a(10)), [3069, 20, 20, 20, 3069]);
}

/// Depth first and `err` unfold the loop as long as they can; depth in the sum gets out of it.
#[test]
fn figure_5b_tricks_the_search() {
    assert_eq!(all(&figure_5b(10)), [9, 27, 27, 8, 8]);
    assert_eq!(all(&figure_5b(1000)), [9, 2007, 2007, 8, 8]);
}

#[test]
fn weights_are_strategies() {
    for (search, name) in Search::ALL.into_iter().zip(Search::NAMES) {
        let (depth, error) = search.weights();
        assert_eq!(search.to_string(), *name);
        assert_eq!(name.parse(), Ok(search));
        assert_eq!(
            format!("{depth},{error}").parse(),
            Ok(search),
            "weights with a name have one spelling"
        );
    }
    assert_eq!("-1, 5".parse(), Ok(Search::Weights(-1, 5)));
    assert_eq!(Search::Weights(-1, 5).to_string(), "-1,5");
    for wrong in ["", "1", "1,", ",1", "1,2,3", "1.5,2", "99999999999,1", "best"] {
        assert!(wrong.parse::<Search>().is_err(), "{wrong}");
    }
    assert_eq!(expanded(&figure_5a(10), Search::Weights(1, 3)), 20);
    let extreme = Search::Weights(i32::MIN, i32::MAX);
    assert_eq!(expanded(&figure_5a(10), extreme), 20);
}
