//! One assertion at a time.

use lapidary_model::{Cfa, CfaBuilder, Loc};
use rustc_hash::FxHashSet;

use super::build::SourceMap;

/// The automaton in which only the assertion with this number leads to the error; whatever violates another one just
/// ends. What is not supported still leads there. Edges keep their numbers.
pub(crate) fn only(cfa: &Cfa, map: &SourceMap, number: usize) -> Cfa {
    let others = map.assertions.iter().enumerate().filter(|(i, _)| *i != number);
    let others: FxHashSet<_> = others.flat_map(|(_, other)| &other.edges).collect();
    let mut builder = CfaBuilder::new(cfa.name(), cfa.loc_name(Loc(0)));
    builder.vars(cfa.vars());
    builder.written_checks(cfa.has_written_checks());
    for loc in cfa.locs().skip(1) {
        builder.loc(cfa.loc_name(loc));
    }
    let end = builder.loc("END");
    if let Some(error) = cfa.error() {
        builder.error(error);
    }
    for (id, edge) in cfa.edges() {
        let target = if others.contains(&id) { end } else { edge.target };
        builder.edge(edge.source, edge.stmt.clone(), target, edge.position);
    }
    builder.build().expect("the statements are those of an automaton")
}
