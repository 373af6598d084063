//! Evidence, checked by trying all values: whether a proof or an execution of a lowered program is one.
//!
//! The statements mean what [`successors`] says; of the engine only the evaluation of a proof's formulas is
//! used. Integers are tried in their range only, so that a proof which is wrong about others passes here.

use std::collections::{BTreeMap, BTreeSet};

use lapidary_model::{Decision, Execution, Loc, Proof};

use crate::explore::{all_values, successors};
use crate::lower::{Lowering, program_edge, program_loc};
use crate::program::{Expr, Kind, Program, Stmt, Value};

/// A location of the automaton with values.
type State = (Loc, Vec<Value>);

/// Whether the states of a proof hold at the entry, are kept from cut point to cut point, and keep away from the
/// error location: then the program is safe.
pub fn is_proof(program: &Program, proof: &Proof) -> bool {
    let harmful = leads_to_error(program);
    if !harmful.contains(&Loc(0)) {
        return true;
    }
    let lowering = Lowering::new(&program.vars);
    let all = all_values(&program.vars);
    let mut states: BTreeMap<Loc, BTreeSet<&[Value]>> = BTreeMap::new();
    for state in &proof.states {
        let holds =
            |values: &&[Value]| state.formula.holds(&lowering.valuation(values)) == Some(true);
        let values = all.iter().map(Vec::as_slice).filter(holds);
        states.entry(state.loc).or_default().extend(values);
    }
    let at_entry = states.get(&Loc(0)).map_or(0, BTreeSet::len);
    at_entry == all.len() && are_kept(program, &harmful, &states)
}

/// Whether all runs from states at cut points satisfy a state at the next ones, and get to no error.
fn are_kept(
    program: &Program,
    harmful: &BTreeSet<Loc>,
    states: &BTreeMap<Loc, BTreeSet<&[Value]>>,
) -> bool {
    let at_cut = |(loc, values): (&Loc, &BTreeSet<&[Value]>)| -> Vec<State> {
        values.iter().map(|values| (*loc, values.to_vec())).collect()
    };
    let mut pending: Vec<State> = states.iter().flat_map(at_cut).collect();
    let mut seen = BTreeSet::new();
    while let Some((loc, values)) = pending.pop() {
        for (target, next) in next_states(program, loc, &values) {
            let cut = states.get(&target);
            let is_missing = cut.is_some_and(|known| !known.contains(&next[..]));
            if target == Loc(1) || is_missing && harmful.contains(&target) {
                return false;
            }
            if cut.is_none() && seen.insert((target, next.clone())) {
                pending.push((target, next));
            }
        }
    }
    true
}

/// The locations from which edges lead to the error location, whatever their statements.
fn leads_to_error(program: &Program) -> BTreeSet<Loc> {
    let mut found = BTreeSet::from([Loc(1)]);
    let locs = || (0..=program.n_locs as u32).map(Loc);
    while let Some(new) = locs().find(|loc| {
        let mut targets = edges(program, *loc).into_iter().map(|(_, target)| target);
        !found.contains(loc) && targets.any(|target| found.contains(&target))
    }) {
        found.insert(new);
    }
    found
}

/// The statements that leave a location of the automaton, and where they lead. None leaves the error location.
fn edges(program: &Program, loc: Loc) -> Vec<(Stmt, Loc)> {
    let of_program = |n: usize| match n {
        0 => Loc(2),
        1 => Loc(1),
        n => Loc(n as u32 + 1),
    };
    match program_loc(loc) {
        None => vec![(Stmt::Seq(Vec::new()), Loc(2))],
        Some(1) => Vec::new(),
        Some(source) => {
            let leaving = program.edges.iter().filter(|edge| edge.source == source);
            leaving.map(|edge| (edge.stmt.clone(), of_program(edge.target))).collect()
        }
    }
}

fn next_states(program: &Program, loc: Loc, values: &[Value]) -> Vec<State> {
    let along = |(stmt, target): (Stmt, Loc)| {
        let next = successors(&program.vars, &stmt, values).into_iter();
        next.map(move |values| (target, values))
    };
    edges(program, loc).into_iter().flat_map(along).collect()
}

/// Whether an execution runs from the entry to the error location.
pub fn is_execution(program: &Program, execution: &Execution) -> bool {
    run(program, execution) == Some(1)
}

/// The location of the program at which an execution ends, if it can be run.
fn run(program: &Program, execution: &Execution) -> Option<usize> {
    let lowering = Lowering::new(&program.vars);
    let mut values = Vec::new();
    for (number, var) in lowering.vars().iter().enumerate() {
        values.push(lowering.value(number, execution.start.get(*var)?)?);
    }
    let (first, rest) = execution.steps.split_first()?;
    if program_edge(first.edge).is_some() || !first.tape.is_empty() {
        return None;
    }
    let mut loc = 0;
    for step in rest {
        let edge = program.edges.get(program_edge(step.edge)?)?;
        let mut tape = Tape { kinds: &program.vars, lowering: &lowering, rest: step.tape.iter() };
        values = tape.run(&edge.stmt, values)?;
        if edge.source != loc || tape.rest.next().is_some() {
            return None;
        }
        loc = edge.target;
    }
    Some(loc)
}

/// Decisions that are left.
struct Tape<'a> {
    kinds: &'a [Kind],
    lowering: &'a Lowering,
    rest: std::slice::Iter<'a, Decision>,
}

impl Tape<'_> {
    /// The state after a statement, as decided; none if there is none.
    fn run(&mut self, stmt: &Stmt, mut values: Vec<Value>) -> Option<Vec<Value>> {
        match stmt {
            Stmt::Assume(_) | Stmt::Assign(_) => {
                successors(self.kinds, stmt, &values).into_iter().next()
            }
            Stmt::Havoc(var) => {
                values[*var] = self.value(*var)?;
                Some(values)
            }
            Stmt::Seq(parts) => {
                parts.iter().try_fold(values, |values, part| self.run(part, values))
            }
            Stmt::Choice(parts) => match self.rest.next()? {
                Decision::Branch(branch) => self.run(parts.get(*branch)?, values),
                Decision::Value(_) => None,
            },
            Stmt::Relation(written, formula) => self.relate(written, formula, &values),
        }
    }

    fn relate(
        &mut self,
        written: &[usize],
        formula: &Expr,
        values: &[Value],
    ) -> Option<Vec<Value>> {
        let mut next = values.to_vec();
        // Decisions come in the order of the engine's variables.
        let mut written = written.to_vec();
        written.sort_by_key(|var| self.lowering.vars()[*var]);
        for var in written {
            next[var] = self.value(var)?;
        }
        (formula.eval(self.kinds, values, &next) == 1).then_some(next)
    }

    fn value(&mut self, var: usize) -> Option<Value> {
        match self.rest.next()? {
            Decision::Value(value) => self.lowering.value(var, value),
            Decision::Branch(_) => None,
        }
    }
}
