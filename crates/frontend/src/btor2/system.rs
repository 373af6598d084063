//! Models as transition systems.

use lapidary_expr::{Op, Term, Var};
use lapidary_model::Sts;
use lapidary_model::sts::{Property, Transition};

use super::translate::{bits, sort_of, translate, truth};
use super::{Kind, Mark, Model, Ref, Sort};
use crate::names::Unique;

impl Model {
    /// The model as a transition system with its properties in the order of the file.
    pub fn system(&self) -> Sts {
        let vars = self.variables();
        let mut terms: Vec<Term> = Vec::with_capacity(self.nodes.len());
        for (node, var) in self.nodes.iter().zip(&vars) {
            let term = match &node.kind {
                Kind::Input | Kind::State { .. } => Term::var(var.expect("it has a variable")),
                Kind::Const(value) => constant(node.sort, value),
                Kind::Apply(operator, operands) => {
                    let operands: Vec<Term> =
                        operands.iter().map(|operand| value(&terms, *operand)).collect();
                    translate(*operator, &operands)
                }
            };
            terms.push(term);
        }
        let (mut init, mut next) = (Vec::new(), Vec::new());
        for (node, var) in self.nodes.iter().zip(&vars) {
            let (Kind::State { init: first, next: then }, Some(var)) = (&node.kind, var) else {
                continue;
            };
            init.extend(
                first.map(|first| Term::var(*var).equals(filling(node.sort, value(&terms, first)))),
            );
            next.extend(then.map(|then| (*var, value(&terms, then))));
        }
        let property = |(number, mark): (usize, &Mark)| Property {
            name: mark.symbol.clone().unwrap_or_else(|| format!("b{number}")),
            bad: value(&terms, mark.value),
            position: Some(mark.position),
        };
        Sts {
            name: self.name.clone(),
            vars: self.states().filter_map(|index| vars[index]).collect(),
            inputs: self.inputs().filter_map(|index| vars[index]).collect(),
            init,
            constraints: self.constraints.iter().map(|mark| value(&terms, mark.value)).collect(),
            step: Transition::Functions { guard: true.into(), next },
            properties: self.bads.iter().enumerate().map(property).collect(),
        }
    }

    /// The variables of inputs and states, by the index of the node.
    pub(super) fn variables(&self) -> Vec<Option<Var>> {
        let mut names = Unique::default();
        let (mut n_inputs, mut n_states) = (0, 0);
        let variable = |node: &super::Node| {
            let (kind, number) = match node.kind {
                Kind::Input => ("input", &mut n_inputs),
                Kind::State { .. } => ("state", &mut n_states),
                _ => return None,
            };
            let name = node.symbol.clone().unwrap_or_else(|| format!("{kind}{number}"));
            *number += 1;
            Some(Var::new(&names.name(&name), sort_of(node.sort)))
        };
        self.nodes.iter().map(variable).collect()
    }
}

/// The term of an operand.
fn value(terms: &[Term], operand: Ref) -> Term {
    match operand.is_negated {
        true => translate(super::Operator::Not, &[terms[operand.node]]),
        false => terms[operand.node],
    }
}

fn constant(sort: Sort, value: &lapidary_expr::UBig) -> Term {
    match sort {
        Sort::Bits(width) => truth(Term::bv(width, value.clone())),
        Sort::Array(..) => unreachable!("constants are vectors"),
    }
}

/// The initial value of a state: a vector fills an array.
fn filling(sort: Sort, value: Term) -> Term {
    match (sort_of(sort), value.sort()) {
        (lapidary_expr::Sort::Array(array), found) if found != sort_of(sort) => {
            Term::app(Op::ConstArray(array), vec![bits(value)]).expect("an element of the array")
        }
        _ => value,
    }
}
