//! A case in terms of a domain: its states, precisions, and the values that they stand for.

use lapidary_cegar::{Domain, Precision, Reason, Result};
use lapidary_expr::{Term, Valuation};
use lapidary_model::Stmt;
use lapidary_oracle::explore::{all_values, successors};
use lapidary_oracle::lower::Lowering;
use lapidary_oracle::{Case, Expr, Value};

/// Which of all combinations of values are meant, by number.
pub(crate) type Set = Vec<bool>;

/// All values of the variables of a case.
pub(crate) struct World<'a> {
    pub(crate) case: &'a Case,
    pub(crate) lowering: Lowering,
    values: Vec<Vec<Value>>,
    valuations: Vec<Valuation>,
}

impl<'a> World<'a> {
    pub(crate) fn new(case: &'a Case) -> Self {
        let lowering = Lowering::new(&case.vars);
        let values = all_values(&case.vars);
        let valuations = values.iter().map(|values| lowering.valuation(values)).collect();
        World { case, lowering, values, valuations }
    }

    /// The step, for the engine.
    pub(crate) fn step(&self) -> Stmt {
        self.lowering.stmt(&self.case.step)
    }

    /// What a domain learns from formulas.
    pub(crate) fn prec<D: Domain>(&self, domain: &mut D, formulas: &[Expr]) -> D::Prec {
        let mut prec = D::Prec::default();
        for formula in formulas {
            let reason = Reason::Holds(self.lowering.expr(formula));
            let learned = domain.learn(&domain.top(), &reason, &prec);
            prec.join(&learned);
        }
        prec
    }

    /// The coarse precision and the fine one.
    pub(crate) fn precs<D: Domain>(&self, domain: &mut D) -> [D::Prec; 2] {
        let coarse = self.prec(domain, &self.case.coarse);
        let mut fine = coarse.clone();
        fine.join(&self.prec(domain, &self.case.extra));
        [coarse, fine]
    }

    /// Some states of a domain: its top, and what follows from it.
    pub(crate) fn states<D: Domain>(&self, domain: &mut D) -> Result<Vec<D::State>> {
        const MOST: usize = 3;
        let mut states = vec![domain.top()];
        let before = self.lowering.stmt(&self.case.before);
        for prec in self.precs(domain) {
            let next = domain.post(&domain.top(), true.into(), &before, &prec)?;
            states.extend(next.into_iter().take(MOST));
        }
        Ok(states)
    }

    /// The values that satisfy a formula.
    pub(crate) fn satisfying(&self, formula: Term) -> Set {
        let holds = |values| formula.holds(values).expect("all variables have values");
        self.valuations.iter().map(holds).collect()
    }

    /// The values that one of the states stands for.
    pub(crate) fn meaning<D: Domain>(&self, domain: &D, states: &[D::State]) -> Set {
        let mut union = vec![false; self.values.len()];
        for state in states {
            let own = self.satisfying(domain.expr(state));
            union.iter_mut().zip(own).for_each(|(slot, is_in)| *slot |= is_in);
        }
        union
    }

    /// The values after the step, from those of `before`, where the formula about both holds.
    pub(crate) fn after(&self, before: &Set, given: Option<&Expr>) -> Set {
        let (vars, step) = (&self.case.vars, &self.case.step);
        let mut after = vec![false; self.values.len()];
        for (now, _) in self.values.iter().zip(before).filter(|(_, is_in)| **is_in) {
            let next = successors(vars, step, now).into_iter();
            for next in next.filter(|next| given.is_none_or(|it| it.eval(vars, now, next) == 1)) {
                let number = self.values.binary_search(&next).expect("values in their range");
                after[number] = true;
            }
        }
        after
    }

    /// The case in the words of the engine.
    pub(crate) fn describe(&self) -> String {
        let Case { before, given, coarse, extra, .. } = self.case;
        let terms = |exprs: &[Expr]| {
            exprs.iter().map(|expr| self.lowering.expr(expr).to_string()).collect::<Vec<_>>()
        };
        format!(
            "before: {}\nstep: {}\ngiven: {}\ncoarse: {:?}\nextra: {:?}\n{:?}",
            self.lowering.stmt(before),
            self.step(),
            self.lowering.expr(given),
            terms(coarse),
            terms(extra),
            self.case
        )
    }

    /// Values of the first set that are not in the second.
    pub(crate) fn missing(&self, part: &Set, whole: &Set) -> Option<Term> {
        let number = (0..part.len()).find(|i| part[*i] && !whole[*i])?;
        Some(self.valuations[number].to_term())
    }
}
