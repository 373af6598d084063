//! Writing of both variants.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::{Circuit, Gate, Lit, Reset, Symbols};

impl Circuit {
    /// The circuit in ASCII.
    pub fn to_ascii(&self) -> String {
        let mut text = format!("aag {}", self.header(self.max_var()));
        let mut line = |words: std::fmt::Arguments<'_>| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{words}");
        };
        self.inputs.iter().for_each(|lit| line(format_args!("{lit}")));
        for latch in &self.latches {
            line(format_args!("{} {}{}", latch.state, latch.next, reset(latch.reset, latch.state)));
        }
        self.ends().for_each(|lit| line(format_args!("{lit}")));
        for Gate { output, inputs: [left, right] } in &self.gates {
            line(format_args!("{output} {left} {right}"));
        }
        text + &self.symbols.to_text()
    }

    /// The circuit in binary. Variables get new numbers, as this variant prescribes them.
    pub fn to_binary(&self) -> Vec<u8> {
        let states = self.latches.iter().map(|latch| latch.state);
        let outputs = self.gates.iter().map(|gate| gate.output);
        let all = self.inputs.iter().copied().chain(states).chain(outputs);
        let numbers: FxHashMap<u32, u32> =
            all.zip(1..).map(|(lit, number)| (lit.var(), number)).collect();
        let new = |lit: Lit| {
            Lit(2 * numbers.get(&lit.var()).copied().unwrap_or(0) + u32::from(lit.is_negated()))
        };
        let mut bytes = format!("aig {}", self.header(numbers.len() as u32)).into_bytes();
        for latch in &self.latches {
            let line = format!("{}{}\n", new(latch.next), reset(latch.reset, new(latch.state)));
            bytes.extend(line.bytes());
        }
        self.ends().for_each(|lit| bytes.extend(format!("{}\n", new(lit)).bytes()));
        for gate in &self.gates {
            let [left, right] = gate.inputs.map(new);
            let (high, low) = (left.max(right), left.min(right));
            push_number(&mut bytes, new(gate.output).0 - high.0);
            push_number(&mut bytes, high.0 - low.0);
        }
        bytes.extend(self.symbols.to_text().bytes());
        bytes
    }

    fn header(&self, max_var: u32) -> String {
        let mut numbers = vec![
            max_var as usize,
            self.inputs.len(),
            self.latches.len(),
            self.outputs.len(),
            self.gates.len(),
            self.bads.len(),
            self.constraints.len(),
        ];
        while numbers.len() > 5 && numbers.last() == Some(&0) {
            numbers.pop();
        }
        numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ") + "\n"
    }

    /// What stands on lines of its own: outputs, bad states, constraints.
    fn ends(&self) -> impl Iterator<Item = Lit> {
        self.outputs.iter().chain(&self.bads).chain(&self.constraints).copied()
    }
}

/// The initial value as it is written after the next one; 0 is not.
fn reset(reset: Reset, state: Lit) -> String {
    match reset {
        Reset::Zero => String::new(),
        Reset::One => " 1".into(),
        Reset::Any => format!(" {state}"),
    }
}

fn push_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

impl Symbols {
    fn to_text(&self) -> String {
        let Symbols { inputs, latches, outputs, bads, constraints } = self;
        let kinds =
            [('i', inputs), ('l', latches), ('o', outputs), ('b', bads), ('c', constraints)];
        let mut text = String::new();
        for (kind, names) in kinds {
            for (position, name) in names.iter().enumerate() {
                if let Some(name) = name {
                    // Writing to a string cannot fail.
                    let _ = writeln!(text, "{kind}{position} {name}");
                }
            }
        }
        text
    }
}
