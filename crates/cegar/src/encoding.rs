//! How much of the automaton one formula describes: one edge, a linear chain, or a loop-free block.

use lapidary_model::pass::{Blocks, Chains, Pass};

use crate::axis::axis;

axis! {
    /// What an edge of the explored automaton stands for.
    pub enum Encoding {
        /// Single-block encoding: an edge.
        #[default]
        Sbe = "sbe",
        /// A chain of edges without branches.
        Chain = "chain",
        /// Large-block encoding: all paths between two ends of loop-free blocks.
        Lbe = "lbe",
    }
}

impl Encoding {
    /// The pass that makes such edges, if one is needed.
    pub fn pass(self) -> Option<&'static dyn Pass> {
        match self {
            Encoding::Sbe => None,
            Encoding::Chain => Some(&Chains),
            Encoding::Lbe => Some(&Blocks),
        }
    }
}
