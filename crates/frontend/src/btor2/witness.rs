//! Counterexamples in the BTOR2 format: `sat`, the property, then per frame states (`#k`) and inputs (`@k`), `.`.
//!
//! Values are written for the states of the first frame, for states without a next value in every frame, and for
//! all inputs. Of arrays the format knows single elements; the others are 0, or what the model says they start with.

use std::fmt::Write;

use lapidary_expr::{Bv, Value};
use lapidary_model::sts::Trace;

use super::{Kind, Model, Sort};

/// Arrays with more elements than these are written only if most are 0.
const MOST_ELEMENTS: usize = 1 << 16;

impl Model {
    /// A trace of the model's system as a witness that the property with this number fails; an error if an
    /// array has too many elements that are not 0.
    pub fn witness(&self, property: usize, trace: &Trace) -> Result<String, String> {
        let vars = self.variables();
        let mut text = format!("sat\nb{property}\n");
        for (k, frame) in trace.frames.iter().enumerate() {
            let is_written = |index: &usize| {
                k == 0 || matches!(self.nodes[*index].kind, Kind::State { next: None, .. })
            };
            let states: Vec<(usize, usize)> =
                self.states().enumerate().filter(|(_, index)| is_written(index)).collect();
            if k == 0 || !states.is_empty() {
                let _ = writeln!(text, "#{k}");
            }
            for (number, index) in states {
                let value = vars[index].and_then(|var| frame.state.get(var));
                self.assignment(&mut text, number, index, value, &format!("#{k}"))?;
            }
            let _ = writeln!(text, "@{k}");
            for (number, index) in self.inputs().enumerate() {
                let value = vars[index].and_then(|var| frame.inputs.get(var));
                self.assignment(&mut text, number, index, value, &format!("@{k}"))?;
            }
        }
        Ok(text + ".\n")
    }

    /// The lines for a state or input; a value that does not matter is 0.
    fn assignment(
        &self,
        text: &mut String,
        number: usize,
        index: usize,
        value: Option<&Value>,
        time: &str,
    ) -> Result<(), String> {
        let node = &self.nodes[index];
        let symbol =
            node.symbol.as_ref().map_or_else(String::new, |symbol| format!(" {symbol}{time}"));
        // Writing to a string cannot fail.
        match (node.sort, value) {
            (Sort::Bits(_), Some(Value::Bool(bit))) => {
                let _ = writeln!(text, "{number} {}{symbol}", u8::from(*bit));
            }
            (Sort::Bits(_), Some(Value::Bv(bv))) => {
                let _ = writeln!(text, "{number} {}{symbol}", digits(bv));
            }
            (Sort::Bits(width), _) => {
                let _ = writeln!(text, "{number} {}{symbol}", "0".repeat(width as usize));
            }
            (Sort::Array(width, _), Some(Value::Array(array))) => {
                let name = node.symbol.as_deref().unwrap_or("an array");
                let elements = match (elements(array, width), &node.kind) {
                    (Some(elements), _) => elements,
                    // What is not mentioned starts as the model says.
                    (None, Kind::State { init: Some(_), next: Some(_) }) => Vec::new(),
                    (None, _) => return Err(format!("the value of {name} has too many elements")),
                };
                for (at, element) in elements {
                    let _ =
                        writeln!(text, "{number} [{}] {}{symbol}", digits(&at), digits(&element));
                }
            }
            (Sort::Array(..), _) => {}
        }
        Ok(())
    }
}

/// The elements that are not 0; none if they are too many.
fn elements(array: &lapidary_expr::ArrayValue, width: u32) -> Option<Vec<(Bv, Bv)>> {
    let bv = |value: &Value| match value {
        Value::Bv(bv) => Some(bv.clone()),
        _ => None,
    };
    let default = bv(array.default())?;
    if default.unsigned().is_zero() {
        return array.entries().map(|(at, element)| Some((bv(at)?, bv(element)?))).collect();
    }
    let count = 1usize.checked_shl(width).filter(|count| *count <= MOST_ELEMENTS)?;
    let all = (0..count).map(|at| Bv::new(width, at.into()));
    let mut elements: std::collections::BTreeMap<Bv, Bv> =
        all.map(|at| (at, default.clone())).collect();
    for (at, element) in array.entries() {
        elements.insert(bv(at)?, bv(element)?);
    }
    Some(elements.into_iter().collect())
}

/// All binary digits.
fn digits(bv: &Bv) -> String {
    bv.digits(2)
}
