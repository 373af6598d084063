//! Random small statements, and what they do, by enumeration and without any formula for a step.

use std::collections::{BTreeMap, BTreeSet};

use lapidary_expr::text::parse;
use lapidary_expr::{Sort, Term, Valuation, Value, Var, VarSet};
use lapidary_model::{Decision, Stmt};

/// A small deterministic source of choices (xorshift).
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    pub(crate) fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }
}

/// The variables: one truth value and two numbers of two bits, so that there are 32 states.
pub(crate) fn vars() -> [Var; 3] {
    [("p", Sort::Bool), ("u", Sort::Bv(2)), ("v", Sort::Bv(2))]
        .map(|(name, sort)| Var::new(name, sort))
}

pub(crate) fn domain(var: Var) -> Vec<Value> {
    match var.sort() {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        _ => (0..4).filter_map(|n| Term::bv(2, n).as_lit().cloned()).collect(),
    }
}

/// The values of [`vars`].
pub(crate) type State = Vec<Value>;

pub(crate) fn states() -> Vec<State> {
    vars().iter().fold(vec![Vec::new()], |states, var| {
        let extend = |state: State| {
            domain(*var).into_iter().map(move |value| [&state[..], &[value]].concat())
        };
        states.into_iter().flat_map(extend).collect()
    })
}

pub(crate) fn valuation(state: &State) -> Valuation {
    vars().into_iter().zip(state.iter().cloned()).collect()
}

pub(crate) fn holds(formula: Term, state: &State) -> bool {
    formula.holds(&valuation(state)) == Some(true)
}

/// Reads a term over the variables and their primed versions, written `x@1`.
pub(crate) fn read(text: &str) -> Term {
    let both = vars().into_iter().flat_map(|var| [var, var.primed()]);
    let scope: BTreeMap<String, Var> = both.map(|var| (var.to_string(), var)).collect();
    parse(text, &scope).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The states after `stmt`, each with the decisions that lead there.
pub(crate) fn successors(stmt: &Stmt, state: &State) -> BTreeMap<State, Vec<Decision>> {
    match stmt {
        Stmt::Assume(term) => {
            holds(*term, state).then(|| (state.clone(), Vec::new())).into_iter().collect()
        }
        Stmt::Assign(assignments) => {
            let mut after = state.clone();
            for (var, term) in assignments {
                after[position(*var)] = term.eval(&valuation(state)).expect("states are total");
            }
            BTreeMap::from([(after, Vec::new())])
        }
        Stmt::Havoc(written) => changed(written, state).into_iter().collect(),
        Stmt::Relation { formula, written } => {
            let written: Vec<Var> = written.iter().copied().collect();
            let is_related = |after: &State| {
                let mut both = valuation(state);
                for var in &written {
                    both.set(var.primed(), after[position(*var)].clone());
                }
                formula.holds(&both) == Some(true)
            };
            changed(&written, state).into_iter().filter(|(after, _)| is_related(after)).collect()
        }
        Stmt::Seq(parts) => {
            let start = BTreeMap::from([(state.clone(), Vec::new())]);
            parts.iter().fold(start, |before, part| {
                let step = |(state, tape): (State, Vec<Decision>)| {
                    let after = successors(part, &state).into_iter();
                    after.map(move |(state, more)| (state, [&tape[..], &more].concat()))
                };
                before.into_iter().flat_map(step).collect()
            })
        }
        Stmt::Choice(parts) => {
            let branch = |(n, part): (usize, &Stmt)| {
                let after = successors(part, state).into_iter();
                after
                    .map(move |(state, tape)| (state, [&[Decision::Branch(n)][..], &tape].concat()))
            };
            parts.iter().enumerate().flat_map(branch).collect()
        }
    }
}

/// The states that differ from `state` in the written variables only, with the values as decisions.
fn changed(written: &[Var], state: &State) -> Vec<(State, Vec<Decision>)> {
    written.iter().fold(vec![(state.clone(), Vec::new())], |states, var| {
        let change = |(state, tape): (State, Vec<Decision>)| {
            domain(*var).into_iter().map(move |value| {
                let (mut state, mut tape) = (state.clone(), tape.clone());
                tape.push(Decision::Value(value.clone()));
                state[position(*var)] = value;
                (state, tape)
            })
        };
        states.into_iter().flat_map(change).collect()
    })
}

fn position(var: Var) -> usize {
    vars().iter().position(|v| *v == var).expect("a declared variable")
}

impl Rng {
    /// A statement of any kind, nested at most `depth` times.
    pub(crate) fn stmt(&mut self, depth: usize) -> Stmt {
        match self.below(if depth == 0 { 6 } else { 9 }) {
            0 | 1 => Stmt::Assume(self.formula(2, false)),
            2 => Stmt::Assign(vec![self.constant()]),
            3 => {
                let assigned = self.subset();
                Stmt::Assign(
                    assigned
                        .into_iter()
                        .map(|var| (var, self.term(var.sort(), 2, false)))
                        .collect(),
                )
            }
            4 => Stmt::Havoc(self.subset().into_iter().collect()),
            5 => {
                let written = self.subset();
                let may_prime = written.len() == vars().len();
                let condition = self.formula(2, may_prime);
                let constrained = written.iter().filter(|_| self.below(3) > 0).copied();
                let constrained: Vec<Var> = constrained.collect();
                let changes = constrained
                    .into_iter()
                    .map(|var| Term::var(var.primed()).equals(self.term(var.sort(), 1, may_prime)));
                let formula = Term::and([condition].into_iter().chain(changes));
                Stmt::Relation { formula, written }
            }
            6 => Stmt::Choice((0..self.below(4)).map(|_| self.stmt(depth - 1)).collect()),
            _ => Stmt::Seq((0..self.below(4)).map(|_| self.stmt(depth - 1)).collect()),
        }
    }

    fn subset(&mut self) -> VarSet {
        let mut subset: BTreeSet<Var> = vars().into_iter().filter(|_| self.below(2) == 0).collect();
        subset.insert(self.pick(&vars()));
        subset
    }

    fn constant(&mut self) -> (Var, Term) {
        let var = self.pick(&vars());
        (var, Term::lit(self.pick(&domain(var))))
    }

    fn term(&mut self, sort: Sort, depth: usize, primed: bool) -> Term {
        if sort == Sort::Bool { self.formula(depth, primed) } else { self.bits(depth, primed) }
    }

    fn formula(&mut self, depth: usize, primed: bool) -> Term {
        if depth == 0 {
            return self.fill(&["p", "(not p)"], 0, primed);
        }
        let forms =
            ["p", "(not A)", "(and A A)", "(or A A)", "(= E E)", "(bvult E E)", "(bvsle E E)"];
        self.fill(&forms, depth - 1, primed)
    }

    fn bits(&mut self, depth: usize, primed: bool) -> Term {
        let leaves = ["u", "v", "#b00", "#b01", "#b11"];
        let forms = ["(bvadd E #b01)", "(bvand E E)", "(ite A E E)", "(bvsub E E)", "u", "v"];
        self.fill(if depth == 0 { &leaves } else { &forms }, depth.saturating_sub(1), primed)
    }

    /// One of the forms, with random formulas for `A`, numbers for `E`, and perhaps primes.
    fn fill(&mut self, forms: &[&str], depth: usize, primed: bool) -> Term {
        let form = self.pick(forms);
        let mut text = String::new();
        for c in form.chars() {
            match c {
                'A' => text.push_str(&self.formula(depth, primed).to_string()),
                'E' => text.push_str(&self.bits(depth, primed).to_string()),
                c => text.push(c),
            }
        }
        let is_variable = form.len() == 1;
        if primed && is_variable && self.below(2) == 0 {
            read(&format!("{text}@1"))
        } else {
            read(&text)
        }
    }
}
