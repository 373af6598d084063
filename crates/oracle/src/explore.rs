//! Exhaustive exploration: every state that a program can reach.

use std::collections::{BTreeSet, VecDeque};

use crate::program::{Kind, Program, RANGE, Stmt, Value};

/// The number of steps of a shortest way to the error location; none if there is no way.
pub fn explore(program: &Program) -> Option<usize> {
    let mut queue: VecDeque<(usize, Vec<Value>, usize)> =
        all_values(&program.vars).into_iter().map(|values| (0, values, 0)).collect();
    let mut seen: BTreeSet<(usize, Vec<Value>)> =
        queue.iter().map(|(loc, values, _)| (*loc, values.clone())).collect();
    while let Some((loc, values, steps)) = queue.pop_front() {
        if loc == 1 {
            return Some(steps);
        }
        for edge in program.edges.iter().filter(|edge| edge.source == loc) {
            for next in successors(&program.vars, &edge.stmt, &values) {
                if seen.insert((edge.target, next.clone())) {
                    queue.push_back((edge.target, next, steps + 1));
                }
            }
        }
    }
    None
}

/// The values with which each location is reached.
pub fn reachable(program: &Program) -> Vec<BTreeSet<Vec<Value>>> {
    let mut reached = vec![BTreeSet::new(); program.n_locs];
    let mut pending: Vec<(usize, Vec<Value>)> =
        all_values(&program.vars).into_iter().map(|values| (0, values)).collect();
    while let Some((loc, values)) = pending.pop() {
        if !reached[loc].insert(values.clone()) {
            continue;
        }
        for edge in program.edges.iter().filter(|edge| edge.source == loc) {
            let next = successors(&program.vars, &edge.stmt, &values).into_iter();
            pending.extend(next.map(|values| (edge.target, values)));
        }
    }
    reached
}

/// All combinations of values.
pub fn all_values(vars: &[Kind]) -> Vec<Vec<Value>> {
    vars.iter().fold(vec![Vec::new()], |combinations, kind| {
        let extend = |values: &Vec<Value>| -> Vec<Vec<Value>> {
            kind.values().into_iter().map(|value| [values.as_slice(), &[value]].concat()).collect()
        };
        combinations.iter().flat_map(extend).collect()
    })
}

/// All states after a statement. An integer that leaves its range ends the run, as the assumption after
/// every write says.
pub fn successors(vars: &[Kind], stmt: &Stmt, values: &[Value]) -> BTreeSet<Vec<Value>> {
    match stmt {
        Stmt::Assume(condition) => {
            if condition.eval(vars, values, &[]) == 1 {
                BTreeSet::from([values.to_vec()])
            } else {
                BTreeSet::new()
            }
        }
        Stmt::Assign(assignments) => {
            let mut next = values.to_vec();
            for (var, expr) in assignments {
                next[*var] = expr.eval(vars, values, &[]);
            }
            let fits =
                |(var, _): &(usize, _)| vars[*var] != Kind::Int || RANGE.contains(&next[*var]);
            if assignments.iter().all(fits) { BTreeSet::from([next]) } else { BTreeSet::new() }
        }
        Stmt::Havoc(var) => {
            vars[*var].values().into_iter().map(|value| with(values, *var, value)).collect()
        }
        Stmt::Seq(parts) => parts.iter().fold(BTreeSet::from([values.to_vec()]), |states, part| {
            states.iter().flat_map(|state| successors(vars, part, state)).collect()
        }),
        Stmt::Choice(parts) => {
            parts.iter().flat_map(|part| successors(vars, part, values)).collect()
        }
        Stmt::Relation(written, formula) => {
            let start = BTreeSet::from([values.to_vec()]);
            let all = written.iter().fold(start, |states, var| {
                let extend = |state: &Vec<Value>| -> Vec<Vec<Value>> {
                    vars[*var].values().into_iter().map(|value| with(state, *var, value)).collect()
                };
                states.iter().flat_map(extend).collect()
            });
            all.into_iter().filter(|next| formula.eval(vars, values, next) == 1).collect()
        }
    }
}

fn with(values: &[Value], var: usize, value: Value) -> Vec<Value> {
    let mut values = values.to_vec();
    values[var] = value;
    values
}
