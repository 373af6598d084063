//! Which variables an expression reads and writes, and whether the order of evaluation matters for it.

use std::collections::BTreeSet;

use super::{Node, Order};

/// A part of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Region {
    /// A variable, by its number.
    Variable(u32),
    /// All variables of a scalar type that pointers may point to.
    Scalars(usize),
    /// All structures of a type that pointers may point to.
    Structures(usize),
    /// All pointers that pointers may point to.
    Pointers,
}

/// What is read and written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// What is read.
    pub reads: BTreeSet<Region>,
    /// What is written.
    pub writes: BTreeSet<Region>,
}

impl Effect {
    /// Reads these.
    pub fn reads(regions: &[Region]) -> Effect {
        Effect { reads: regions.iter().copied().collect(), writes: BTreeSet::new() }
    }

    /// Writes these.
    pub fn writes(regions: &[Region]) -> Effect {
        Effect { reads: BTreeSet::new(), writes: regions.iter().copied().collect() }
    }

    /// Does this as well.
    pub fn join(&mut self, other: &Effect) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
    }

    fn conflicts(&self, other: &Effect) -> bool {
        let meets = |a: &BTreeSet<Region>, b: &BTreeSet<Region>| !a.is_disjoint(b);
        meets(&self.writes, &other.writes)
            || meets(&self.writes, &other.reads)
            || meets(&self.reads, &other.writes)
    }
}

/// What the evaluation of a tree does.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// By expressions of its own.
    pub direct: Effect,
    /// In functions that it calls.
    pub called: Effect,
    /// Whether the result depends on an order or a value that C leaves unspecified.
    pub is_open: bool,
    /// Whether C gives it no meaning: two unsequenced expressions conflict.
    pub is_undefined: bool,
}

impl Flow {
    /// What the evaluation of this tree does.
    pub fn of(node: &Node) -> Flow {
        let mut whole = Flow { is_open: node.is_open, ..Flow::default() };
        for part in &node.parts {
            let part = Flow::of(part);
            if node.order == Order::Unsequenced {
                whole.is_undefined |= whole.direct.conflicts(&part.direct);
                whole.is_open |= whole.called.conflicts(&part.called)
                    || whole.called.conflicts(&part.direct)
                    || whole.direct.conflicts(&part.called);
            }
            whole.is_undefined |= part.is_undefined;
            whole.is_open |= part.is_open;
            whole.direct.join(&part.direct);
            whole.called.join(&part.called);
        }
        if node.is_call {
            whole.called.join(&node.effect);
        } else {
            // The write of an assignment follows the values of its operands, but not their side effects.
            let unsequenced = node.order == Order::Unsequenced;
            whole.is_undefined |=
                unsequenced && !node.effect.writes.is_disjoint(&whole.direct.writes);
            whole.direct.join(&node.effect);
        }
        whole
    }

    /// Everything that it does.
    pub fn all(&self) -> Effect {
        let mut all = self.direct.clone();
        all.join(&self.called);
        all
    }
}
