//! Random circuits of AIGER 1.9, and all their states.

use std::collections::BTreeSet;
use std::fmt::Write;

use lapidary_oracle::Random;

struct Circuit {
    n_inputs: usize,
    /// The next value and the reset: 0, 1, or any.
    latches: Vec<(usize, Option<bool>)>,
    gates: Vec<(usize, usize)>,
    constraints: Vec<usize>,
    bad: usize,
}

/// A circuit with the number `seed` as text, and whether it is safe.
pub(crate) fn random(seed: u64) -> (String, bool) {
    let circuit = Circuit::random(&mut Random::new(seed));
    (circuit.text(), circuit.is_safe())
}

impl Circuit {
    fn random(random: &mut Random) -> Circuit {
        let (n_inputs, n_latches) = (random.below(4), 1 + random.below(5));
        let n_gates = random.below(14);
        let first = 1 + n_inputs + n_latches;
        let literal = |random: &mut Random, vars: usize| 2 * random.below(vars) + random.below(2);
        let gates: Vec<(usize, usize)> =
            (first..first + n_gates).map(|i| (literal(random, i), literal(random, i))).collect();
        let all = first + n_gates;
        let reset = |random: &mut Random| match random.below(5) {
            0 => None,
            1 => Some(true),
            _ => Some(false),
        };
        let latches = (0..n_latches).map(|_| (literal(random, all), reset(random))).collect();
        let n_constraints = [0, 0, 1, 2][random.below(4)];
        let constraints = (0..n_constraints).map(|_| literal(random, all)).collect();
        // A conjunction of a few literals is bad less often.
        let mut circuit = Circuit { n_inputs, latches, gates, constraints, bad: 1 };
        for _ in 0..=random.below(3) {
            let other = literal(random, all);
            circuit.gates.push((circuit.bad, other));
            circuit.bad = 2 * (first + circuit.gates.len() - 1);
        }
        circuit
    }

    fn text(&self) -> String {
        let (i, l, a) = (self.n_inputs, self.latches.len(), self.gates.len());
        let c = self.constraints.len();
        let mut text = format!("aag {} {i} {l} 0 {a} 1 {c}\n", i + l + a);
        for var in 1..=i {
            writeln!(text, "{}", 2 * var).unwrap();
        }
        for (k, (next, reset)) in self.latches.iter().enumerate() {
            let latch = 2 * (1 + i + k);
            let reset = reset.map_or(latch, usize::from);
            writeln!(text, "{latch} {next} {reset}").unwrap();
        }
        writeln!(text, "{}", self.bad).unwrap();
        self.constraints.iter().for_each(|literal| writeln!(text, "{literal}").unwrap());
        for (k, (a, b)) in self.gates.iter().enumerate() {
            writeln!(text, "{} {a} {b}", 2 * (1 + i + l + k)).unwrap();
        }
        text
    }

    /// The values of all variables, for a state and inputs.
    fn values(&self, state: usize, inputs: usize) -> Vec<bool> {
        let mut values = vec![false];
        values.extend((0..self.n_inputs).map(|i| inputs >> i & 1 == 1));
        values.extend((0..self.latches.len()).map(|i| state >> i & 1 == 1));
        for (a, b) in &self.gates {
            let value = |literal: usize| values[literal / 2] != (literal % 2 == 1);
            values.push(value(*a) && value(*b));
        }
        values
    }

    fn is_safe(&self) -> bool {
        let fits = |state: &usize| {
            self.latches
                .iter()
                .enumerate()
                .all(|(i, (_, reset))| reset.is_none_or(|reset| (state >> i & 1 == 1) == reset))
        };
        let mut open: Vec<usize> = (0..1 << self.latches.len()).filter(fits).collect();
        let mut seen: BTreeSet<usize> = open.iter().copied().collect();
        while let Some(state) = open.pop() {
            for inputs in 0..1 << self.n_inputs {
                let values = self.values(state, inputs);
                let value = |literal: usize| values[literal / 2] != (literal % 2 == 1);
                if !self.constraints.iter().all(|literal| value(*literal)) {
                    continue;
                }
                if value(self.bad) {
                    return false;
                }
                let bits = self.latches.iter().enumerate();
                let next = bits.map(|(i, (next, _))| usize::from(value(*next)) << i).sum();
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        true
    }
}
