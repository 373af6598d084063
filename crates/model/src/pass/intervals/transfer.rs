//! What statements do to what is known.

use std::sync::atomic::{AtomicUsize, Ordering};

use lapidary_expr::{Op, Sort, Term, Var};
use rustc_hash::FxHashMap;

use super::abs::Abs;
use super::operators;
use super::state::State;
use crate::stmt::Stmt;
use lapidary_expr::interval::{GREATEST, LEAST, Range};

/// Larger terms have any value: they are walked by recursion, and as trees.
const LARGEST: u32 = 1000;
/// Conditions that are nested deeper say nothing.
const DEEPEST: u32 = 24;
/// Disjunctions of more parts say nothing.
const MOST_CASES: usize = 12;

/// The variables that are followed, and what the analysis has cost.
pub(in crate::pass) struct Transfer {
    pub(in crate::pass) vars: Vec<Var>,
    index: FxHashMap<Var, usize>,
    /// Terms evaluated and pieces of states copied. Atomic because whoever translates back may be in another thread; the
    /// analysis itself has one.
    work: AtomicUsize,
    /// Whether conditions on elements of arrays count until the end of their statement.
    follows_elements: bool,
}

impl Transfer {
    pub(in crate::pass) fn new(vars: &[Var]) -> Transfer {
        let is_followed = |var: &&Var| Abs::all(var.sort()) != Abs::Any;
        let vars: Vec<Var> = vars.iter().filter(is_followed).copied().collect();
        let index = vars.iter().enumerate().map(|(i, var)| (*var, i)).collect();
        Transfer { vars, index, work: AtomicUsize::new(0), follows_elements: false }
    }

    /// The same, with conditions on elements of arrays.
    pub(in crate::pass) fn with_elements(self) -> Transfer {
        Transfer { follows_elements: true, ..self }
    }

    pub(in crate::pass) fn restrict_element(&self, state: &mut State, term: Term, to: Abs) -> bool {
        let Some(met) = self.eval(term, state).meet(to) else { return false };
        if self.follows_elements {
            state.set_element(term, met);
        }
        true
    }

    /// Nothing is known.
    pub(in crate::pass) fn top(&self) -> State {
        State::new(&self.vars.iter().map(|var| Abs::all(var.sort())).collect::<Vec<_>>())
    }

    pub(in crate::pass) fn index(&self, var: Var) -> Option<usize> {
        self.index.get(&var).copied()
    }

    /// Terms evaluated and pieces of states copied so far.
    pub(in crate::pass) fn work(&self) -> usize {
        self.work.load(Ordering::Relaxed)
    }

    pub(in crate::pass) fn spend(&self, work: usize) {
        self.work.store(self.work() + work, Ordering::Relaxed);
    }

    fn copy(&self, state: &State) -> State {
        self.spend(state.n_pieces());
        state.clone()
    }

    /// What is known after a statement; none if it cannot be taken.
    pub(in crate::pass) fn post(&self, stmt: &Stmt, state: State) -> Option<State> {
        let mut state = self.after(stmt, state)?;
        state.forget_elements(|_| true);
        Some(state)
    }

    /// What is known after a part of a statement.
    pub(in crate::pass) fn after(&self, stmt: &Stmt, mut state: State) -> Option<State> {
        match stmt {
            Stmt::Assume(term) => self.assume(&mut state, *term).then_some(state),
            Stmt::Assign(assignments) => {
                let value =
                    |(var, term): &(Var, Term)| Some((self.index(*var)?, self.eval(*term, &state)));
                let values: Vec<(usize, Abs)> = assignments.iter().filter_map(value).collect();
                values.into_iter().for_each(|(var, value)| state.set(var, value));
                state.forget_elements(|var| assignments.iter().any(|(written, _)| *written == var));
                Some(state)
            }
            Stmt::Havoc(vars) => {
                vars.iter().for_each(|var| self.forget(&mut state, *var));
                state.forget_elements(|var| vars.contains(&var));
                Some(state)
            }
            Stmt::Relation { formula, written } => {
                if !self.assume(&mut state, *formula) {
                    return None;
                }
                let values: Vec<(Var, Abs)> = formula
                    .conjuncts()
                    .into_iter()
                    .filter_map(next_value)
                    .map(|(var, term)| (var, self.eval(term, &state)))
                    .collect();
                written.iter().for_each(|var| self.forget(&mut state, *var));
                state.forget_elements(|_| true);
                for (var, value) in values {
                    if let Some(i) = self.index(var) {
                        state.set(i, state.get(i).meet(value)?);
                    }
                }
                Some(state)
            }
            Stmt::Seq(parts) => parts.iter().try_fold(state, |state, part| self.after(part, state)),
            Stmt::Choice(parts) => {
                let after = parts.iter().filter_map(|part| self.after(part, self.copy(&state)));
                after.reduce(|mut joined, after| {
                    joined.join(&after);
                    joined
                })
            }
        }
    }

    /// Assumes a condition, twice if its parts can profit from each other.
    fn assume(&self, state: &mut State, term: Term) -> bool {
        self.refine(state, term, true, 0)
            && (!matches!(term.op(), Op::And) || self.refine(state, term, true, 0))
    }

    fn forget(&self, state: &mut State, var: Var) {
        if let Some(i) = self.index(var) {
            state.set(i, Abs::all(var.sort()));
        }
    }

    /// A set with all values of a term.
    pub(in crate::pass) fn eval(&self, term: Term, state: &State) -> Abs {
        if term.size() > LARGEST {
            return Abs::all(term.sort());
        }
        self.spend(1);
        match (term.op(), term.args()) {
            (Op::Lit(value), _) => Abs::of(value),
            (Op::Var(var), _) => match self.index(*var) {
                Some(i) => state.get(i),
                None => Abs::all(var.sort()),
            },
            (Op::Ite, [condition, then, otherwise]) => {
                match self.eval(*condition, state).as_truth() {
                    Some(true) => self.eval(*then, state),
                    Some(false) => self.eval(*otherwise, state),
                    None => self.branches(*condition, *then, *otherwise, state),
                }
            }
            (Op::Select, _) => state.element(term).unwrap_or_else(|| Abs::all(term.sort())),
            (Op::Store | Op::ConstArray(_) | Op::Apply(_), _) => Abs::all(term.sort()),
            (op, [only]) => operators::apply(op, term.sort(), &[self.eval(*only, state)]),
            (op, [left, right]) => {
                let args = [self.eval(*left, state), self.eval(*right, state)];
                operators::apply(op, term.sort(), &args)
            }
            (op, args) => {
                let args: Vec<Abs> = args.iter().map(|arg| self.eval(*arg, state)).collect();
                operators::apply(op, term.sort(), &args)
            }
        }
    }

    /// The values of both branches, each where its condition holds.
    fn branches(&self, condition: Term, then: Term, otherwise: Term, state: &State) -> Abs {
        let mut values =
            [(then, true), (otherwise, false)].into_iter().filter_map(|(term, truth)| {
                if term.as_lit().is_some() {
                    return Some(self.eval(term, state));
                }
                let mut case = self.copy(state);
                self.refine(&mut case, condition, truth, DEEPEST / 2)
                    .then(|| self.eval(term, &case))
            });
        let first = values.next();
        match (first, values.next()) {
            (Some(first), Some(second)) => first.join(second),
            (Some(only), None) => only,
            // Both are impossible only where the state is: say nothing.
            _ => Abs::all(then.sort()),
        }
    }

    /// Restricts the state to where the formula has this value; false if that is nowhere.
    pub(in crate::pass) fn refine(
        &self,
        state: &mut State,
        term: Term,
        truth: bool,
        depth: u32,
    ) -> bool {
        if depth >= DEEPEST {
            return true;
        }
        self.spend(1);
        match (term.op(), term.args()) {
            (Op::Not, [arg]) => self.refine(state, *arg, !truth, depth + 1),
            (Op::And, args) if truth => {
                args.iter().all(|arg| self.refine(state, *arg, true, depth + 1))
            }
            (Op::Or, args) if !truth => {
                args.iter().all(|arg| self.refine(state, *arg, false, depth + 1))
            }
            (Op::And | Op::Or, args) => self.refine_any(state, args, truth, depth + 1),
            (Op::Ite, [condition, then, otherwise]) => {
                let case = |holds: bool, branch: Term| {
                    let mut case = self.copy(state);
                    let is_possible = self.refine(&mut case, *condition, holds, depth + 1)
                        && self.refine(&mut case, branch, truth, depth + 1);
                    is_possible.then_some(case)
                };
                let cases = [case(true, *then), case(false, *otherwise)];
                replace_by_any(state, cases.into_iter().flatten())
            }
            (Op::Eq, [left, right]) if left.sort() == Sort::Bool => {
                let known = |term: Term| self.eval(term, state).as_truth();
                match (known(*left), known(*right)) {
                    (Some(left), _) => self.refine(state, *right, left == truth, depth + 1),
                    (_, Some(right)) => self.refine(state, *left, right == truth, depth + 1),
                    _ => true,
                }
            }
            (Op::Eq, [left, right]) => self.equal(state, *left, *right, truth, depth + 1),
            (Op::Le | Op::Lt | Op::BvUle | Op::BvUlt | Op::BvSle | Op::BvSlt, [left, right]) => {
                self.ordered(state, term.op(), [*left, *right], truth, depth + 1)
            }
            _ => self.restrict(state, term, Abs::truth(truth), depth + 1),
        }
    }

    /// At least one of the parts has this value.
    fn refine_any(&self, state: &mut State, parts: &[Term], truth: bool, depth: u32) -> bool {
        if parts.len() > MOST_CASES {
            return true;
        }
        let case = |part: &Term| {
            let mut case = self.copy(state);
            self.refine(&mut case, *part, truth, depth).then_some(case)
        };
        let cases: Vec<State> = parts.iter().filter_map(case).collect();
        replace_by_any(state, cases.into_iter())
    }

    fn equal(&self, state: &mut State, left: Term, right: Term, truth: bool, depth: u32) -> bool {
        let (a, b) = (self.eval(left, state), self.eval(right, state));
        if truth {
            let Some(both) = a.meet(b) else { return false };
            return self.restrict(state, left, both, depth)
                && self.restrict(state, right, both, depth);
        }
        let rest =
            |term: Term, of: Abs, without: Abs, state: &mut State| match excluding(of, without) {
                Some(rest) => rest == of || self.restrict(state, term, rest, depth),
                None => false,
            };
        rest(left, a, b, state) && rest(right, b, a, state)
    }

    fn ordered(
        &self,
        state: &mut State,
        op: &Op,
        args: [Term; 2],
        truth: bool,
        depth: u32,
    ) -> bool {
        let is_strict = matches!(op, Op::Lt | Op::BvUlt | Op::BvSlt) == truth;
        // `¬(a <= b)` is `b < a`.
        let [small, large] = if truth { args } else { [args[1], args[0]] };
        let (a, b) = (self.eval(small, state), self.eval(large, state));
        let is_signed = matches!(op, Op::BvSle | Op::BvSlt);
        let (Some(low), Some(high)) = (numbers(a, is_signed), numbers(b, is_signed)) else {
            return true;
        };
        let strict = i128::from(is_strict);
        let most = if high.hi == GREATEST { GREATEST } else { high.hi - strict };
        let least = if low.lo == LEAST { LEAST } else { low.lo + strict };
        let bounded = |of: Abs, range: Range, bound: Option<Range>| {
            with_numbers(of, is_signed, range.meet(bound?)?)
        };
        let small_rest = bounded(a, low, Range::new(LEAST, most, 1, 0));
        let large_rest = bounded(b, high, Range::new(least, GREATEST, 1, 0));
        let (Some(small_rest), Some(large_rest)) = (small_rest, large_rest) else { return false };
        (small_rest == a || self.restrict(state, small, small_rest, depth))
            && (large_rest == b || self.restrict(state, large, large_rest, depth))
    }
}

/// The state that allows what any of the cases allows; false if there is none.
pub(in crate::pass) fn replace_by_any(
    state: &mut State,
    mut cases: impl Iterator<Item = State>,
) -> bool {
    let Some(first) = cases.next() else { return false };
    *state = cases.fold(first, |mut joined, case| {
        joined.join(&case);
        joined
    });
    true
}

/// The numbers that comparisons look at.
fn numbers(of: Abs, is_signed: bool) -> Option<Range> {
    match of {
        Abs::Int(range) => Some(range),
        Abs::Bits(_, unsigned, signed) => Some(if is_signed { signed } else { unsigned }),
        Abs::Any | Abs::Truth(_) => None,
    }
}

/// The values with these numbers only.
fn with_numbers(of: Abs, is_signed: bool, range: Range) -> Option<Abs> {
    match of {
        Abs::Bits(width, unsigned, _) if is_signed => of.meet(Abs::Bits(width, unsigned, range)),
        Abs::Bits(width, _, signed) => of.meet(Abs::Bits(width, range, signed)),
        Abs::Int(_) => Some(Abs::Int(range)),
        Abs::Any | Abs::Truth(_) => Some(of),
    }
}

/// What is left of a set without the single value of another one.
fn excluding(of: Abs, other: Abs) -> Option<Abs> {
    match (of, other) {
        (Abs::Int(range), Abs::Int(other)) => match other.value() {
            Some(value) => range.without(value).map(Abs::Int),
            None => Some(of),
        },
        (Abs::Bits(width, unsigned, signed), Abs::Bits(_, a, b)) => match (a.value(), b.value()) {
            (Some(a), Some(b)) => {
                of.meet(Abs::Bits(width, unsigned.without(a)?, signed.without(b)?))
            }
            _ => Some(of),
        },
        _ => Some(of),
    }
}

/// The variable and the term of a conjunct `x' = e` of a relation, where `e` speaks of the state before.
fn next_value(conjunct: Term) -> Option<(Var, Term)> {
    let (Op::Eq, [left, right]) = (conjunct.op(), conjunct.args()) else { return None };
    let of = |var: Term, term: Term| {
        let var = var.as_var().filter(|var| var.version() == 1)?;
        term.vars().iter().all(|var| var.version() == 0).then_some((var.base(), term))
    };
    of(*left, *right).or_else(|| of(*right, *left))
}
