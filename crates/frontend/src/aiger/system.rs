//! Circuits as transition systems: latches are state, gates are terms.

use lapidary_expr::{Sort, Term, Var};
use lapidary_model::Sts;
use lapidary_model::sts::{Property, Transition};
use rustc_hash::FxHashMap;

use super::{Circuit, Lit, Reset};
use crate::names::Unique;

impl Circuit {
    /// The circuit as a transition system with its properties in the order of the file.
    pub fn system(&self) -> Sts {
        let (inputs, vars) = self.variables();
        let terms = self.terms(&inputs, &vars);
        let term = |lit: Lit| {
            let positive = terms.get(&lit.var()).copied().unwrap_or_else(|| false.into());
            if lit.is_negated() { positive.not() } else { positive }
        };
        let init = self.latches.iter().zip(&vars).filter_map(|(latch, var)| match latch.reset {
            Reset::Zero => Some(Term::var(*var).not()),
            Reset::One => Some(Term::var(*var)),
            Reset::Any => None,
        });
        let next = self.latches.iter().zip(&vars).map(|(latch, var)| (*var, term(latch.next)));
        let (properties, names, kind) = self.properties();
        let properties = properties.iter().enumerate().map(|(i, lit)| Property {
            name: name_at(names, i).map_or_else(|| format!("{kind}{i}"), str::to_owned),
            bad: term(*lit),
            position: None,
        });
        Sts {
            name: self.name.clone(),
            init: init.collect(),
            constraints: self.constraints.iter().map(|lit| term(*lit)).collect(),
            step: Transition::Functions { guard: true.into(), next: next.collect() },
            properties: properties.collect(),
            vars,
            inputs,
        }
    }

    /// The variables of inputs and of latches, by position.
    pub(super) fn variables(&self) -> (Vec<Var>, Vec<Var>) {
        let mut names = Unique::default();
        let mut variable = |names_of: &[Option<String>], kind: char, i: usize| {
            let name = name_at(names_of, i).map_or_else(|| format!("{kind}{i}"), str::to_owned);
            Var::new(&names.name(&name), Sort::Bool)
        };
        let inputs =
            (0..self.inputs.len()).map(|i| variable(&self.symbols.inputs, 'i', i)).collect();
        let latches =
            (0..self.latches.len()).map(|i| variable(&self.symbols.latches, 'l', i)).collect();
        (inputs, latches)
    }

    /// The terms of all variables.
    fn terms(&self, inputs: &[Var], latches: &[Var]) -> FxHashMap<u32, Term> {
        let mut terms: FxHashMap<u32, Term> = FxHashMap::from_iter([(0, false.into())]);
        terms.extend(self.inputs.iter().zip(inputs).map(|(lit, var)| (lit.var(), Term::var(*var))));
        terms.extend(
            self.latches
                .iter()
                .zip(latches)
                .map(|(latch, var)| (latch.state.var(), Term::var(*var))),
        );
        for gate in &self.gates {
            let [left, right] = gate.inputs.map(|lit| {
                let positive = terms[&lit.var()];
                if lit.is_negated() { positive.not() } else { positive }
            });
            terms.insert(gate.output.var(), Term::and([left, right]));
        }
        terms
    }
}

fn name_at(names: &[Option<String>], i: usize) -> Option<&str> {
    names.get(i).and_then(Option::as_deref)
}
