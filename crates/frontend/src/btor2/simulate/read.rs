//! Witnesses as assignments to nodes.

use std::collections::BTreeMap;

use lapidary_expr::UBig;
use rustc_hash::FxHashMap;

use super::compute::Value;
use crate::btor2::{Model, Sort};

/// A witness.
pub(super) struct Witness {
    pub(super) property: usize,
    pub(super) frames: Vec<Assignments>,
}

/// What a frame gives to nodes: by node, and for arrays by index.
#[derive(Default)]
pub(super) struct Assignments {
    values: FxHashMap<usize, UBig>,
    elements: FxHashMap<usize, BTreeMap<UBig, UBig>>,
}

impl Assignments {
    pub(super) fn mentions(&self, node: usize) -> bool {
        self.values.contains_key(&node) || self.elements.contains_key(&node)
    }

    pub(super) fn value(&self, node: usize, sort: Sort) -> Value {
        match sort {
            Sort::Bits(_) => Value::Bits(self.values.get(&node).cloned().unwrap_or(UBig::ZERO)),
            Sort::Array(..) => {
                let mut elements = self.elements.get(&node).cloned().unwrap_or_default();
                elements.retain(|_, element| !element.is_zero());
                Value::Array { elements, default: UBig::ZERO }
            }
        }
    }
}

/// Reads a witness up to its final `.`.
pub(super) fn read(model: &Model, text: &str) -> Result<Witness, String> {
    let (inputs, states): (Vec<usize>, Vec<usize>) =
        (model.inputs().collect(), model.states().collect());
    let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    let mut lines = lines.by_ref().filter(|(_, line)| !line.is_empty() && !line.starts_with(';'));
    let ends = || "the witness ends before its final `.`".to_owned();
    let (line, status) = lines.next().ok_or_else(ends)?;
    if status != "sat" {
        return Err(format!("line {line}: the status is `{status}`, not `sat`"));
    }
    let (line, property) = lines.next().ok_or_else(ends)?;
    let property = property.strip_prefix('b').and_then(|number| number.parse().ok());
    let property = property.ok_or_else(|| format!("line {line}: this is no property"))?;
    let mut witness = Witness { property, frames: Vec::new() };
    let mut nodes: &[usize] = &[];
    for (line, text) in lines {
        let wrong = |what: &str| format!("line {line}: {what}");
        if text == "." {
            return Ok(witness);
        }
        if let Some(number) = text.strip_prefix(['#', '@']) {
            let number: usize = number.parse().map_err(|_| wrong("this is no frame"))?;
            if number > witness.frames.len() || number + 1 < witness.frames.len() {
                return Err(wrong("frames come one after the other"));
            }
            if number == witness.frames.len() {
                witness.frames.push(Assignments::default());
            }
            nodes = if text.starts_with('#') { &states } else { &inputs };
            continue;
        }
        let frame =
            witness.frames.last_mut().ok_or_else(|| wrong("values before the first frame"))?;
        let mut words = text.split_ascii_whitespace();
        let number: Option<usize> = words.next().and_then(|word| word.parse().ok());
        let node = *number
            .and_then(|number| nodes.get(number))
            .ok_or_else(|| wrong("there is no such state or input"))?;
        let mut word = words.next().ok_or_else(|| wrong("a value is missing"))?;
        let index = word.strip_prefix('[').and_then(|word| word.strip_suffix(']'));
        if index.is_some() {
            word = words.next().ok_or_else(|| wrong("a value is missing"))?;
        }
        assign(frame, node, model.nodes[node].sort, index, word).map_err(|what| wrong(&what))?;
    }
    Err(ends())
}

fn assign(
    frame: &mut Assignments,
    node: usize,
    sort: Sort,
    index: Option<&str>,
    value: &str,
) -> Result<(), String> {
    match (sort, index) {
        (Sort::Bits(width), None) => {
            frame.values.insert(node, number(value, width)?);
        }
        (Sort::Array(width, element), Some(index)) => {
            let elements = frame.elements.entry(node).or_default();
            elements.insert(number(index, width)?, number(value, element)?);
        }
        _ => return Err("an index belongs to arrays, and only to them".into()),
    }
    Ok(())
}

/// The number that binary digits say; unknown ones (`x`) are 0.
fn number(digits: &str, width: u32) -> Result<UBig, String> {
    let is_wrong =
        digits.len() != width as usize || !digits.chars().all(|digit| "01x".contains(digit));
    match UBig::from_str_radix(&digits.replace('x', "0"), 2) {
        Ok(number) if !is_wrong => Ok(number),
        _ => Err(format!("`{digits}` is no vector of {width} bits")),
    }
}
