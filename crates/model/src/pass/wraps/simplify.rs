//! Edges without the wrap-around and the checks that a state decides.

use lapidary_expr::interval::{GREATEST, LEAST};
use lapidary_expr::{Op, Sort, Term, Value, VarSet};
use rustc_hash::FxHashMap;

use crate::cfa::{Cfa, Edge, EdgeId, Loc};
use crate::pass::intervals::{Abs, State, Transfer};
use crate::stmt::Stmt;

/// Larger terms stay as they are.
const LARGEST: u32 = 1000;

/// Knows in which terms there is something to remove.
pub(super) struct Simplifier {
    has_candidate: FxHashMap<Term, bool>,
}

/// What becomes of the edges that leave a location.
pub(super) struct Outcome {
    /// The edges that change; none for those that are removed.
    pub(super) edges: Vec<(EdgeId, Option<Stmt>)>,
    /// The variables of what was decided.
    pub(super) used: VarSet,
}

impl Simplifier {
    pub(super) fn new(cfa: &Cfa) -> Simplifier {
        let mut simplifier = Simplifier { has_candidate: FxHashMap::default() };
        for (_, edge) in cfa.edges() {
            edge.stmt.for_each_term(&mut |term| {
                simplifier.look(term);
            });
        }
        simplifier
    }

    fn look(&mut self, term: Term) -> bool {
        if term.args().is_empty() || term.size() > LARGEST {
            return false;
        }
        if let Some(known) = self.has_candidate.get(&term) {
            return *known;
        }
        let mut has = is_candidate(term);
        for arg in term.args() {
            has |= self.look(*arg);
        }
        self.has_candidate.insert(term, has);
        has
    }

    /// Whether a part of the term may be simplified. Terms that were not in the automaton may be, too.
    pub(super) fn has_candidate(&self, term: Term) -> bool {
        if term.args().is_empty() || term.size() > LARGEST {
            return false;
        }
        self.has_candidate.get(&term).copied().unwrap_or(true)
    }

    /// What becomes of the edges that leave a location where `state` is known; none if all stay as they are.
    pub(super) fn leaving(
        &self,
        cfa: &Cfa,
        loc: Loc,
        transfer: &Transfer,
        state: &State,
    ) -> Option<Outcome> {
        let edges = || cfa.outgoing(loc).iter().map(|id| (*id, cfa.edge(*id)));
        let mut outcome = Outcome { edges: Vec::new(), used: VarSet::new() };
        // What the removed checks ask for is assumed on the edges beside them.
        let mut needs = Vec::new();
        for (id, edge) in edges().filter(|(_, edge)| Some(edge.target) == cfa.error()) {
            if transfer.post(&edge.stmt, state.clone()).is_none() {
                outcome.used.extend(edge.stmt.read());
                outcome.edges.push((id, None));
                needs.extend(checked(edge));
            }
        }
        for (id, edge) in edges() {
            if outcome.edges.iter().any(|(removed, _)| *removed == id) {
                continue;
            }
            let mut work = Work { simplifier: self, transfer, needs: &needs, used: VarSet::new() };
            let (stmt, _) = work.stmt(&edge.stmt, Some(state.clone()));
            if stmt != edge.stmt {
                if edge.stmt.written().iter().any(|var| work.used.contains(var)) {
                    work.used.extend(edge.stmt.read());
                }
                outcome.used.extend(work.used);
                outcome.edges.push((id, Some(stmt)));
            }
        }
        (!outcome.edges.is_empty()).then_some(outcome)
    }
}

/// What holds where the last condition of an edge does not.
fn checked(edge: &Edge) -> Vec<Term> {
    let last = match &edge.stmt {
        Stmt::Seq(parts) => parts.last(),
        stmt => Some(stmt),
    };
    match last {
        Some(Stmt::Assume(condition)) => condition.not().conjuncts(),
        _ => Vec::new(),
    }
}

/// Whether a term has a form that may be superfluous, whatever its arguments are.
fn is_candidate(term: Term) -> bool {
    match (term.op(), term.args()) {
        (Op::Mod, [_, divisor]) => divisor.as_int().is_some(),
        (Op::Rem, _) => true,
        (Op::Ite, [condition, then, otherwise]) => is_wrap(*condition, *then, *otherwise),
        (Op::BvAnd, args) => args.iter().any(|arg| mask(*arg).is_some()),
        (Op::Or, args) => is_quotient_check(args),
        _ => false,
    }
}

/// Whether the branches of a choice differ by a number, or are the quotients of a number and of its opposite.
fn is_wrap(condition: Term, then: Term, otherwise: Term) -> bool {
    let is_order = matches!(condition.op(), Op::Le | Op::Lt);
    is_order
        && then.sort() == Sort::Int
        && (*then.op() == Op::Div || then.minus(otherwise).as_int().is_some())
}

/// `x != c or y != d`: the one quotient that is too large.
fn is_quotient_check(args: &[Term]) -> bool {
    let is_different = |arg: &Term| {
        let (Op::Not, [equality]) = (arg.op(), arg.args()) else { return false };
        *equality.op() == Op::Eq && equality.args().iter().any(|side| side.as_lit().is_some())
    };
    args.len() == 2 && args.iter().all(is_different)
}

/// The number, if the ones of a bit-vector are at its low end.
fn mask(term: Term) -> Option<i128> {
    let Some(Value::Bv(bits)) = term.as_lit() else { return None };
    let number = i128::try_from(bits.unsigned()).ok().filter(|_| bits.width() <= 64)?;
    (number & (number + 1) == 0).then_some(number)
}

/// The walk through one edge.
struct Work<'a> {
    simplifier: &'a Simplifier,
    transfer: &'a Transfer,
    /// Conditions that are left out where they hold.
    needs: &'a [Term],
    used: VarSet,
}

impl Work<'_> {
    /// The statement, and what is known after it; nothing is changed where control never gets.
    fn stmt(&mut self, stmt: &Stmt, state: Option<State>) -> (Stmt, Option<State>) {
        let Some(state) = state else { return (stmt.clone(), None) };
        let new = match stmt {
            Stmt::Assume(term) => Stmt::Assume(self.condition(*term, &state)),
            Stmt::Assign(assignments) => {
                let new = |(var, term): &(_, Term)| (*var, self.term(*term, &state));
                Stmt::Assign(assignments.iter().map(new).collect())
            }
            Stmt::Havoc(_) | Stmt::Relation { .. } => stmt.clone(),
            Stmt::Seq(parts) => return self.parts(parts, state),
            Stmt::Choice(parts) => {
                let branch = |part| self.stmt(part, Some(state.clone())).0;
                Stmt::Choice(parts.iter().map(branch).collect())
            }
        };
        (new, self.transfer.after(stmt, state))
    }

    fn parts(&mut self, parts: &[Stmt], state: State) -> (Stmt, Option<State>) {
        let (mut new, mut state) = (Vec::with_capacity(parts.len()), Some(state));
        for part in parts {
            let (simpler, after) = self.stmt(part, state);
            state = after;
            let is_idle = matches!(&simpler, Stmt::Assume(term) if term.is_true());
            if !is_idle || simpler == *part {
                new.push(simpler);
            }
        }
        let is_changed = new != parts;
        (if is_changed { Stmt::seq(new) } else { Stmt::Seq(new) }, state)
    }

    /// A condition without the checks that hold.
    fn condition(&mut self, term: Term, state: &State) -> Term {
        let mut kept = Vec::new();
        for part in term.conjuncts() {
            let is_check = self.needs.contains(&part)
                || *part.op() == Op::Or && is_quotient_check(part.args());
            if is_check && self.transfer.eval(part, state).as_truth() == Some(true) {
                self.used.extend(part.vars());
            } else {
                kept.push(self.term(part, state));
            }
        }
        Term::and(kept)
    }

    /// A term without the wrap-around that does not happen.
    fn term(&mut self, term: Term, state: &State) -> Term {
        if !self.simplifier.has_candidate(term) {
            return term;
        }
        if let Some(simpler) = self.decided(term, state) {
            return self.term(simpler, state);
        }
        let args: Vec<Term> = term.args().iter().map(|arg| self.term(*arg, state)).collect();
        if args == term.args() {
            return term;
        }
        Term::app(term.op().clone(), args).unwrap_or(term)
    }

    /// The value of the term, if the state decides it.
    fn decided(&mut self, term: Term, state: &State) -> Option<Term> {
        let simpler = match (term.op(), term.args()) {
            (Op::Ite, [condition, then, otherwise]) if is_wrap(*condition, *then, *otherwise) => {
                let truth = self.transfer.eval(*condition, state).as_truth()?;
                self.used.extend(condition.vars());
                return Some(if truth { *then } else { *otherwise });
            }
            (Op::Mod, [of, divisor]) => self.remainder(*of, *divisor, state)?,
            (Op::Rem, [of, divisor]) => {
                let Abs::Int(range) = self.transfer.eval(*of, state) else { return None };
                let is_positive = range.lo >= 0;
                is_positive.then(|| Term::app(Op::Mod, vec![*of, *divisor]).ok()).flatten()?
            }
            (Op::BvAnd, [left, right]) => {
                let (of, mask) = match (mask(*left), mask(*right)) {
                    (_, Some(mask)) => (*left, mask),
                    (Some(mask), None) => (*right, mask),
                    _ => return None,
                };
                let Abs::Bits(_, unsigned, _) = self.transfer.eval(of, state) else { return None };
                (unsigned.hi <= mask).then_some(of)?
            }
            _ => return None,
        };
        self.used.extend(term.vars());
        Some(simpler)
    }

    /// The remainder of numbers that are all in one period.
    fn remainder(&self, of: Term, divisor: Term, state: &State) -> Option<Term> {
        let divisor = i128::try_from(divisor.as_int()?).ok().filter(|divisor| *divisor > 0)?;
        let Abs::Int(range) = self.transfer.eval(of, state) else { return None };
        if range.lo == LEAST || range.hi == GREATEST {
            return None;
        }
        let period = range.lo.div_euclid(divisor);
        let is_single = period == range.hi.div_euclid(divisor);
        is_single.then(|| of.minus(Term::int(period * divisor)))
    }
}
