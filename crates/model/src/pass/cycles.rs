//! Which edges are on cycles.

use crate::cfa::{Cfa, Edge, Loc};

/// The strongly connected components of a part of an automaton.
pub(super) struct Cycles {
    /// For each location the number of its component; none outside of the part.
    component: Vec<Option<u32>>,
}

impl Cycles {
    /// The components of the locations in the part, and of all edges between them.
    pub(super) fn new(cfa: &Cfa, is_inside: impl Fn(Loc) -> bool) -> Cycles {
        let mut search = Search {
            numbers: vec![None; cfa.n_locs()],
            least: vec![0; cfa.n_locs()],
            stack: Vec::new(),
            component: vec![None; cfa.n_locs()],
        };
        let (mut n_entered, mut n_components) = (0, 0);
        for root in cfa.locs().filter(|loc| is_inside(*loc)) {
            if search.numbers[root.0 as usize].is_some() {
                continue;
            }
            // The locations that are entered and not finished, with the number of edges followed.
            let mut open = vec![(root, 0)];
            while let Some((loc, followed)) = open.last_mut() {
                let (loc, next) = (*loc, *followed);
                *followed += 1;
                if next == 0 {
                    search.enter(loc, n_entered);
                    n_entered += 1;
                }
                let Some(edge) = cfa.outgoing(loc).get(next) else {
                    open.pop();
                    n_components +=
                        search.leave(loc, n_components, open.last().map(|(loc, _)| *loc));
                    continue;
                };
                let target = cfa.edge(*edge).target;
                if is_inside(target) && search.is_new(loc, target) {
                    open.push((target, 0));
                }
            }
        }
        Cycles { component: search.component }
    }

    /// Whether the edge is on a cycle of the part.
    pub(super) fn has(&self, edge: &Edge) -> bool {
        let [source, target] = [edge.source, edge.target].map(|loc| self.component[loc.0 as usize]);
        source.is_some() && source == target
    }
}

/// Tarjan's algorithm.
struct Search {
    /// When a location was entered.
    numbers: Vec<Option<u32>>,
    /// The first one entered that it is known to lead to.
    least: Vec<u32>,
    /// Those that have no component yet.
    stack: Vec<Loc>,
    component: Vec<Option<u32>>,
}

impl Search {
    fn enter(&mut self, loc: Loc, number: u32) {
        self.numbers[loc.0 as usize] = Some(number);
        self.least[loc.0 as usize] = number;
        self.stack.push(loc);
    }

    /// Whether the target of an edge has still to be entered.
    fn is_new(&mut self, source: Loc, target: Loc) -> bool {
        let Some(number) = self.numbers[target.0 as usize] else { return true };
        if self.component[target.0 as usize].is_none() {
            let least = &mut self.least[source.0 as usize];
            *least = (*least).min(number);
        }
        false
    }

    /// Finishes a location; the number of components that were found.
    fn leave(&mut self, loc: Loc, component: u32, parent: Option<Loc>) -> u32 {
        let least = self.least[loc.0 as usize];
        if let Some(parent) = parent {
            let of_parent = &mut self.least[parent.0 as usize];
            *of_parent = (*of_parent).min(least);
        }
        if self.numbers[loc.0 as usize] != Some(least) {
            return 0;
        }
        while let Some(member) = self.stack.pop() {
            self.component[member.0 as usize] = Some(component);
            if member == loc {
                break;
            }
        }
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::CfaBuilder;
    use crate::stmt::Stmt;

    /// Two loops that share a location, an edge between loops, and a loop through a location outside.
    #[test]
    fn edges_on_cycles_are_found() {
        let mut builder = CfaBuilder::new("cycles", "0");
        let locs: Vec<Loc> =
            std::iter::once(builder.entry()).chain((1..7).map(|_| builder.loc("l"))).collect();
        let edges =
            [(0, 1), (1, 2), (2, 1), (2, 3), (3, 1), (3, 4), (4, 4), (4, 5), (5, 6), (6, 4)];
        for (source, target) in edges {
            builder.edge(locs[source], Stmt::skip(), locs[target], None);
        }
        let cfa = builder.build().unwrap_or_else(|error| panic!("{error}"));
        let on_cycles = |cycles: &Cycles| {
            let found = cfa.edges().filter(|(_, edge)| cycles.has(edge));
            found.map(|(_, edge)| (edge.source.0, edge.target.0)).collect::<Vec<_>>()
        };
        let all = on_cycles(&Cycles::new(&cfa, |_| true));
        assert_eq!(all, [(1, 2), (2, 1), (2, 3), (3, 1), (4, 4), (4, 5), (5, 6), (6, 4)]);
        let inside = on_cycles(&Cycles::new(&cfa, |loc| loc.0 != 5));
        assert_eq!(inside, [(1, 2), (2, 1), (2, 3), (3, 1), (4, 4)]);
    }
}
