//! The graph of an automaton as a proof cuts it.

use lapidary_expr::{Term, Valuation};
use lapidary_model::{Cfa, EdgeId, Loc, Proof, StateId, Stmt};

use crate::values::Index;

/// What a location is to a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The error location cannot be reached from here: nothing needs to hold.
    Harmless,
    /// The error location: nothing may get here.
    Error,
    /// It has states.
    Cut,
    /// Runs between cut points pass it.
    Between,
}

pub(crate) struct Graph<'a> {
    pub(crate) cfa: &'a Cfa,
    proof: &'a Proof,
    kinds: Vec<Kind>,
    /// The disjunction of the states at each location.
    covers: Vec<Term>,
    /// The states at each location, to be found by values.
    indices: Vec<Index>,
    /// The edges that leave each location and do not lead to harmless ones.
    outgoing: Vec<Vec<EdgeId>>,
    /// The locations between cut points in the order in which a depth-first search finishes them.
    order: Vec<usize>,
    /// The same locations in this order.
    between: Vec<Loc>,
    /// The number of statements, parts of others included.
    pub(crate) n_stmts: usize,
}

impl<'a> Graph<'a> {
    pub(crate) fn new(cfa: &'a Cfa, proof: &'a Proof) -> Self {
        let mut formulas: Vec<Vec<Term>> = vec![Vec::new(); cfa.n_locs()];
        for state in &proof.states {
            formulas[state.loc.0 as usize].push(state.formula);
        }
        let covers = formulas.iter().map(|formulas| Term::or(formulas.iter().copied())).collect();
        let indices = formulas.iter().map(|formulas| Index::new(formulas)).collect();
        let mut kinds = vec![Kind::Harmless; cfa.n_locs()];
        for loc in leading_to_error(cfa) {
            kinds[loc.0 as usize] = match loc {
                _ if Some(loc) == cfa.error() => Kind::Error,
                _ if formulas[loc.0 as usize].is_empty() => Kind::Between,
                _ => Kind::Cut,
            };
        }
        let mut outgoing = vec![Vec::new(); cfa.n_locs()];
        for (id, edge) in cfa.edges() {
            if kinds[edge.target.0 as usize] != Kind::Harmless {
                outgoing[edge.source.0 as usize].push(id);
            }
        }
        let n_stmts = cfa.edges().map(|(_, edge)| n_parts(&edge.stmt)).sum();
        let (order, between) = (vec![0; cfa.n_locs()], Vec::new());
        let mut graph =
            Graph { cfa, proof, kinds, covers, indices, outgoing, order, between, n_stmts };
        graph.number_between();
        graph
    }

    pub(crate) fn kind(&self, loc: Loc) -> Kind {
        self.kinds[loc.0 as usize]
    }

    /// The edges of a location that matter.
    pub(crate) fn outgoing(&self, loc: Loc) -> &[EdgeId] {
        &self.outgoing[loc.0 as usize]
    }

    /// The disjunction of the states at a location.
    pub(crate) fn cover(&self, loc: Loc) -> Term {
        self.covers[loc.0 as usize]
    }

    /// Formulas of states at a location that the values may satisfy.
    pub(crate) fn candidates(&self, loc: Loc, known: &Valuation) -> impl Iterator<Item = Term> {
        self.indices[loc.0 as usize].candidates(known)
    }

    /// The formulas of those hinted states that are at the location.
    pub(crate) fn hinted(&self, loc: Loc, hints: &[StateId]) -> impl Iterator<Item = Term> {
        let states = hints.iter().filter_map(|id| self.proof.state(*id));
        states.filter(move |state| state.loc == loc).map(|state| state.formula)
    }

    /// The locations between cut points, those that edges lead to before those that they come from, except where an edge
    /// closes a cycle.
    pub(crate) fn between(&self) -> impl DoubleEndedIterator<Item = Loc> {
        self.between.iter().copied()
    }

    /// Whether the edge closes a cycle without a cut point.
    pub(crate) fn is_retreating(&self, edge: EdgeId) -> bool {
        let edge = self.cfa.edge(edge);
        let is_between = |loc: Loc| self.kind(loc) == Kind::Between;
        let number = |loc: Loc| self.order[loc.0 as usize];
        is_between(edge.source)
            && is_between(edge.target)
            && number(edge.target) >= number(edge.source)
    }

    /// A location on a cycle without a cut point that runs from `root` can get to, if there is one.
    pub(crate) fn uncut_from(&self, root: Loc) -> Option<Loc> {
        let mut seen = vec![false; self.cfa.n_locs()];
        let mut pending = vec![root];
        while let Some(loc) = pending.pop() {
            let is_new = !std::mem::replace(&mut seen[loc.0 as usize], true);
            if !is_new || self.kind(loc) != Kind::Between {
                continue;
            }
            for edge in self.outgoing(loc) {
                let target = self.cfa.edge(*edge).target;
                if self.is_retreating(*edge) {
                    return Some(target);
                }
                pending.push(target);
            }
        }
        None
    }

    /// Numbers the locations between cut points so that edges between them lead to smaller numbers, except
    /// those that close a cycle.
    fn number_between(&mut self) {
        let mut entered = vec![false; self.cfa.n_locs()];
        for root in self.cfa.locs() {
            // The locations that are entered and not finished, with the number of edges followed.
            let mut open = vec![(root, 0)];
            while let Some((loc, followed)) = open.last_mut() {
                let (loc, next) = (*loc, *followed);
                *followed += 1;
                let is_old = next == 0 && std::mem::replace(&mut entered[loc.0 as usize], true);
                if is_old || self.kind(loc) != Kind::Between {
                    open.pop();
                } else if let Some(edge) = self.outgoing(loc).get(next) {
                    open.push((self.cfa.edge(*edge).target, 0));
                } else {
                    self.order[loc.0 as usize] = self.between.len();
                    self.between.push(loc);
                    open.pop();
                }
            }
        }
    }
}

/// The locations from which edges lead to the error location, and that one.
fn leading_to_error(cfa: &Cfa) -> Vec<Loc> {
    let mut sources = vec![Vec::new(); cfa.n_locs()];
    for (_, edge) in cfa.edges() {
        sources[edge.target.0 as usize].push(edge.source);
    }
    let mut seen = vec![false; cfa.n_locs()];
    let mut found = Vec::new();
    let mut pending: Vec<Loc> = cfa.error().into_iter().collect();
    while let Some(loc) = pending.pop() {
        if !std::mem::replace(&mut seen[loc.0 as usize], true) {
            found.push(loc);
            pending.extend(&sources[loc.0 as usize]);
        }
    }
    found
}

fn n_parts(stmt: &Stmt) -> usize {
    match stmt {
        Stmt::Seq(parts) | Stmt::Choice(parts) => 1 + parts.iter().map(n_parts).sum::<usize>(),
        _ => 1,
    }
}
