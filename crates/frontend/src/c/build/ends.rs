//! What the edges to the error location stand for.

use std::collections::{BTreeMap, BTreeSet};

use lapidary_model::program::{Action, Cut, Origin, ProgramEdgeId};
use lapidary_model::{EdgeId, Ends, Inlined, Outside, Property, PropertyId};
use rustc_hash::FxHashMap;

use crate::c::build::Told;
use crate::c::checks::Check;
use crate::c::flat::TOO_LARGE;
use crate::c::flat::{Failure, Violation};
use crate::source::SourceFile;

/// What the edges of the automaton stand for. Properties are in the order of the text.
pub(in crate::c) fn ends(
    source: &SourceFile,
    inlined: &Inlined,
    told: &[Told],
    function_at: &dyn Fn(usize) -> String,
) -> Ends {
    let told = |id: ProgramEdgeId| &told[id.0 as usize];
    let cuts: FxHashMap<EdgeId, Cut> = inlined.cuts().iter().copied().collect();
    let mut ends = Ends::default();
    let mut violations: Vec<(EdgeId, Violation)> = Vec::new();
    for (i, origin) in inlined.origins().iter().enumerate() {
        let (id, edge) = (EdgeId(i as u32), told(origin.edge));
        let outside = |reason: &str| Outside { reason: reason.into(), start: edge.start };
        edge.approximations.iter().for_each(|what| ends.approximates(id, outside(what)));
        match &edge.failure {
            Some(Failure::Violation(violation)) => {
                let mut violation = violation.clone();
                if violation.check == Check::Assertion {
                    violation.start = site(inlined, id, violation.start, &|call| told(call).start);
                }
                violations.push((id, violation));
            }
            Some(Failure::Unsupported(what)) => ends.leaves(id, outside(what)),
            None => match cuts.get(&id) {
                Some(Cut::Size) => ends.leaves(id, outside(TOO_LARGE)),
                Some(Cut::Recursion) => ends.leaves(id, outside(&too_deep(inlined, *origin))),
                None => {}
            },
        }
    }
    let sites: BTreeSet<Violation> = violations.iter().map(|(_, site)| site.clone()).collect();
    let mut add = |site: &Violation| {
        let Violation { start, check, ref expression } = *site;
        let (place, text) = (source.place(start), check.violation().into());
        ends.property(Property {
            kind: check.name(),
            competition: check.competition(),
            place,
            text,
            expression: expression.clone(),
            function: function_at(start),
            start,
        })
    };
    let ids: BTreeMap<&Violation, PropertyId> =
        sites.iter().map(|site| (site, add(site))).collect();
    violations.iter().for_each(|(edge, site)| ends.violates(*edge, ids[site]));
    ends
}

/// What is said of a call that is too deep in others of its procedure.
fn too_deep(inlined: &Inlined, origin: Origin) -> String {
    let program = inlined.program();
    let Action::Call(call) = &program.edge(origin.edge).action else { return TOO_LARGE.into() };
    let mut at = Some(origin.activation);
    let mut depth = 0_usize;
    while let Some(activation) = at.map(|at| inlined.activations()[at as usize]) {
        depth += usize::from(activation.procedure == call.callee);
        at = activation.caller.map(|(caller, _)| caller);
    }
    let name = &program.procedure(call.callee).name;
    format!("recursion of `{name}` deeper than {}", depth.saturating_sub(1))
}

/// Where an assertion is. Functions that are called to check something stand for their callers.
fn site(
    inlined: &Inlined,
    edge: EdgeId,
    start: usize,
    start_of: &dyn Fn(ProgramEdgeId) -> usize,
) -> usize {
    let mut site = start;
    let mut activation = inlined.origins()[edge.0 as usize].activation;
    for (caller, call) in inlined.calls(edge) {
        let procedure = inlined.activations()[activation as usize].procedure;
        let name = &inlined.program().procedure(procedure).name;
        if !name.to_ascii_lowercase().contains("assert") {
            break;
        }
        (site, activation) = (start_of(call), caller);
    }
    site
}
