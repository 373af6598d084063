//! Counterexamples in the AIGER format: `1`, the property, the initial latches, the inputs of each frame, `.`.

use lapidary_expr::{Valuation, Value, Var};
use lapidary_model::sts::Trace;

use super::Circuit;

impl Circuit {
    /// A trace of the circuit's system as a witness that the property with this number fails. Inputs that do
    /// not matter are 0.
    pub fn witness(&self, property: usize, trace: &Trace) -> String {
        let (inputs, latches) = self.variables();
        let initial = trace.frames.first().map(|frame| &frame.state);
        let mut text = format!(
            "1\nb{property}\n{}\n",
            initial.map_or_else(String::new, |state| bits(&latches, state))
        );
        for frame in &trace.frames {
            text += &bits(&inputs, &frame.inputs);
            text.push('\n');
        }
        text + ".\n"
    }
}

fn bits(vars: &[Var], values: &Valuation) -> String {
    let bit = |var: &Var| if values.get(*var) == Some(&Value::Bool(true)) { '1' } else { '0' };
    vars.iter().map(bit).collect()
}
