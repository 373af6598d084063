//! Random automata that are small enough to try everything.

use lapidary_expr::{Sort, Term, Valuation, Value, Var};
use lapidary_model::{Cfa, CfaBuilder, Loc, Proof, ProofState, StateId, Stmt};

/// A generator of numbers (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}

/// The variables: a truth value and two bit-vectors.
pub(crate) fn vars() -> [Var; 3] {
    [Var::new("b", Sort::Bool), Var::new("x", Sort::Bv(2)), Var::new("y", Sort::Bv(2))]
}

fn values(var: Var) -> Vec<Value> {
    match var.sort() {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        _ => (0..4).filter_map(|bits| Term::bv(2, bits).as_lit().cloned()).collect(),
    }
}

/// Each way to give values to `vars` and leave the rest as in `state`.
fn choices(state: &Valuation, vars: &[Var]) -> Vec<Valuation> {
    vars.iter().fold(vec![state.clone()], |states, var| {
        let with = |state: &Valuation, value| {
            let mut state = state.clone();
            state.set(*var, value);
            state
        };
        states
            .iter()
            .flat_map(|state| values(*var).into_iter().map(move |value| with(state, value)))
            .collect()
    })
}

pub(crate) fn all_states() -> Vec<Valuation> {
    choices(&Valuation::new(), &vars())
}

/// The states after a statement.
pub(crate) fn successors(stmt: &Stmt, state: &Valuation) -> Vec<Valuation> {
    let holds = |formula: &Term, state: &Valuation| formula.holds(state).expect("all values");
    match stmt {
        Stmt::Assume(condition) if holds(condition, state) => vec![state.clone()],
        Stmt::Assume(_) => Vec::new(),
        Stmt::Assign(assignments) => {
            let mut next = state.clone();
            for (var, term) in assignments {
                next.set(*var, term.eval(state).expect("all values"));
            }
            vec![next]
        }
        Stmt::Havoc(vars) => choices(state, vars),
        Stmt::Seq(parts) => parts.iter().fold(vec![state.clone()], |states, part| {
            states.iter().flat_map(|state| successors(part, state)).collect()
        }),
        Stmt::Choice(parts) => parts.iter().flat_map(|part| successors(part, state)).collect(),
        Stmt::Relation { formula, written } => {
            let written: Vec<Var> = written.iter().copied().collect();
            let primed: Vec<Var> = written.iter().map(|var| var.primed()).collect();
            let mut next = choices(state, &primed);
            next.retain(|both| holds(formula, both));
            for both in &mut next {
                for var in &written {
                    let value = both.get(var.primed()).expect("it was chosen").clone();
                    both.set(*var, value);
                    both.forget(var.primed());
                }
            }
            next
        }
    }
}

/// The states in which each location can be reached.
pub(crate) fn reachable(cfa: &Cfa) -> Vec<Vec<Valuation>> {
    let mut reached: Vec<Vec<Valuation>> = vec![Vec::new(); cfa.n_locs()];
    let mut pending: Vec<_> = all_states().into_iter().map(|state| (cfa.entry(), state)).collect();
    while let Some((loc, state)) = pending.pop() {
        let known = &mut reached[loc.0 as usize];
        if known.contains(&state) {
            continue;
        }
        known.push(state.clone());
        for edge in cfa.outgoing(loc).iter().map(|edge| cfa.edge(*edge)) {
            let next = successors(&edge.stmt, &state);
            pending.extend(next.into_iter().map(|state| (edge.target, state)));
        }
    }
    reached
}

/// Whether a proof whose states break every cycle shows the automaton safe, by trying all values. It says
/// more than it has to where the error location cannot be reached, so each location must be able to.
pub(crate) fn is_proof(cfa: &Cfa, proof: &Proof) -> bool {
    let is_cut = |loc: Loc| proof.states.iter().any(|state| state.loc == loc);
    let holds = |loc: Loc, values: &Valuation| {
        let mut states = proof.states.iter().filter(|state| state.loc == loc);
        states.any(|state| state.formula.holds(values) == Some(true))
    };
    let ends_well = |start: Loc, values: &Valuation| {
        let mut pending = vec![(start, values.clone())];
        while let Some((loc, values)) = pending.pop() {
            for edge in cfa.outgoing(loc).iter().map(|edge| cfa.edge(*edge)) {
                for next in successors(&edge.stmt, &values) {
                    let is_bad = Some(edge.target) == cfa.error();
                    if is_bad || is_cut(edge.target) && !holds(edge.target, &next) {
                        return false;
                    }
                    if !is_cut(edge.target) {
                        pending.push((edge.target, next));
                    }
                }
            }
        }
        true
    };
    let all = all_states();
    let states = |loc: Loc| all.iter().filter(move |values| holds(loc, values));
    states(cfa.entry()).count() == all.len()
        && cfa
            .locs()
            .filter(|loc| is_cut(*loc))
            .all(|loc| states(loc).all(|values| ends_well(loc, values)))
}

impl Random {
    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// A bit-vector over the variables, primed where `primes` has them.
    fn bits(&mut self, primes: &[Var]) -> Term {
        let [_, x, y] = vars();
        match self.below(6) {
            0 => Term::bv(2, self.below(4)),
            1 => Term::app(lapidary_expr::Op::BvAdd, vec![self.bits(primes), self.bits(primes)])
                .expect("bits of one width"),
            _ => {
                let var = self.pick(&[x, y]);
                let is_primed = primes.contains(&var) && self.below(2) == 0;
                if is_primed { var.primed() } else { var }.into()
            }
        }
    }

    pub(crate) fn formula(&mut self, primes: &[Var]) -> Term {
        let [b, ..] = vars();
        match self.below(8) {
            0 => Term::and([self.formula(primes), self.formula(primes)]),
            1 => Term::or([self.formula(primes), self.formula(primes)]),
            2 => self.formula(primes).not(),
            3 if primes.contains(&b) => b.primed().into(),
            3 | 4 => b.into(),
            5 => Term::app(lapidary_expr::Op::BvUlt, vec![self.bits(primes), self.bits(primes)])
                .expect("bits of one width"),
            _ => self.bits(primes).equals(self.bits(primes)),
        }
    }

    fn stmt(&mut self, depth: usize) -> Stmt {
        let [b, x, y] = vars();
        match self.below(if depth == 0 { 8 } else { 12 }) {
            0..3 => Stmt::Assume(self.formula(&[])),
            3 => Stmt::assign(b, self.formula(&[])),
            4 => Stmt::assign(self.pick(&[x, y]), self.bits(&[])),
            5 => {
                Stmt::Assign(vec![(x, self.bits(&[])), (y, self.bits(&[])), (b, self.formula(&[]))])
            }
            6 => Stmt::Havoc(vec![self.pick(&[b, x, y])]),
            7 => {
                let written = [self.pick(&[b, x]), y];
                let formula = self.formula(&written);
                Stmt::Relation { formula, written: written.into() }
            }
            8..10 => Stmt::Choice((0..self.below(4)).map(|_| self.stmt(depth - 1)).collect()),
            _ => Stmt::Seq((0..self.below(4)).map(|_| self.stmt(depth - 1)).collect()),
        }
    }

    /// A statement; one that leads to the error location is often not passed.
    pub(crate) fn edge(&mut self, to_error: bool) -> Stmt {
        let guards = if to_error { 1 + self.below(4) } else { 0 };
        let guards: Vec<Stmt> = (0..guards).map(|_| Stmt::Assume(self.formula(&[]))).collect();
        Stmt::Seq(std::iter::once(self.stmt(2)).chain(guards).collect())
    }

    /// An automaton in which every location can reach the error location in the graph.
    pub(crate) fn cfa(&mut self) -> Cfa {
        let mut builder = CfaBuilder::new("random", "l0");
        builder.vars(&vars());
        let n_locs = 2 + self.below(4);
        let locs: Vec<Loc> =
            (0..n_locs).map(|i| if i == 0 { builder.entry() } else { builder.loc("l") }).collect();
        let error = locs[n_locs - 1];
        builder.error(error);
        for i in 0..n_locs - 1 {
            let target = locs[i + 1 + self.below(n_locs - 1 - i)];
            builder.edge(locs[i], self.edge(target == error), target, None);
        }
        for _ in 0..self.below(5) {
            let source = self.pick(&locs[..n_locs - 1]);
            let target = self.pick(&locs);
            builder.edge(source, self.edge(target == error), target, None);
        }
        builder.build().expect("an automaton")
    }

    /// Cut points that break every cycle: the entry, where edges lead back to, and some others.
    pub(crate) fn cut_points(&mut self, cfa: &Cfa) -> Vec<Loc> {
        let leads_back =
            |loc: Loc| cfa.incoming(loc).iter().any(|edge| cfa.edge(*edge).source >= loc);
        let mut is_cut = |loc: &Loc| *loc == cfa.entry() || leads_back(*loc) || self.below(2) == 0;
        let locs: Vec<Loc> = cfa.locs().filter(|loc| Some(*loc) != cfa.error()).collect();
        locs.into_iter().filter(|loc| is_cut(loc)).collect()
    }

    /// Up to a few hints, right or wrong.
    pub(crate) fn add_hints(&mut self, proof: &mut Proof) {
        let n_states = proof.states.len() + 1;
        for state in &mut proof.states {
            state.successors =
                (0..self.below(4)).map(|_| StateId(self.below(n_states) as u32)).collect();
        }
    }
}

/// A state without hints.
pub(crate) fn state(loc: Loc, formula: Term) -> ProofState {
    ProofState { loc, formula, successors: Vec::new() }
}
