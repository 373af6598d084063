//! And-inverter graphs with structural hashing: the gates of a system.
//!
//! An edge is a [`Lit`]: the number of a node, perhaps negated. Node 0 is `false`. Nodes are in topological order.

use lapidary_sat::{Lit, Var as Node};
use rustc_hash::FxHashMap;

/// The edge that is always false.
pub(super) fn no() -> Lit {
    Lit::positive(0)
}

/// The edge that is always true.
pub(super) fn yes() -> Lit {
    !no()
}

/// A graph of and-gates.
pub(super) struct Aig {
    /// The inputs of each gate; of a leaf, twice the edge `false`.
    fanins: Vec<[Lit; 2]>,
    known: FxHashMap<[Lit; 2], Node>,
}

/// `condition ? then : otherwise`.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub(super) condition: Lit,
    pub(super) then: Lit,
    pub(super) otherwise: Lit,
}

impl Aig {
    pub(super) fn new() -> Self {
        Aig { fanins: vec![[no(); 2]], known: FxHashMap::default() }
    }

    pub(super) fn n_nodes(&self) -> usize {
        self.fanins.len()
    }

    pub(super) fn leaf(&mut self) -> Lit {
        self.fanins.push([no(); 2]);
        Lit::positive(self.fanins.len() as Node - 1)
    }

    /// The inputs of a gate; none of a leaf.
    pub(super) fn gate(&self, node: Node) -> Option<[Lit; 2]> {
        let fanins = self.fanins[node as usize];
        (fanins[0] != no()).then_some(fanins)
    }

    pub(super) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        if a == no() || a == !b {
            return no();
        }
        if a == yes() || a == b {
            return b;
        }
        if let Some(known) = self.absorbed(a, b).or_else(|| self.absorbed(b, a)) {
            return known;
        }
        let fanins = &mut self.fanins;
        let node = *self.known.entry([a, b]).or_insert_with(|| {
            fanins.push([a, b]);
            fanins.len() as Node - 1
        });
        Lit::positive(node)
    }

    /// `a ∧ b` where the inputs of `b` decide it.
    fn absorbed(&self, a: Lit, b: Lit) -> Option<Lit> {
        let [c, d] = self.gate(b.var())?;
        match (b.is_positive(), a) {
            (true, _) if a == c || a == d => Some(b),
            (true, _) if a == !c || a == !d => Some(no()),
            (false, _) if a == !c || a == !d => Some(a),
            _ => None,
        }
    }

    pub(super) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub(super) fn all(&mut self, edges: impl IntoIterator<Item = Lit>) -> Lit {
        edges.into_iter().fold(yes(), |all, edge| self.and(all, edge))
    }

    pub(super) fn choice(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if then == otherwise {
            return then;
        }
        if then == !otherwise {
            return self.equal(condition, then);
        }
        let first = self.and(condition, then);
        let second = self.and(!condition, otherwise);
        self.or(first, second)
    }

    pub(super) fn equal(&mut self, a: Lit, b: Lit) -> Lit {
        let differ = self.and(a, !b);
        let other = self.and(!a, b);
        !self.or(differ, other)
    }

    /// The choice whose negation a gate is, if it is one: `¬(c ∧ t) ∧ ¬(¬c ∧ e)`.
    pub(super) fn as_choice(&self, node: Node) -> Option<Choice> {
        let [a, b] = self.gate(node)?;
        if a.is_positive() || b.is_positive() {
            return None;
        }
        let [first, second] = [self.gate(a.var())?, self.gate(b.var())?];
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            if first[i] == !second[j] {
                let (then, otherwise) = (first[1 - i], second[1 - j]);
                return Some(Choice { condition: first[i], then, otherwise });
            }
        }
        None
    }
}
