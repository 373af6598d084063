//! One assertion at a time.

use lapidary_model::Cfa;

use super::source_map::SourceMap;

/// The automaton in which only the assertion with this number leads to the error; whatever violates another one just
/// ends. What is not supported still leads there. Edges keep their numbers.
pub(crate) fn only(cfa: &Cfa, map: &SourceMap, number: usize) -> Cfa {
    let others = map.assertions.iter().enumerate().filter(|(i, _)| *i != number);
    cfa.ending_at(&others.flat_map(|(_, other)| other.edges.iter().copied()).collect())
}
