//! Inductive invariants as circuits.
//!
//! The certificate is the circuit itself with gates for the invariant, whose value is its only output, and
//! with the bad state `bad ∨ ¬invariant`: it has the same inputs, latches and constraints, and its bad state is
//! excluded by one step of induction. Its inputs and latches are named after their literals in the circuit
//! that it certifies (`= 4`), which is how `certifaiger` maps them.

use lapidary_expr::{Op, Term, Var};
use rustc_hash::FxHashMap;

use super::{Circuit, Gate, Lit, Symbols};

/// The invariant is not made of latches and connectives alone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is nothing that gates compute")]
pub struct NoCircuit(pub String);

impl Circuit {
    /// The certificate that the property with this number holds by this invariant over the variables of
    /// [`Circuit::system`].
    pub fn certificate(&self, property: usize, invariant: Term) -> Result<Circuit, NoCircuit> {
        let (properties, _, _) = self.properties();
        let bad = properties.get(property).copied().unwrap_or(Lit::FALSE);
        let (inputs, latches) = self.variables();
        let states = self.latches.iter().map(|latch| latch.state);
        let leaves =
            inputs.into_iter().chain(latches).zip(self.inputs.iter().copied().chain(states));
        let mut gates = Gates {
            leaves: leaves.collect(),
            done: FxHashMap::default(),
            made: Vec::new(),
            last: self.max_var(),
        };
        let invariant = gates.lit(invariant)?;
        let good = gates.and(!bad, invariant);
        let named = |lits: &mut dyn Iterator<Item = Lit>| {
            lits.map(|lit| Some(format!("= {lit}"))).collect()
        };
        Ok(Circuit {
            outputs: vec![invariant],
            bads: vec![!good],
            gates: self.gates.iter().copied().chain(gates.made).collect(),
            symbols: Symbols {
                inputs: named(&mut self.inputs.iter().copied()),
                latches: named(&mut self.latches.iter().map(|latch| latch.state)),
                ..Symbols::default()
            },
            ..self.clone()
        })
    }
}

struct Gates {
    leaves: FxHashMap<Var, Lit>,
    done: FxHashMap<Term, Lit>,
    made: Vec<Gate>,
    last: u32,
}

impl Gates {
    /// The literal of a formula, with gates made for its parts; a heap stack, since formulas nest deeply.
    fn lit(&mut self, root: Term) -> Result<Lit, NoCircuit> {
        let mut pending = vec![root];
        while let Some(term) = pending.last().copied() {
            let missing: Vec<Term> =
                term.args().iter().filter(|arg| !self.done.contains_key(arg)).copied().collect();
            if !missing.is_empty() && !self.done.contains_key(&term) {
                pending.extend(missing);
                continue;
            }
            pending.pop();
            if !self.done.contains_key(&term) {
                let lit = self.gate(term)?;
                self.done.insert(term, lit);
            }
        }
        Ok(self.done[&root])
    }

    /// The literal of a formula whose parts have theirs.
    fn gate(&mut self, term: Term) -> Result<Lit, NoCircuit> {
        let no_circuit = || NoCircuit(term.op().to_string());
        let args: Vec<Lit> = term.args().iter().map(|arg| self.done[arg]).collect();
        Ok(match (term.op(), &args[..]) {
            (Op::Lit(_), _) if term.is_true() => Lit::TRUE,
            (Op::Lit(_), _) if term.is_false() => Lit::FALSE,
            (Op::Var(var), _) => *self.leaves.get(var).ok_or_else(no_circuit)?,
            (Op::Not, [arg]) => !*arg,
            (Op::And, args) => args.iter().fold(Lit::TRUE, |all, arg| self.and(all, *arg)),
            (Op::Or, args) => !args.iter().fold(Lit::TRUE, |none, arg| self.and(none, !*arg)),
            (Op::Eq, [left, right]) => {
                let (both, neither) = (self.and(*left, *right), self.and(!*left, !*right));
                !self.and(!both, !neither)
            }
            (Op::Ite, [condition, then, otherwise]) => {
                let (yes, no) = (self.and(*condition, *then), self.and(!*condition, *otherwise));
                !self.and(!yes, !no)
            }
            _ => return Err(no_circuit()),
        })
    }

    fn and(&mut self, left: Lit, right: Lit) -> Lit {
        match (left, right) {
            (Lit::TRUE, other) | (other, Lit::TRUE) => other,
            (Lit::FALSE, _) | (_, Lit::FALSE) => Lit::FALSE,
            _ => {
                self.last += 1;
                let output = Lit(2 * self.last);
                self.made.push(Gate { output, inputs: [left, right] });
                output
            }
        }
    }
}
