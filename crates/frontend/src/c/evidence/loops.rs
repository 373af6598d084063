//! The loops of a program: where they are in the text and in the automaton, and what variables are called there.

use std::collections::BTreeMap;

use lapidary_expr::Var;
use lapidary_model::Loc;
use rustc_hash::FxHashSet;

use crate::c::flat::{Flat, Node, ObjectId};
use crate::c::lower::layout::Layout;
use crate::c::types::{Type, Types};

/// A loop in the text.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Where its keyword is, in bytes.
    pub start: usize,
    /// The function with the loop, as a number in the list of functions.
    pub function: u32,
    /// The locations where its rounds start, one for each copy of the function that can be reached.
    pub heads: Vec<Loc>,
    /// The variables of the automaton that can be named there.
    pub names: Vec<Name>,
}

/// A variable of the automaton as a C expression.
#[derive(Clone, Debug)]
pub struct Name {
    /// The variable.
    pub var: Var,
    /// The expression.
    pub text: String,
    /// Whether its type is a signed one.
    pub is_signed: bool,
    /// The number of bits.
    pub width: u32,
}

/// The loops outside of recursion, with the locations of their copies.
pub(in crate::c) fn loops(
    flat: &Flat,
    types: &Types,
    layouts: &[Layout],
    defined: &[u32],
    recursive: &FxHashSet<u32>,
    places: impl Fn(Node) -> Vec<Loc>,
) -> Vec<Loop> {
    let mut loops: BTreeMap<usize, Loop> = BTreeMap::new();
    for copy in &flat.loops {
        let named = flat.names.get(&copy.start).map_or(&[][..], Vec::as_slice);
        let known = loops.entry(copy.start).or_insert_with(|| Loop {
            start: copy.start,
            function: defined[copy.function as usize],
            heads: Vec::new(),
            names: named.iter().flat_map(|named| names(flat, types, layouts, named)).collect(),
        });
        known.heads.extend(places(copy.head));
        if copy.depth > 0 || recursive.contains(&copy.function) {
            // One name stands for different variables there.
            known.names.clear();
        }
    }
    loops.into_values().collect()
}

/// The numbers in an object, as expressions.
fn names(
    flat: &Flat,
    types: &Types,
    layouts: &[Layout],
    (object, name): &(ObjectId, String),
) -> Vec<Name> {
    let whole = flat.objects[object.index()].name.as_str();
    let leaves = layouts[object.index()].leaves.iter();
    let numbers = leaves.filter(|leaf| {
        !leaf.is_repeated && !leaf.is_union && matches!(types.get(leaf.ty), Type::Int(_))
    });
    let named = numbers.filter_map(|leaf| {
        // The names of parts go on as expressions do: `.member`, `[3]`.
        let part = leaf.var.name().strip_prefix(whole)?;
        Some(Name {
            var: leaf.var,
            // The members of an unnamed structure are reached without it.
            text: format!("{name}{part}").replace("..", "."),
            is_signed: leaf.int.signed,
            width: leaf.int.width,
        })
    });
    named.collect()
}
