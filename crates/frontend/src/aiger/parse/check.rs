//! What must hold of a circuit: every variable is defined once, and gates depend on no gate that depends on
//! them. Puts the gates in order.

use rustc_hash::FxHashMap;

use super::Draft;
use crate::aiger::reader::{Parsed, Reader};
use crate::aiger::{Circuit, Gate, Lit};

/// The circuit, if it is well-formed.
pub(super) fn checked(draft: Draft, reader: &Reader<'_>) -> Parsed<Circuit> {
    let Draft { mut circuit, places, uses } = draft;
    let latches = circuit.latches.iter().map(|latch| latch.state);
    let gates = circuit.gates.iter().map(|gate| gate.output);
    let definitions = circuit.inputs.iter().copied().chain(latches).chain(gates).zip(&places);
    let mut defined: FxHashMap<u32, usize> = FxHashMap::default();
    for (number, (lit, place)) in definitions.enumerate() {
        if defined.insert(lit.var(), number).is_some() {
            let message = format!("the variable of {lit} is defined twice");
            return Err(reader.error(*place..*place + 1, message).into());
        }
    }
    let is_defined = |lit: Lit| lit.var() == 0 || defined.contains_key(&lit.var());
    let first_gate = circuit.inputs.len() + circuit.latches.len();
    let operands = circuit.gates.iter().zip(&places[first_gate..]);
    let operands = operands.flat_map(|(gate, place)| gate.inputs.map(|lit| (lit, *place)));
    if let Some((lit, place)) = uses.into_iter().chain(operands).find(|(lit, _)| !is_defined(*lit))
    {
        let message = format!("the literal {lit} has no input, latch or gate");
        return Err(reader.error(place..place + 1, message).into());
    }
    circuit.gates = match in_order(&circuit.gates) {
        Ok(gates) => gates,
        Err(number) => {
            let (gate, place) = (circuit.gates[number].output, places[first_gate + number]);
            return Err(reader
                .error(place..place + 1, format!("the gate {gate} depends on itself"))
                .into());
        }
    };
    Ok(circuit)
}

/// The gates, each after those it depends on; the number of one on a cycle, if there is one.
fn in_order(gates: &[Gate]) -> Result<Vec<Gate>, usize> {
    let is_sorted = gates.iter().all(|gate| gate.inputs.iter().all(|lit| lit.0 < gate.output.0))
        && gates.is_sorted_by_key(|gate| gate.output);
    if is_sorted {
        return Ok(gates.to_vec());
    }
    let numbers: FxHashMap<u32, usize> =
        gates.iter().enumerate().map(|(number, gate)| (gate.output.var(), number)).collect();
    let mut visits = vec![Visit::New; gates.len()];
    let mut ordered = Vec::with_capacity(gates.len());
    for root in 0..gates.len() {
        let mut open = vec![(root, 0)];
        while let Some((number, visited)) = open.last_mut() {
            let number = *number;
            if *visited == 0 && visits[number] != Visit::New {
                if visits[number] == Visit::Open {
                    return Err(number);
                }
                open.pop();
                continue;
            }
            visits[number] = Visit::Open;
            if let Some(operand) = gates[number].inputs.get(*visited) {
                *visited += 1;
                if let Some(next) = numbers.get(&operand.var()) {
                    open.push((*next, 0));
                }
            } else {
                visits[number] = Visit::Done;
                ordered.push(gates[number]);
                open.pop();
            }
        }
    }
    Ok(ordered)
}

#[derive(Clone, Copy, PartialEq)]
enum Visit {
    New,
    Open,
    Done,
}
