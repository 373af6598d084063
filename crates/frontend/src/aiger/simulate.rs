//! A simulator that checks witnesses: bits through gates, and nothing of terms or of the engine.

use super::{Circuit, Lit, Reset};

/// Whether a witness in the AIGER format shows that a property of the circuit fails; if not, in which line and
/// why. Unknown bits (`x`) count as 0. Text after the final `.` is ignored, as are comments before the start.
pub fn check_witness(circuit: &Circuit, witness: &str) -> Result<(), String> {
    let mut lines = witness.lines().enumerate().map(|(i, line)| (i + 1, line.trim_end()));
    let mut next = |what: &str| {
        let found = lines.by_ref().find(|(_, line)| !line.starts_with('c'));
        found.ok_or_else(|| format!("the witness ends before {what}"))
    };
    let (line, status) = next("its status")?;
    if status != "1" {
        return Err(format!("line {line}: the status is `{status}`, not `1`"));
    }
    let (line, property) = next("the property")?;
    let (properties, _, _) = circuit.properties();
    let number = property.strip_prefix('b').and_then(|number| number.parse::<usize>().ok());
    let Some(bad) = number.and_then(|number| properties.get(number)) else {
        return Err(format!("line {line}: `{property}` is no property of the circuit"));
    };
    let (line, initial) = next("the initial latches")?;
    let mut latches = bits(line, initial, circuit.latches.len())?;
    for (latch, bit) in circuit.latches.iter().zip(&latches) {
        let is_allowed = match latch.reset {
            Reset::Zero => !bit,
            Reset::One => *bit,
            Reset::Any => true,
        };
        if !is_allowed {
            return Err(format!("line {line}: the latch {} cannot start like this", latch.state));
        }
    }
    let mut values = vec![false; circuit.max_var() as usize + 1];
    let mut is_bad = None;
    loop {
        let (line, inputs) = next("the final `.`")?;
        if inputs == "." {
            break;
        }
        let inputs = bits(line, inputs, circuit.inputs.len())?;
        settle(circuit, &inputs, &latches, &mut values);
        let value = |lit: Lit| values[lit.var() as usize] != lit.is_negated();
        if let Some(constraint) = circuit.constraints.iter().find(|lit| !value(**lit)) {
            return Err(format!("line {line}: the constraint {constraint} does not hold"));
        }
        is_bad = Some(value(*bad));
        latches = circuit.latches.iter().map(|latch| value(latch.next)).collect();
    }
    match is_bad {
        Some(true) => Ok(()),
        Some(false) => Err(format!("`{property}` is not violated in the last frame")),
        None => Err("the witness has no frame".into()),
    }
}

/// Computes the values of all variables in one frame.
fn settle(circuit: &Circuit, inputs: &[bool], latches: &[bool], values: &mut [bool]) {
    for (lit, bit) in circuit.inputs.iter().zip(inputs) {
        values[lit.var() as usize] = *bit;
    }
    for (latch, bit) in circuit.latches.iter().zip(latches) {
        values[latch.state.var() as usize] = *bit;
    }
    for gate in &circuit.gates {
        let [left, right] = gate.inputs.map(|lit| values[lit.var() as usize] != lit.is_negated());
        values[gate.output.var() as usize] = left && right;
    }
}

fn bits(line: usize, text: &str, count: usize) -> Result<Vec<bool>, String> {
    let bit = |c: char| match c {
        '0' | 'x' => Ok(false),
        '1' => Ok(true),
        other => Err(format!("line {line}: `{other}` is no bit")),
    };
    let bits: Vec<bool> = text.chars().map(bit).collect::<Result<_, _>>()?;
    match bits.len() == count {
        true => Ok(bits),
        false => Err(format!("line {line}: {} bits, where the circuit has {count}", bits.len())),
    }
}
