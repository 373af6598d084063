//! The strongest post-operator of the value domain (fourth paper, §2): `SP` over partial assignments.
//!
//! An assumption `p` under the known values `v` is a contradiction if `p/v` is unsatisfiable, and otherwise adds
//! every `x = c` that `p/v` implies. Evaluation and equations answer most of that; what is left of `p/v` goes to
//! the solver once and is remembered.

use lapidary_expr::{Op, Sort, Term, Valuation, Value, Var, VarSet};
use lapidary_model::Stmt;
use lapidary_solver::{Backend, Result, UnsatCore};
use rustc_hash::FxHashMap;

use crate::domain::memo::Memo;

/// The variables that a formula leaves one value only, with that value; none if it is unsatisfiable.
type Implied = Option<Vec<(Var, Value)>>;

/// Executes statements on partial assignments.
pub struct ValuePost {
    solver: Box<dyn UnsatCore>,
    known: FxHashMap<Term, Implied>,
    /// Assumptions under the values of their variables.
    assumed: Memo<(Term, Vec<Option<Value>>), Implied>,
}

impl ValuePost {
    /// The operator, with a solver of the back end's.
    pub fn new(backend: &dyn Backend) -> Self {
        ValuePost {
            solver: backend.solver(),
            known: FxHashMap::default(),
            assumed: Memo::default(),
        }
    }

    /// Executes `stmt` from `values` on; whether that is no contradiction.
    pub fn exec(&mut self, stmt: &Stmt, values: &mut Valuation) -> Result<bool> {
        match stmt {
            Stmt::Assume(term) => return self.assume(*term, values),
            Stmt::Assign(assignments) => {
                let results: Vec<(Var, Option<Value>)> = assignments
                    .iter()
                    .map(|(var, term)| (*var, term.eval_packed(values)))
                    .collect();
                for (var, value) in results {
                    match value {
                        Some(value) => values.set(var, value),
                        None => values.forget(var),
                    }
                }
            }
            Stmt::Havoc(vars) => vars.iter().for_each(|var| values.forget(*var)),
            Stmt::Seq(parts) => {
                for part in parts {
                    if !self.exec(part, values)? {
                        return Ok(false);
                    }
                }
            }
            Stmt::Choice(parts) => return self.choose(parts, values),
            Stmt::Relation { formula, written } => {
                let before = values.clone();
                let formula = formula.map_vars(&|var| before.get(var).cloned().map(Term::lit));
                written.iter().for_each(|var| values.forget(*var));
                // What the relation says about `x` itself is about the value before, unless it stays.
                let is_after = |var: Var| match var.version() {
                    0 if written.contains(&var) => var.at(u32::MAX),
                    _ => var.base(),
                };
                return self.constrain(formula, values, &is_after);
            }
        }
        Ok(true)
    }

    /// Assumes `term`. A path is executed again and again, from fewer and fewer values: most of what it assumes is
    /// decided by them, or has been looked at with the same ones.
    fn assume(&mut self, term: Term, values: &mut Valuation) -> Result<bool> {
        if let Some(truth) = term.holds_packed(values) {
            return Ok(truth);
        }
        let key: (Term, Vec<Option<Value>>) =
            (term, term.vars().iter().map(|var| values.get(*var).cloned()).collect());
        let implied = match self.assumed.get(&key) {
            Some(implied) => implied,
            None => {
                let known = term.vars().iter().zip(&key.1);
                let mut after: Valuation =
                    known.filter_map(|(var, value)| Some((*var, value.clone()?))).collect();
                let holds = self.constrain(term, &mut after, &|var| var)?;
                let new = after.iter().filter(|(var, _)| values.get(*var).is_none());
                let implied: Implied =
                    holds.then(|| new.map(|(var, value)| (var, value.clone())).collect());
                self.assumed.keep(key, implied)
            }
        };
        let Some(equations) = implied else { return Ok(false) };
        equations.into_iter().for_each(|(var, value)| values.set(var, value));
        Ok(true)
    }

    /// Assumes `term`, whose variables are called `name(x)` afterwards.
    fn constrain(
        &mut self,
        term: Term,
        values: &mut Valuation,
        name: &dyn Fn(Var) -> Var,
    ) -> Result<bool> {
        let filled = |term: Term, values: &Valuation| {
            term.map_vars(&|var| values.get(name(var)).cloned().map(Term::lit))
        };
        let mut left = filled(term, values);
        loop {
            let equations: Vec<(Var, Value)> =
                left.conjuncts().into_iter().filter_map(as_equation).collect();
            if equations.is_empty() || left.is_false() {
                break;
            }
            learn(values, &equations, name);
            // A variable that is not called anything afterwards keeps its value in the formula only.
            left = left.map_vars(&|var| {
                equations.iter().find(|(v, _)| *v == var).map(|(_, value)| Term::lit(value.clone()))
            });
        }
        if left.is_true() || left.is_false() {
            return Ok(left.is_true());
        }
        match self.implied(left)? {
            Some(equations) => {
                learn(values, &equations, name);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    fn implied(&mut self, formula: Term) -> Result<Implied> {
        if let Some(known) = self.known.get(&formula) {
            return Ok(known.clone());
        }
        self.solver.push();
        self.solver.assert(formula);
        let answer = self.ask(formula);
        self.solver.pop();
        self.known.insert(formula, answer.clone()?);
        answer
    }

    /// With the formula asserted.
    fn ask(&mut self, formula: Term) -> Result<Implied> {
        let scalar = |var: &Var| !matches!(var.sort(), Sort::Array(_));
        let vars: VarSet = formula.vars().iter().copied().filter(scalar).collect();
        let Some(model) = self.solver.model(&vars)? else { return Ok(None) };
        let mut implied = Vec::new();
        for (var, value) in model.iter().filter(|(var, _)| vars.contains(var)) {
            let equation = Term::var(var).equals(Term::lit(value.clone()));
            if self.solver.entails(true.into(), equation)? {
                implied.push((var, value.clone()));
            }
        }
        Ok(Some(implied))
    }

    /// What all branches without contradiction agree on.
    fn choose(&mut self, parts: &[Stmt], values: &mut Valuation) -> Result<bool> {
        let mut joined: Option<Valuation> = None;
        for part in parts {
            let mut after = values.clone();
            if !self.exec(part, &mut after)? {
                continue;
            }
            joined = Some(match joined {
                None => after,
                Some(other) => other
                    .iter()
                    .filter(|(var, value)| after.get(*var) == Some(value))
                    .map(|(var, value)| (var, value.clone()))
                    .collect(),
            });
        }
        match joined {
            Some(joined) => {
                *values = joined;
                Ok(true)
            }
            None => Ok(false),
        }
    }
}

fn learn(values: &mut Valuation, equations: &[(Var, Value)], name: &dyn Fn(Var) -> Var) {
    for (var, value) in equations {
        let var = name(*var);
        if var.version() == 0 {
            values.set(var, value.clone());
        }
    }
}

/// `x = value`, `x` or `¬x`.
fn as_equation(term: Term) -> Option<(Var, Value)> {
    match (term.op(), term.args()) {
        (Op::Var(var), _) => Some((*var, Value::Bool(true))),
        (Op::Not, [inner]) => Some((inner.as_var()?, Value::Bool(false))),
        (Op::Eq, [left, right]) => match (left.as_var(), right.as_var()) {
            (Some(var), _) => Some((var, right.as_lit()?.clone())),
            (_, Some(var)) => Some((var, left.as_lit()?.clone())),
            _ => None,
        },
        _ => None,
    }
}
