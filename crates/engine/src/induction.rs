//! k-induction: no error in the first k steps, and none after k steps without one.
//!
//! ```text
//! ¬bad(s₀) ∧ step(s₀, s₁) ∧ ¬bad(s₁) ∧ … ∧ step(sₖ₋₁, sₖ) ∧ bad(sₖ)    unsatisfiable
//! ```
//!
//! The states are any that the passes leave possible, not those that can be reached, which is why this may be shown
//! where all that can be reached would be hard to describe. [Bounded search](crate::bounded) looks at the first
//! steps.
//!
//! What `bad` leaves open, such as inputs, could be anything in `¬bad`: no choice leads to the error before the last
//! step. Two choices are asked for, those of the step that follows and those of the last step. The
//! [validator](lapidary_validate) makes the same ones, as long as statements leave a variable open only once; others are
//! not tried.

use lapidary_expr::{Term, Var, VarSet, Versions};
use lapidary_model::{Cfa, Edge, Loc, Proof, ProofState, Stmt, encode};
use lapidary_solver::{Backend, UnsatCore};
use rustc_hash::FxHashMap;

use crate::Result;

/// Longer inductions are tried for every fourth length only.
const SHORT: usize = 8;

/// The first number of variables that `bad` leaves open and the step does not touch, one for each state.
const UNTOUCHED: u32 = 1 << 30;

/// Whether proofs by induction can be about this automaton.
pub(crate) fn applies(cfa: &Cfa) -> bool {
    System::of(cfa).is_some()
}

/// What a system does.
struct System {
    /// Where it runs.
    run: Loc,
    step: Stmt,
    bad: Stmt,
    /// What `bad` leaves open, and whether the step does so, too.
    open: Vec<(Var, bool)>,
}

impl System {
    /// None if the automaton is not a system, or one whose statements leave too much open.
    fn of(cfa: &Cfa) -> Option<System> {
        let is_inner = |loc: &Loc| *loc != cfa.entry() && Some(*loc) != cfa.error();
        let run = cfa.locs().find(is_inner).filter(|_| cfa.is_system())?;
        // Bounded search counts steps from the entry: one edge, and it is not the error.
        let leads_elsewhere = |edge: &Edge| match edge.source {
            source if source == cfa.entry() => edge.target != run,
            source => source == run && edge.target == cfa.entry(),
        };
        if cfa.edges().any(|(_, edge)| leads_elsewhere(edge)) {
            return None;
        }
        let between = |source: Loc, target: Loc| {
            let edges = cfa.edges().map(|(_, edge)| edge);
            let edges = edges.filter(move |edge| (edge.source, edge.target) == (source, target));
            Stmt::Choice(edges.map(|edge| edge.stmt.clone()).collect())
        };
        let (step, bad) = (between(run, run), between(run, cfa.error()?));
        let init = Openings::of(&between(cfa.entry(), run));
        let (of_step, of_bad) = (Openings::of(&step), Openings::of(&bad));
        let open = of_bad.open.iter().map(|var| (*var, of_step.written.contains(var))).collect();
        let fit = of_step.fit(&of_bad) && !init.is_open_twice;
        fit.then_some(System { run, step, bad, open })
    }
}

/// The induction of a system, one step longer each time.
pub(crate) struct Induction {
    system: System,
    solver: Box<dyn UnsatCore>,
    /// The versions of the variables in each state, those of the last one at the end.
    states: Vec<Versions>,
}

impl Induction {
    /// None if it does not apply.
    pub(crate) fn new(cfa: &Cfa, backend: &dyn Backend) -> Option<Self> {
        let (system, solver) = (System::of(cfa)?, backend.solver());
        Some(Induction { system, solver, states: vec![Versions::new()] })
    }

    /// The proof, if no error can follow the steps so far; otherwise there is one more of them from now on.
    pub(crate) fn proof(&mut self, cfa: &Cfa) -> Result<Option<Proof>> {
        let length = self.states.len() - 1;
        let is_tried = length <= SHORT || length.is_multiple_of(4);
        if is_tried && !self.is_possible(length)? {
            let state = |loc| ProofState { loc, formula: true.into(), successors: Vec::new() };
            let states = vec![state(cfa.entry()), state(self.system.run)];
            return Ok(Some(Proof { induction: length, ..Proof::of(states) }));
        }
        let mut versions = self.states[length].clone();
        self.solver.assert(self.bad(length, length).not());
        self.solver.assert(encode(&self.system.step, &mut versions));
        self.states.push(versions);
        Ok(None)
    }

    /// Whether an error can follow so many steps.
    fn is_possible(&mut self, last: usize) -> Result<bool> {
        self.solver.push();
        for i in 0..last {
            let bad = self.bad(i, last);
            if bad != self.bad(i, i) {
                self.solver.assert(bad.not());
            }
        }
        self.solver.assert(self.bad(last, last));
        let is_possible = self.solver.is_sat();
        self.solver.pop();
        is_possible
    }

    /// That the error is a step away from a state, with what is open as in the step after another.
    fn bad(&self, state: usize, values: usize) -> Term {
        let [before, other] = [state, values].map(|i| &self.states[i]);
        let mut new: FxHashMap<Var, Term> = FxHashMap::default();
        for (var, is_touched) in &self.system.open {
            let opened = |versions: &Versions| var.at(versions.current(*var).version() + 1);
            let value = match is_touched {
                true => opened(other),
                false => var.at(UNTOUCHED + values as u32),
            };
            new.insert(opened(before), value.into());
        }
        let bad = encode(&self.system.bad, &mut before.clone());
        bad.map_vars(&|var| new.get(&var).copied())
    }
}

/// What a statement leaves open.
#[derive(Default)]
struct Openings {
    /// All that it may write.
    written: VarSet,
    /// All that it may leave open.
    open: VarSet,
    /// What it leaves open once and does not write otherwise, whichever way it goes.
    once: VarSet,
    /// Some way through it leaves a variable open twice.
    is_open_twice: bool,
}

impl Openings {
    fn of(stmt: &Stmt) -> Openings {
        let all = |parts: &[Stmt]| parts.iter().map(Openings::of).collect::<Vec<_>>();
        match stmt {
            Stmt::Assume(_) => Openings::default(),
            Stmt::Assign(_) => Openings { written: stmt.written(), ..Openings::default() },
            Stmt::Havoc(_) | Stmt::Relation { .. } => {
                let open = stmt.written();
                let (written, once) = (open.clone(), open.clone());
                Openings { written, open, once, is_open_twice: false }
            }
            Stmt::Seq(parts) => {
                all(parts).into_iter().reduce(|a, b| a.followed_by(&b)).unwrap_or_default()
            }
            Stmt::Choice(parts) => {
                all(parts).into_iter().reduce(|a, b| a.or(&b)).unwrap_or_default()
            }
        }
    }

    fn followed_by(&self, next: &Openings) -> Openings {
        let is_open_twice =
            self.is_open_twice || next.is_open_twice || !self.open.is_disjoint(&next.open);
        let once = &(&self.once - &next.written) | &(&next.once - &self.written);
        let (written, open) = (&self.written | &next.written, &self.open | &next.open);
        Openings { written, open, once, is_open_twice }
    }

    fn or(&self, other: &Openings) -> Openings {
        Openings {
            written: &self.written | &other.written,
            open: &self.open | &other.open,
            once: &self.once & &other.once,
            is_open_twice: self.is_open_twice || other.is_open_twice,
        }
    }

    /// Whether what `bad` leaves open is what this step leaves open, or nothing that it touches.
    fn fit(&self, bad: &Openings) -> bool {
        let touched = &bad.open & &self.written;
        touched.is_subset(&self.once) && !self.is_open_twice && !bad.is_open_twice
    }
}
