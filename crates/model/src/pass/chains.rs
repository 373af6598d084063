//! Linear chains as single edges (`encoding = chain`).
//!
//! A location with one edge in and one edge out says nothing that its neighbours do not say. Chains of such
//! locations become one edge whose statement is the sequence of theirs.

use super::shape::{Composition, Shape};
use super::{BackTranslate, Pass, cuts};
use crate::cfa::{Cfa, CfaBuilder, EdgeId, Loc};

/// Joins linear chains.
#[derive(Clone, Copy, Debug)]
pub struct Chains;

impl Pass for Chains {
    fn name(&self) -> &'static str {
        "chain"
    }

    fn run(&self, cfa: &Cfa) -> (Cfa, Box<dyn BackTranslate>) {
        let mut ends = cuts::necessary(cfa);
        for loc in cfa.locs() {
            let is_inner = cfa.incoming(loc).len() == 1 && cfa.outgoing(loc).len() == 1;
            ends[loc.0 as usize] |= !is_inner;
        }
        compose(cfa, &ends, |loc| {
            cfa.outgoing(loc).iter().map(|edge| chain(cfa, &ends, *edge)).collect()
        })
    }
}

/// The edges from `first` to the next end.
fn chain(cfa: &Cfa, ends: &[bool], first: EdgeId) -> (Shape, Loc) {
    let mut edges = vec![Shape::Edge(first)];
    let mut loc = cfa.edge(first).target;
    while !ends[loc.0 as usize] {
        let next = cfa.outgoing(loc)[0];
        edges.push(Shape::Edge(next));
        loc = cfa.edge(next).target;
    }
    (Shape::seq(edges), loc)
}

/// The automaton of the locations that are `kept`, with the composed edges that `outgoing` makes for each of
/// them. Nothing leaves the error location.
pub(super) fn compose(
    cfa: &Cfa,
    kept: &[bool],
    outgoing: impl Fn(Loc) -> Vec<(Shape, Loc)>,
) -> (Cfa, Box<dyn BackTranslate>) {
    let mut builder = CfaBuilder::new(cfa.name(), cfa.loc_name(cfa.entry()));
    builder.vars(cfa.vars());
    let mut new_of = vec![builder.entry(); cfa.n_locs()];
    let mut back =
        Composition { locs: vec![cfa.entry()], edges: Vec::new(), original: cfa.clone() };
    for loc in cfa.locs().filter(|loc| kept[loc.0 as usize] && *loc != cfa.entry()) {
        new_of[loc.0 as usize] = builder.loc(cfa.loc_name(loc));
        back.locs.push(loc);
    }
    for source in back.locs.iter().filter(|loc| Some(**loc) != cfa.error()) {
        for (shape, target) in outgoing(*source) {
            let [source, target] = [*source, target].map(|loc| new_of[loc.0 as usize]);
            builder.edge(source, shape.to_stmt(cfa), target, shape.position(cfa));
            back.edges.push(shape);
        }
    }
    if let Some(error) = cfa.error() {
        builder.error(new_of[error.0 as usize]);
    }
    let composed = builder.build().expect("composed of statements that are well-formed");
    (composed, Box::new(back))
}
