//! Affine equations at each location, by Karr's analysis on top of what is known about single variables.

use std::collections::{BTreeMap, BTreeSet};

use lapidary_expr::{Op, Sort, Term, Var};

use super::affine::{Affine, Row};
use crate::cfa::Cfa;
use crate::pass::intervals::{Abs, State, States, Transfer, reverse_postorder};
use crate::stmt::Stmt;
use lapidary_expr::interval::Range;

/// So many variables are related at most.
const MOST_VARS: usize = 16;
/// The analysis says nothing if it takes more steps than this (see [`Transfer::work`]).
const MOST_WORK: usize = 300_000;
/// Terms of larger size are not looked into.
const LARGEST: u32 = 200;

/// The equations between some variables at each location; none where control never gets.
pub(super) struct Equations {
    pub(super) vars: Vec<Var>,
    pub(super) states: Vec<Option<Affine>>,
}

/// Both kinds of knowledge.
type Both = (State, Affine);

impl Equations {
    /// The equations that hold where `states` do; none if there is nothing to relate or that would take too long.
    pub(super) fn analyze(cfa: &Cfa, transfer: &Transfer, states: &States) -> Option<Equations> {
        let vars = related(cfa);
        if vars.len() < 2 {
            return None;
        }
        let analysis = Analysis { transfer, vars };
        let found = analysis.run(cfa, states)?;
        analysis
            .is_inductive(cfa, states, &found)
            .then_some(Equations { vars: analysis.vars, states: found })
    }

    /// The equations at a location as formulas, but for those that the bounds of single variables imply.
    pub(super) fn facts(&self, loc: usize, transfer: &Transfer, state: &State) -> Vec<Term> {
        let Some(affine) = &self.states[loc] else { return vec![false.into()] };
        let is_known =
            |var: Var| transfer.index(var).is_some_and(|i| state.get(i).value().is_some());
        let is_new = |row: &&Row| {
            self.vars.iter().zip(*row).any(|(var, factor)| *factor != 0 && !is_known(*var))
        };
        affine.rows().iter().filter(is_new).map(|row| self.fact(row)).collect()
    }

    /// What the equations at a location say about single variables in addition.
    pub(super) fn tightened(&self, loc: usize, transfer: &Transfer, state: &State) -> State {
        let affine = self.states[loc].as_ref();
        let tight = affine.and_then(|affine| tightened(&self.vars, transfer, state, affine));
        tight.unwrap_or_else(|| state.clone())
    }

    fn fact(&self, row: &Row) -> Term {
        let side = |sign: i128| {
            let monomials = self.vars.iter().zip(row).filter(|(_, c)| **c * sign > 0);
            let terms = monomials.map(|(var, c)| Term::int(*c * sign).times((*var).into()));
            terms.reduce(Term::plus).unwrap_or(Term::int(0))
        };
        side(1).equals(side(-1).plus(Term::int(row[self.vars.len()])))
    }
}

/// The integers in assignments of linear terms, those that occur most often.
fn related(cfa: &Cfa) -> Vec<Var> {
    fn collect(stmt: &Stmt, counts: &mut BTreeMap<Var, usize>) {
        match stmt {
            Stmt::Assign(assignments) => {
                let is_sum = |var: Var, term: Term| {
                    var.sort() == Sort::Int
                        && matches!(term.op(), Op::Add | Op::Mul | Op::Var(_) | Op::Ite)
                };
                for (var, term) in assignments.iter().filter(|(var, term)| is_sum(*var, *term)) {
                    let vars = term.vars().iter().filter(|var| var.sort() == Sort::Int);
                    let vars: Vec<&Var> = vars.collect();
                    if !vars.is_empty() && term.size() <= LARGEST {
                        vars.into_iter()
                            .chain([var])
                            .for_each(|var| *counts.entry(*var).or_default() += 1);
                    }
                }
            }
            Stmt::Seq(parts) | Stmt::Choice(parts) => {
                parts.iter().for_each(|part| collect(part, counts));
            }
            Stmt::Assume(_) | Stmt::Havoc(_) | Stmt::Relation { .. } => {}
        }
    }
    let mut counts = BTreeMap::new();
    cfa.edges().for_each(|(_, edge)| collect(&edge.stmt, &mut counts));
    let mut vars: Vec<Var> =
        cfa.vars().iter().copied().filter(|var| counts.contains_key(var)).collect();
    vars.sort_by_key(|var| std::cmp::Reverse(counts[var]));
    vars.truncate(MOST_VARS);
    vars
}

/// The state with the bounds that follow from equations: of each variable in one, given those of the others. None if
/// they contradict each other.
fn tightened(vars: &[Var], transfer: &Transfer, state: &State, affine: &Affine) -> Option<State> {
    let mut state = state.clone();
    let range = |state: &State, i: usize| match transfer.index(vars[i]).map(|var| state.get(var)) {
        Some(Abs::Int(range)) => range,
        _ => Range::ALL,
    };
    for row in affine.rows() {
        let used: Vec<usize> = (0..vars.len()).filter(|i| row[*i] != 0).collect();
        transfer.spend(used.len());
        for i in &used {
            let others = used.iter().filter(|j| *j != i);
            let rest = others.fold(Range::single(row[vars.len()]), |rest, j| {
                rest.minus(range(&state, *j).times(Range::single(row[*j])))
            });
            if let Some(var) = transfer.index(vars[*i]) {
                let own = Abs::Int(rest.divided_exactly(row[*i])?);
                state.set(var, state.get(var).meet(own)?);
            }
        }
    }
    Some(state)
}

struct Analysis<'a> {
    transfer: &'a Transfer,
    vars: Vec<Var>,
}

impl Analysis<'_> {
    /// No chain of ever fewer equations is longer than the number of variables, so there is no widening.
    fn run(&self, cfa: &Cfa, states: &States) -> Option<Vec<Option<Affine>>> {
        let start = self.transfer.work();
        let order = reverse_postorder(cfa);
        let mut place = vec![0; cfa.n_locs()];
        order.iter().enumerate().for_each(|(i, loc)| place[loc.0 as usize] = i);
        let mut found: Vec<Option<Affine>> = vec![None; cfa.n_locs()];
        found[cfa.entry().0 as usize] = Some(Affine::all(self.vars.len()));
        let mut pending = BTreeSet::from([0]);
        while let Some(first) = pending.pop_first() {
            let loc = order[first].0 as usize;
            let (Some(state), Some(affine)) = (&states[loc], found[loc].clone()) else { continue };
            for edge in cfa.outgoing(order[first]).iter().map(|edge| cfa.edge(*edge)) {
                self.transfer.spend(1 + state.n_pieces() / 4 + 2 * affine.rows().len());
                let after = self.post(&edge.stmt, (state.clone(), affine.clone()));
                let Some((_, after)) = after else { continue };
                let target = edge.target.0 as usize;
                let joined = match &found[target] {
                    None => after,
                    Some(known) if after.is_subset(known) => continue,
                    Some(known) => {
                        self.transfer.spend(40 * (after.rows().len() + known.rows().len()));
                        let joined = known.join(&after);
                        // Numbers that are too large could make it think that something new has come up.
                        if joined.rows().len() == known.rows().len() {
                            continue;
                        }
                        joined
                    }
                };
                found[target] = Some(joined);
                pending.insert(place[target]);
            }
            if self.transfer.work() > start + MOST_WORK {
                return None;
            }
        }
        Some(found)
    }

    fn is_inductive(&self, cfa: &Cfa, states: &States, found: &[Option<Affine>]) -> bool {
        cfa.edges().all(|(_, edge)| {
            let [source, target] = [edge.source, edge.target].map(|loc| loc.0 as usize);
            let (Some(state), Some(affine)) = (&states[source], &found[source]) else {
                return true;
            };
            match self.post(&edge.stmt, (state.clone(), affine.clone())) {
                None => true,
                Some((_, after)) => {
                    found[target].as_ref().is_some_and(|known| after.is_subset(known))
                }
            }
        })
    }

    /// What is known after a statement; none if it cannot be taken.
    fn post(&self, stmt: &Stmt, (state, mut affine): Both) -> Option<Both> {
        let state = match stmt {
            Stmt::Assign(_) => tightened(&self.vars, self.transfer, &state, &affine)?,
            _ => state,
        };
        match stmt {
            Stmt::Assume(term) => {
                self.assume(*term, &state, &mut affine).then_some(())?;
            }
            Stmt::Assign(assignments) => self.assign(assignments, &state, &mut affine),
            Stmt::Havoc(vars) => vars.iter().for_each(|var| self.forget(*var, &mut affine)),
            Stmt::Relation { written, .. } => {
                written.iter().for_each(|var| self.forget(*var, &mut affine));
            }
            Stmt::Seq(parts) => {
                return parts.iter().try_fold((state, affine), |both, part| self.post(part, both));
            }
            Stmt::Choice(parts) => {
                let after = parts
                    .iter()
                    .filter_map(|part| self.post(part, (state.clone(), affine.clone())));
                return after.reduce(|(mut state, affine), (other, more)| {
                    state.join(&other);
                    (state, affine.join(&more))
                });
            }
        }
        Some((self.transfer.post(stmt, state)?, affine))
    }

    fn index(&self, var: Var) -> Option<usize> {
        self.vars.iter().position(|v| *v == var)
    }

    fn forget(&self, var: Var, affine: &mut Affine) {
        if let Some(i) = self.index(var) {
            affine.forget(i);
        }
    }

    /// Equations among the conjuncts; false if they contradict what is known.
    fn assume(&self, term: Term, state: &State, affine: &mut Affine) -> bool {
        match (term.op(), term.args()) {
            (Op::And, args) => args.iter().all(|arg| self.assume(*arg, state, affine)),
            (Op::Eq, args) => self.equation(args, state).is_none_or(|row| affine.add(row)),
            (Op::Not, [arg]) if *arg.op() == Op::Eq => {
                self.equation(arg.args(), state).is_none_or(|row| !affine.implies(&row))
            }
            _ => true,
        }
    }

    /// The equation of two sides, if they are linear.
    fn equation(&self, sides: &[Term], state: &State) -> Option<Row> {
        let [left, right] = sides else { return None };
        if left.sort() != Sort::Int {
            return None;
        }
        let (left, right) = (self.linear(*left, state)?, self.linear(*right, state)?);
        let mut row: Row = left.iter().zip(&right).map(|(a, b)| a - b).collect();
        row[self.vars.len()] = -row[self.vars.len()];
        Some(row)
    }

    /// Assignments at once, one after the other where none reads what another one writes.
    fn assign(&self, assignments: &[(Var, Term)], state: &State, affine: &mut Affine) {
        let value =
            |(var, term): &(Var, Term)| Some((self.index(*var)?, self.linear(*term, state)));
        let values: Vec<(usize, Option<Row>)> = assignments.iter().filter_map(value).collect();
        let reads_written = |(i, value): &(usize, Option<Row>)| {
            let is_read = |j: usize| value.as_ref().is_some_and(|row| row[j] != 0);
            values.iter().any(|(j, _)| j != i && is_read(*j))
        };
        let is_entangled = values.iter().any(reads_written);
        for (var, value) in &values {
            match value {
                Some(row) if !is_entangled => affine.assign(*var, row),
                _ => affine.forget(*var),
            }
        }
    }

    /// The term as coefficients and a constant, if it is linear where `state` holds.
    fn linear(&self, term: Term, state: &State) -> Option<Row> {
        if term.size() > LARGEST {
            return None;
        }
        let n = self.vars.len();
        let constant = |value: i128| {
            let mut row = vec![0; n + 1];
            row[n] = value;
            row
        };
        match (term.op(), term.args()) {
            (Op::Var(var), _) => match self.index(*var) {
                Some(i) => {
                    let mut row = vec![0; n + 1];
                    row[i] = 1;
                    Some(row)
                }
                None => self.value(term, state).map(constant),
            },
            (Op::Add, args) => {
                let rows =
                    args.iter().map(|arg| self.linear(*arg, state)).collect::<Option<Vec<_>>>()?;
                let sum = |a: Row, b: Row| {
                    a.iter().zip(&b).map(|(a, b)| small(a.checked_add(*b)?)).collect()
                };
                rows.into_iter().map(Some).reduce(|a, b| sum(a?, b?))?
            }
            (Op::Mul, [factor, arg]) => {
                let factor = self.value(*factor, state)?;
                let row = self.linear(*arg, state)?;
                row.into_iter().map(|c| small(c.checked_mul(factor)?)).collect()
            }
            (Op::Ite, [condition, then, otherwise]) => {
                let truth = self.transfer.eval(*condition, state).as_truth()?;
                self.linear(if truth { *then } else { *otherwise }, state)
            }
            _ => self.value(term, state).map(constant),
        }
    }

    fn value(&self, term: Term, state: &State) -> Option<i128> {
        match self.transfer.eval(term, state) {
            Abs::Int(range) => range.value().and_then(small),
            _ => None,
        }
    }
}

/// Numbers of a size that differences and products of two of them do not overflow.
fn small(number: i128) -> Option<i128> {
    (number.abs() < 1 << 60).then_some(number)
}
