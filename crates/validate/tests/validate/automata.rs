//! Automata and proofs as text.

use std::collections::BTreeMap;

use lapidary_expr::{Sort, Term, Var, VarSet, text};
use lapidary_model::{Cfa, CfaBuilder, Proof, ProofState, Stmt};
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;
use lapidary_solver::{Backend, UnsatCore};

/// An automaton over integers from `start` to `error`, and two proofs that it is safe.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) name: &'a str,
    pub(crate) vars: &'a str,
    /// Lines `source -> target: statement`, see [`stmt`].
    pub(crate) edges: &'a str,
    /// States, see [`proof`].
    pub(crate) everywhere: &'a str,
    pub(crate) at_heads: &'a str,
}

pub(crate) const COUNTER: Task = Task {
    name: "counter",
    vars: "x",
    edges: "start -> head: x := 0
            head -> body: [(< x 5)]
            body -> head: x := (+ x 1)
            head -> end: [(<= 5 x)]
            end -> error: [(not (= x 5))]",
    everywhere: "start: true
                 head: (<= x 5)
                 body: (< x 5)
                 end: (= x 5)",
    at_heads: "start: true
               head: (<= x 5)",
};

pub(crate) const DIAMOND: Task = Task {
    name: "diamond",
    vars: "x y",
    edges: "start -> left: [(< x 0)]
            start -> right: [(<= 0 x)]
            left -> join: y := (- x)
            right -> join: y := (+ x 1)
            join -> error: [(<= y 0)]",
    everywhere: "start: true
                 left: (< x 0)
                 right: (<= 0 x)
                 join: (and (< x 0) (< 0 y))
                 join: (and (<= 0 x) (< x y))",
    at_heads: "start: true
               join: (and (< x 0) (< 0 y))
               join: (and (<= 0 x) (< 0 y))",
};

pub(crate) const HAVOC: Task = Task {
    name: "havoc",
    vars: "x y",
    edges: "start -> head: havoc x; y := x
            head -> body: havoc x; [(<= y x)]
            body -> head: y := (+ x 1)
            head -> error: [(< (+ x 1) y)]",
    everywhere: "start: true
                 head: (<= y (+ x 1))
                 body: (<= y x)",
    at_heads: "start: true
               head: (<= y (+ x 1))",
};

pub(crate) const CHOICE: Task = Task {
    name: "choice",
    vars: "x",
    edges: "start -> head: x := 0 | x := 2
            head -> head: [(= x 0)]; x := 4 | [(= x 2)]; x := 0 | [(= x 4)]; x := 2
            head -> error: [(not (= x 0))]; [(not (= x 2))]; [(not (= x 4))]",
    everywhere: "start: true
                 head: (= x 0)
                 head: (= x 2)
                 head: (= x 4)",
    at_heads: "start: true
               head: (or (= x 0) (= x 2) (= x 4))",
};

pub(crate) const RELATION: Task = Task {
    name: "relation",
    vars: "x y",
    edges: "start -> head: {(and (= x@1 0) (< 0 y@1))}
            head -> head: {(and (= x@1 (+ x y)) (<= y y@1))}
            head -> error: [(< x 0)]",
    everywhere: "start: true
                 head: (and (<= 0 x) (< 0 y))",
    at_heads: "start: true
               head: (and (<= 0 x) (<= 0 y))",
};

pub(crate) const NESTED: Task = Task {
    name: "nested",
    vars: "i j s",
    edges: "start -> outer: i := 0, s := 0
            outer -> inner: [(< i 9)]; j := 0
            inner -> step: [(< j 2)]; j := (+ j 1)
            step -> inner: s := (+ s 1)
            inner -> outer: [(<= 2 j)]; i := (+ i 1)
            outer -> outer: [(< i 9)]; i := (+ i 1), s := (+ s 2)
            outer -> end: [(<= 9 i)]
            end -> error: [(not (= s (* 2 i)))]",
    everywhere: "start: true
                 outer: (= s (* 2 i))
                 inner: (and (= s (+ (* 2 i) j)) (<= j 2))
                 step: (and (= (+ s 1) (+ (* 2 i) j)) (<= j 2))
                 end: (= s (* 2 i))",
    at_heads: "start: true
               outer: (= s (* 2 i))
               inner: (and (= s (+ (* 2 i) j)) (<= j 2))",
};

pub(crate) fn solver() -> Box<dyn UnsatCore> {
    Z3::new(&Watch::default()).expect("a recent Z3").solver()
}

impl Task<'_> {
    pub(crate) fn cfa(&self) -> Cfa {
        let mut builder = CfaBuilder::new(self.name, "start");
        self.vars.split(' ').for_each(|name| builder.var(Var::new(name, Sort::Int)));
        let mut locs = BTreeMap::from([("start", builder.entry())]);
        locs.insert("error", builder.loc("error"));
        builder.error(locs["error"]);
        for line in self.edges.lines() {
            let (ends, text) = line.split_once(':').expect("an edge");
            let (source, target) = ends.trim().split_once(" -> ").expect("two locations");
            let [source, target] =
                [source, target].map(|name| *locs.entry(name).or_insert_with(|| builder.loc(name)));
            builder.edge(source, stmt(text.trim()), target, None);
        }
        builder.build().expect("an automaton")
    }

    /// The automaton and its proof at loop heads.
    pub(crate) fn with_proof(&self) -> (Cfa, Proof) {
        let cfa = self.cfa();
        let proof = proof(&cfa, self.at_heads);
        (cfa, proof)
    }
}

/// The proof with these states, lines `location: formula`.
pub(crate) fn proof(cfa: &Cfa, states: &str) -> Proof {
    let state = |line: &str| {
        let (name, formula) = line.trim().split_once(": ").expect("a state");
        let loc = cfa.locs().find(|loc| cfa.loc_name(*loc) == name).expect("a location");
        ProofState { loc, formula: term(formula), successors: Vec::new() }
    };
    Proof::of(states.lines().map(state).collect())
}

/// Any name is an integer variable, `x@1` the next value of `x`.
struct Names;

impl text::Scope for Names {
    fn var(&self, name: &str) -> Option<Var> {
        let is_name = name.starts_with(char::is_alphabetic) && name != "true" && name != "false";
        is_name.then(|| match name.strip_suffix("@1") {
            Some(name) => Var::new(name, Sort::Int).primed(),
            None => Var::new(name, Sort::Int),
        })
    }
}

pub(crate) fn term(text: &str) -> Term {
    text::parse(text, &Names).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// `s | t` is a choice, `s; t` a sequence; `[φ]`, `x := e, y := f`, `havoc x y` and `{φ}` the rest.
fn stmt(text: &str) -> Stmt {
    let var = |name: &str| Var::new(name, Sort::Int);
    let inside = |open: char, close: char| text.strip_prefix(open)?.strip_suffix(close);
    if text.is_empty() {
        return Stmt::skip();
    }
    if text.contains(" | ") {
        return Stmt::Choice(text.split(" | ").map(stmt).collect());
    }
    if text.contains("; ") {
        return Stmt::Seq(text.split("; ").map(stmt).collect());
    }
    if let Some(names) = text.strip_prefix("havoc ") {
        return Stmt::Havoc(names.split(' ').map(var).collect());
    }
    if let Some(condition) = inside('[', ']') {
        return Stmt::Assume(term(condition));
    }
    if let Some(formula) = inside('{', '}') {
        let formula = term(formula);
        let written: VarSet =
            formula.vars().iter().filter(|var| var.version() == 1).map(|var| var.base()).collect();
        return Stmt::Relation { formula, written };
    }
    let assignment = |text: &str| {
        let (name, value) = text.split_once(" := ").expect("an assignment");
        (var(name), term(value))
    };
    Stmt::Assign(text.split(", ").map(assignment).collect())
}
