//! Several counterexamples at once (first paper, §3.2.2): how many, and which of them to learn from.

use rustc_hash::FxHashSet;

use crate::Domain;
use crate::abstraction::ArgOf;
use crate::arg::NodeId;

/// How many counterexamples are refined at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refine {
    /// The first.
    #[default]
    First,
    /// This many, or all if there are fewer.
    Most(u32),
    /// All.
    All,
}

impl Refine {
    /// How many errors to look for.
    pub fn most(self) -> usize {
        match self {
            Refine::First => 1,
            Refine::Most(n) => n as usize,
            Refine::All => usize::MAX,
        }
    }
}

impl std::fmt::Display for Refine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refine::First => f.write_str("first"),
            Refine::Most(n) => write!(f, "{n}"),
            Refine::All => f.write_str("all"),
        }
    }
}

impl std::str::FromStr for Refine {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match (text, text.parse::<u32>()) {
            ("first", _) => Ok(Refine::First),
            ("all", _) => Ok(Refine::All),
            (_, Ok(n)) if n > 0 => Ok(Refine::Most(n)),
            _ => Err(text.to_string()),
        }
    }
}

/// Which of the nodes are below no other of them.
pub(super) fn topmost<D: Domain>(nodes: &[NodeId], arg: &ArgOf<D>) -> Vec<bool> {
    let all: FxHashSet<NodeId> = nodes.iter().copied().collect();
    let is_topmost = |node: &NodeId| {
        let mut ancestor = arg.parent(*node);
        while let Some((node, _)) = ancestor {
            if all.contains(&node) {
                return false;
            }
            ancestor = arg.parent(node);
        }
        true
    };
    nodes.iter().map(is_topmost).collect()
}
