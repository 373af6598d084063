//! BTOR2: word-level circuits, with all operators and arrays; liveness is refused.
//!
//! The format is read into a [`Model`], the nodes as in the file, checked for their sorts. [`Model::system`]
//! makes terms of them: vectors of one bit are truth values, wider ones bit-vectors. [`Model::witness`] writes a
//! counterexample, [`check_witness`] simulates one on numbers, knowing nothing of terms.
//!
//! The parser is ours: `patronus` panics on rotations, overflow operators and unknown words, and prints its
//! errors itself.

mod line;
mod operator;
mod parse;
mod print;
mod simulate;
mod system;
mod translate;
mod witness;

use lapidary_expr::UBig;
use lapidary_model::Position;

pub use operator::Operator;
pub use parse::parse;
pub use simulate::check_witness;

/// A sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// Vectors of that many bits.
    Bits(u32),
    /// Arrays with indices and elements of that many bits.
    Array(u32, u32),
}

/// A node that an operand refers to, negated bit by bit or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ref {
    /// The index of the node in [`Model::nodes`].
    pub node: usize,
    /// Whether all its bits are flipped.
    pub is_negated: bool,
}

/// A node with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its sort.
    pub sort: Sort,
    /// Where its value comes from.
    pub kind: Kind,
    /// Its name, if it has one.
    pub symbol: Option<String>,
}

/// Where the value of a node comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An input: anything, in every frame.
    Input,
    /// A state.
    State {
        /// Its first value; anything if there is none. A vector fills an array.
        init: Option<Ref>,
        /// Its next value; anything if there is none.
        next: Option<Ref>,
    },
    /// A constant.
    Const(UBig),
    /// An operator applied to nodes before this one.
    Apply(Operator, Vec<Ref>),
}

/// A property, constraint or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The node.
    pub value: Ref,
    /// Its name, if it has one.
    pub symbol: Option<String>,
    /// Where it stands.
    pub position: Position,
}

/// A file of the format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// The name of the file.
    pub name: String,
    /// The nodes, each after those that it depends on (but for the next values of states).
    pub nodes: Vec<Node>,
    /// What must not become 1.
    pub bads: Vec<Mark>,
    /// What is 1 in every frame.
    pub constraints: Vec<Mark>,
    /// What is shown to the outside.
    pub outputs: Vec<Mark>,
}

impl Model {
    /// The indices of the inputs.
    pub fn inputs(&self) -> impl Iterator<Item = usize> {
        self.indices(|kind| matches!(kind, Kind::Input))
    }

    /// The indices of the states.
    pub fn states(&self) -> impl Iterator<Item = usize> {
        self.indices(|kind| matches!(kind, Kind::State { .. }))
    }

    fn indices(&self, is_wanted: impl Fn(&Kind) -> bool) -> impl Iterator<Item = usize> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter(move |(_, node)| is_wanted(&node.kind)).map(|(index, _)| index)
    }
}
