//! A simulator that checks witnesses: numbers through operators, and nothing of terms or of the engine.

mod compute;
mod read;

use self::compute::{Value, compute, is_same};
use self::read::{Assignments, read};
use super::{Kind, Model, Ref, Sort};

/// Whether a witness in the BTOR2 format shows that a property of the model fails; if not, why. What the witness
/// does not mention is 0.
pub fn check_witness(model: &Model, witness: &str) -> Result<(), String> {
    let witness = read(model, witness)?;
    let bad = model.bads.get(witness.property).ok_or("the model has no such property")?;
    let mut next: Vec<Option<Value>> = vec![None; model.nodes.len()];
    let last = witness.frames.len().checked_sub(1).ok_or("the witness has no frame")?;
    for (k, assignments) in witness.frames.iter().enumerate() {
        let values = settle(model, assignments, &next, k)?;
        if let Some(constraint) = model.constraints.iter().find(|mark| !is_set(&values, mark.value))
        {
            return Err(format!(
                "frame {k}: the constraint on line {} does not hold",
                constraint.position.line
            ));
        }
        if k == last && !is_set(&values, bad.value) {
            return Err("the property is not violated in the last frame".into());
        }
        for index in model.states() {
            let Kind::State { next: then, .. } = model.nodes[index].kind else { continue };
            next[index] = then.map(|then| operand(model, &values, then));
        }
    }
    Ok(())
}

/// The values of all nodes in one frame.
fn settle(
    model: &Model,
    assignments: &Assignments,
    next: &[Option<Value>],
    k: usize,
) -> Result<Vec<Value>, String> {
    let mut values: Vec<Value> = Vec::with_capacity(model.nodes.len());
    for (index, node) in model.nodes.iter().enumerate() {
        let given = || assignments.value(index, node.sort);
        let value = match &node.kind {
            Kind::Input => given(),
            Kind::State { init, next: then } => match (k, init, then, &next[index]) {
                (0, Some(init), ..) => {
                    let value = filled(operand(model, &values, *init), node.sort);
                    if assignments.mentions(index) && !is_same(&given(), &value, node.sort) {
                        return Err(format!(
                            "the state {} cannot start like this",
                            name(model, index)
                        ));
                    }
                    value
                }
                (1.., _, Some(_), Some(value)) => value.clone(),
                _ => given(),
            },
            Kind::Const(value) => Value::Bits(value.clone()),
            Kind::Apply(operator, operands) => {
                let sorts: Vec<Sort> =
                    operands.iter().map(|operand| model.nodes[operand.node].sort).collect();
                let args: Vec<Value> =
                    operands.iter().map(|arg| operand(model, &values, *arg)).collect();
                compute(*operator, &args, &sorts)
            }
        };
        values.push(value);
    }
    Ok(values)
}

fn operand(model: &Model, values: &[Value], operand: Ref) -> Value {
    let value = values[operand.node].clone();
    match operand.is_negated {
        true => compute(super::Operator::Not, &[value], &[model.nodes[operand.node].sort]),
        false => value,
    }
}

fn is_set(values: &[Value], operand: Ref) -> bool {
    matches!(&values[operand.node], Value::Bits(bits) if bits.is_one() != operand.is_negated)
}

/// A vector fills an array.
fn filled(value: Value, sort: Sort) -> Value {
    match (value, sort) {
        (Value::Bits(bits), Sort::Array(..)) => {
            Value::Array { elements: std::collections::BTreeMap::default(), default: bits }
        }
        (value, _) => value,
    }
}

fn name(model: &Model, index: usize) -> String {
    model.nodes[index].symbol.clone().unwrap_or_else(|| format!("number {index}"))
}
