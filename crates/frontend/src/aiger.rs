//! AIGER 1.9: and-inverter graphs with latches, in ASCII (`aag`) and binary (`aig`).
//!
//! Latches may start with 0, 1 or anything; invariant constraints hold in every frame; a property fails in a
//! frame where its *bad* literal is 1. Files without bad states ask about their outputs instead, as those
//! before version 1.9 do. Justice and fairness are refused: they are no safety properties.
//!
//! The format is read into a [`Circuit`], which is literals as in the file. [`Circuit::system`] makes terms of
//! the gates; they are no state. [`Circuit::witness`] writes a counterexample, [`check_witness`] simulates one on
//! the circuit's bits, knowing nothing of terms. [`Circuit::certificate`] writes an invariant as a circuit.
//!
//! The parser is ours: `aig` panics on ASCII files, and `flussab-aiger` refuses valid ones (more bad states than
//! variables left over for gates, names of bad states beyond the number of latches).

mod certificate;
mod parse;
mod print;
mod reader;
mod simulate;
mod system;
mod witness;

pub use certificate::NoCircuit;
pub use parse::parse;
pub use simulate::check_witness;

/// A literal: twice a variable, plus one if negated. Variable 0 is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(pub u32);

impl Lit {
    /// The literal that is false.
    pub const FALSE: Lit = Lit(0);
    /// The literal that is true.
    pub const TRUE: Lit = Lit(1);

    /// The variable.
    pub fn var(self) -> u32 {
        self.0 >> 1
    }

    /// Whether it is the negation of its variable.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl std::fmt::Display for Lit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// What a latch starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// 0.
    Zero,
    /// 1.
    One,
    /// Either.
    Any,
}

/// A latch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latch {
    /// The variable, as a literal.
    pub state: Lit,
    /// Its value in the next frame.
    pub next: Lit,
    /// Its value in the first frame.
    pub reset: Reset,
}

/// An and-gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The variable, as a literal.
    pub output: Lit,
    /// What it is the conjunction of.
    pub inputs: [Lit; 2],
}

/// A file of the format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Circuit {
    /// The name of the file.
    pub name: String,
    /// The inputs, as literals.
    pub inputs: Vec<Lit>,
    /// The latches.
    pub latches: Vec<Latch>,
    /// The outputs.
    pub outputs: Vec<Lit>,
    /// The bad states.
    pub bads: Vec<Lit>,
    /// The invariant constraints.
    pub constraints: Vec<Lit>,
    /// The gates, each after those that it depends on.
    pub gates: Vec<Gate>,
    /// Names of inputs, latches, outputs, bad states and constraints.
    pub symbols: Symbols,
}

/// The symbol table: names by position, where there are any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    /// Of inputs.
    pub inputs: Vec<Option<String>>,
    /// Of latches.
    pub latches: Vec<Option<String>>,
    /// Of outputs.
    pub outputs: Vec<Option<String>>,
    /// Of bad states.
    pub bads: Vec<Option<String>>,
    /// Of constraints.
    pub constraints: Vec<Option<String>>,
}

impl Circuit {
    /// What the properties are: the bad states or, where there are none, the outputs.
    pub fn properties(&self) -> (&[Lit], &[Option<String>], char) {
        match self.bads.is_empty() {
            true => (&self.outputs, &self.symbols.outputs, 'o'),
            false => (&self.bads, &self.symbols.bads, 'b'),
        }
    }

    /// The largest variable.
    pub fn max_var(&self) -> u32 {
        let gates = self.gates.iter().map(|gate| gate.output.var());
        let latches = self.latches.iter().map(|latch| latch.state.var());
        gates.chain(latches).chain(self.inputs.iter().map(|lit| lit.var())).max().unwrap_or(0)
    }
}
