//! Where paths are cut so that the pieces have no cycle.

use crate::cfa::{Cfa, Loc};

/// For each location whether blocks have to end there: the entry, the error location, and the targets of
/// retreating edges, those that lead back to a location which a depth-first search from the entry has not
/// finished. Every cycle has such an edge, also one that can be entered in several places. Edges out of the
/// error location are not followed.
pub(super) fn necessary(cfa: &Cfa) -> Vec<bool> {
    let mut cuts = vec![false; cfa.n_locs()];
    cuts[cfa.entry().0 as usize] = true;
    if let Some(error) = cfa.error() {
        cuts[error.0 as usize] = true;
    }
    let (mut entered, mut finished) = (vec![false; cfa.n_locs()], vec![false; cfa.n_locs()]);
    for root in std::iter::once(cfa.entry()).chain(cfa.locs()) {
        if std::mem::replace(&mut entered[root.0 as usize], true) {
            continue;
        }
        // The locations that are entered and not finished, with the number of edges followed.
        let mut open: Vec<(Loc, usize)> = vec![(root, 0)];
        while let Some((loc, followed)) = open.last_mut() {
            let (loc, next) = (*loc, *followed);
            *followed += 1;
            match cfa.outgoing(loc).get(next) {
                Some(edge) if Some(loc) != cfa.error() => {
                    let target = cfa.edge(*edge).target;
                    if !std::mem::replace(&mut entered[target.0 as usize], true) {
                        open.push((target, 0));
                    } else if !finished[target.0 as usize] {
                        cuts[target.0 as usize] = true;
                    }
                }
                _ => {
                    finished[loc.0 as usize] = true;
                    open.pop();
                }
            }
        }
    }
    cuts
}
