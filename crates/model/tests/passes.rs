//! Passes on random small automata: the same verdict, and evidence that holds on the original.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{Rng, State, holds, read, states, successors, valuation, vars};
use lapidary_expr::Term;
use lapidary_model::pass::{
    BackTranslate, Blocks, Chains, Cone, Constants, Invariants, Pass, Pipeline, Slice, Unreachable,
    Wraps,
};
use lapidary_model::{Cfa, CfaBuilder, Execution, Loc, Proof, ProofState, Step, Stmt};

/// What can be reached, each with the step that first led there.
type Reached = BTreeMap<(Loc, State), Option<(Step, (Loc, State))>>;

fn reach(
    cfa: &Cfa,
    from: impl IntoIterator<Item = (Loc, State)>,
    goes_on: impl Fn(Loc) -> bool,
) -> Reached {
    let mut pending: Vec<(Loc, State)> = from.into_iter().collect();
    let mut reached: Reached = pending.iter().map(|start| (start.clone(), None)).collect();
    while let Some((loc, state)) = pending.pop() {
        for edge in cfa.outgoing(loc) {
            let target = cfa.edge(*edge).target;
            for (after, tape) in successors(&cfa.edge(*edge).stmt, &state) {
                let point = (target, after);
                if !reached.contains_key(&point) {
                    let step = Step { edge: *edge, tape };
                    reached.insert(point.clone(), Some((step, (loc, state.clone()))));
                    if goes_on(target) {
                        pending.push(point);
                    }
                }
            }
        }
    }
    reached
}

fn explore(cfa: &Cfa) -> Reached {
    reach(cfa, states().into_iter().map(|state| (cfa.entry(), state)), |_| true)
}

/// An execution to the error location, if there is one.
fn execution(cfa: &Cfa, reached: &Reached) -> Option<Execution> {
    let mut point = reached.keys().find(|(loc, _)| Some(*loc) == cfa.error())?;
    let mut steps = Vec::new();
    while let Some((step, before)) = &reached[point] {
        steps.push(step.clone());
        point = before;
    }
    steps.reverse();
    Some(Execution { start: valuation(&point.1), steps })
}

/// The strongest proof: at each cut point what is reached there, `false` where nothing is.
fn strongest_proof(reached: &Reached, cuts: &BTreeSet<Loc>) -> Proof {
    let state = |loc: &Loc| {
        let here = reached.keys().filter(|(l, _)| l == loc);
        let formula = Term::or(here.map(|(_, state)| valuation(state).to_term()));
        ProofState { loc: *loc, formula, successors: Vec::new() }
    };
    Proof::of(cuts.iter().map(state).collect())
}

/// The entry and the targets of retreating edges, except for the error: the fewest that an engine may take.
fn few_cuts(cfa: &Cfa) -> BTreeSet<Loc> {
    fn visit(
        cfa: &Cfa,
        loc: Loc,
        open: &mut Vec<Loc>,
        done: &mut BTreeSet<Loc>,
        cuts: &mut BTreeSet<Loc>,
    ) {
        open.push(loc);
        for edge in cfa.outgoing(loc).iter().filter(|_| Some(loc) != cfa.error()) {
            let target = cfa.edge(*edge).target;
            if open.contains(&target) {
                cuts.insert(target);
            } else if !done.contains(&target) {
                visit(cfa, target, open, done, cuts);
            }
        }
        open.pop();
        done.insert(loc);
    }
    let (mut cuts, mut done) = (BTreeSet::from([cfa.entry()]), BTreeSet::new());
    for loc in cfa.locs() {
        if !done.contains(&loc) {
            visit(cfa, loc, &mut Vec::new(), &mut done, &mut cuts);
        }
    }
    cuts
}

/// The three conditions of a proof, by brute force; an error names the one that fails.
fn check_proof(cfa: &Cfa, proof: &Proof) -> Result<(), String> {
    let distances = cfa.distances_to_error();
    let matters = |loc: Loc| distances[loc.0 as usize].is_some();
    let cuts: BTreeSet<Loc> =
        proof.states.iter().map(|state| state.loc).filter(|loc| matters(*loc)).collect();
    let satisfied = |loc: Loc, state: &State| {
        proof.states.iter().any(|s| s.loc == loc && holds(s.formula, state))
    };
    if cuts.iter().any(|loc| Some(*loc) == cfa.error()) {
        return Err("3: the error is a cut point".into());
    }
    if matters(cfa.entry()) && !states().iter().all(|state| satisfied(cfa.entry(), state)) {
        return Err("1: some valuation satisfies no state at the entry".into());
    }
    for loc in &cuts {
        let start =
            states().into_iter().filter(|state| satisfied(*loc, state)).map(|state| (*loc, state));
        for (point, step) in reach(cfa, start, |loc| matters(loc) && !cuts.contains(&loc)) {
            if Some(point.0) == cfa.error() {
                return Err(format!("3: the error is reached from {loc:?}"));
            }
            if step.is_some() && cuts.contains(&point.0) && !satisfied(point.0, &point.1) {
                return Err(format!("2: {point:?} is reached from {loc:?}"));
            }
        }
    }
    // What remains after taking away locations without successors, again and again, has a cycle.
    let inner = |loc: &Loc| matters(*loc) && !cuts.contains(loc) && Some(*loc) != cfa.error();
    let mut rest: BTreeSet<Loc> = cfa.locs().filter(inner).collect();
    while let Some(loc) = rest
        .iter()
        .copied()
        .find(|loc| cfa.outgoing(*loc).iter().all(|edge| !rest.contains(&cfa.edge(*edge).target)))
    {
        rest.remove(&loc);
    }
    if rest.is_empty() {
        Ok(())
    } else {
        Err(format!("3: a cycle through {rest:?} has no cut point"))
    }
}

/// The passes keep the verdict, and evidence about the new automaton is evidence about `cfa`.
fn check(cfa: &Cfa, passes: &[&dyn Pass]) -> Result<(), String> {
    let (reduced, back) = Pipeline::run(cfa, passes);
    let (before, after) = (explore(cfa), explore(&reduced));
    let is_unsafe = execution(cfa, &before).is_some();
    if let Some(execution) = execution(&reduced, &after) {
        let translated = back.execution(execution).replay(cfa);
        return translated.map(|_| ()).map_err(|error| format!("execution: {error}"));
    }
    if is_unsafe {
        return Err("the error is not reached any more".into());
    }
    let everywhere = reduced.locs().filter(|loc| Some(*loc) != reduced.error()).collect();
    for cuts in [few_cuts(&reduced), everywhere] {
        if cuts.iter().any(|loc| Some(*loc) == reduced.error()) {
            continue;
        }
        let proof = strongest_proof(&after, &cuts);
        check_proof(&reduced, &proof).map_err(|problem| format!("test: {problem}"))?;
        check_proof(cfa, &back.proof(proof))?;
        // At locations that are not reached, an engine may say anything.
        let mut loose = strongest_proof(&after, &cuts);
        for state in &mut loose.states {
            if state.formula.is_false() {
                state.formula = true.into();
            }
        }
        if check_proof(&reduced, &loose).is_ok() {
            check_proof(cfa, &back.proof(loose))?;
        }
    }
    Ok(())
}

const PIPELINES: &[&[&dyn Pass]] = &[
    &[],
    &[&Unreachable],
    &[&Constants],
    &[&Unreachable, &Constants],
    &[&Constants, &Unreachable],
    &[&Constants, &Unreachable, &Constants],
    &[&Slice],
    &[&Slice, &Unreachable, &Cone],
    &[&Unreachable, &Constants, &Unreachable, &Slice, &Cone, &Blocks],
    &[&Cone],
    &[&Constants, &Cone, &Unreachable, &Blocks],
    &[&Blocks, &Cone],
    &[&Chains],
    &[&Blocks],
    &[&Chains, &Blocks],
    &[&Unreachable, &Constants, &Unreachable, &Blocks],
    &[&Blocks, &Constants, &Chains],
    &[&Invariants::Assumed],
    &[&Invariants::Assumed, &Blocks],
    &[&Invariants::Assumed, &Unreachable, &Chains],
    &[&Blocks, &Invariants::Assumed],
    &[&Invariants::Decisive, &Blocks],
    &[&Unreachable, &Constants, &Unreachable, &Slice, &Cone, &Invariants::Assumed, &Blocks],
    &[&Wraps],
    &[&Wraps, &Unreachable, &Blocks],
    &[&Wraps, &Unreachable, &Constants, &Unreachable, &Slice, &Cone, &Blocks],
];

/// Location 0 is the entry, the last one the error.
fn automaton(n_locs: usize, edges: Vec<(usize, Stmt, usize)>) -> Cfa {
    let mut builder = CfaBuilder::new("random", "entry");
    builder.vars(&vars());
    let locs: Vec<Loc> =
        (0..n_locs).map(|n| if n == 0 { builder.entry() } else { builder.loc("l") }).collect();
    for (source, stmt, target) in edges {
        builder.edge(locs[source], stmt, locs[target], None);
    }
    builder.error(locs[n_locs - 1]);
    builder.build().unwrap_or_else(|error| panic!("{error}"))
}

fn check_edges(n_locs: usize, edges: &[(usize, Stmt, usize)]) -> Result<(), String> {
    let cfa = automaton(n_locs, edges.to_vec());
    let of =
        |passes: &[&dyn Pass]| passes.iter().map(|pass| pass.name()).collect::<Vec<_>>().join(", ");
    PIPELINES
        .iter()
        .try_for_each(|passes| check(&cfa, passes).map_err(|e| format!("[{}] {e}", of(passes))))
}

/// Fewer edges that still fail, as text.
fn shrunk(n_locs: usize, mut edges: Vec<(usize, Stmt, usize)>) -> String {
    let mut i = 0;
    while i < edges.len() {
        let mut fewer = edges.clone();
        fewer.remove(i);
        if check_edges(n_locs, &fewer).is_err() {
            edges = fewer;
        } else {
            i += 1;
        }
    }
    let lines = edges.iter().map(|(source, stmt, target)| format!("{source} -> {target}: {stmt}"));
    let problem = check_edges(n_locs, &edges).err().unwrap_or_default();
    format!("{problem}\nerror {}\n{}", n_locs - 1, lines.collect::<Vec<_>>().join("\n"))
}

#[test]
fn verdicts_and_evidence_survive() {
    let mut rng = Rng(0x2545_F491_4F6C_DD1D);
    let (mut n_unsafe, mut n_sliced) = (0, 0);
    for _ in 0..300 {
        let n_locs = 2 + rng.below(5);
        let mut edges = Vec::new();
        for _ in 0..rng.below(3 * n_locs) {
            let depth = rng.below(3);
            edges.push((rng.below(n_locs), rng.stmt(depth), rng.below(n_locs)));
        }
        // Known values from the start, or constants have little to do.
        if rng.below(2) == 0 {
            let known = [("p", "true"), ("u", "#b01"), ("v", "#b10")];
            let values = known.iter().zip(vars()).map(|((_, value), var)| (var, read(value)));
            edges.retain(|(source, _, _)| *source != 0);
            edges.push((0, Stmt::Assign(values.collect()), 1));
        }
        // Branches that leave nothing out, or there is little to slice.
        for source in (1..n_locs - 1).filter(|_| rng.below(3) == 0).collect::<Vec<_>>() {
            edges.retain(|(s, _, _)| *s != source);
            let (condition, meet) =
                (read(rng.pick(&["p", "(= u #b01)", "(bvult u v)"])), rng.below(n_locs));
            for condition in [condition, condition.not()] {
                let parts = vec![Stmt::Assume(condition), rng.stmt(0)];
                let target = if rng.below(4) == 0 { rng.below(n_locs) } else { meet };
                edges.push((source, Stmt::Seq(parts), target));
            }
        }
        let cfa = automaton(n_locs, edges.clone());
        n_unsafe += usize::from(execution(&cfa, &explore(&cfa)).is_some());
        n_sliced += usize::from(Slice.run(&cfa).0.n_edges() < cfa.n_edges());
        let survives = check_edges(n_locs, &edges).is_ok();
        assert!(survives, "{}", shrunk(n_locs, edges));
    }
    assert!((60..240).contains(&n_unsafe), "{n_unsafe} of 300 automata are unsafe");
    assert!(n_sliced > 30, "{n_sliced} of 300 automata have something to slice");
}

fn assume(text: &str) -> Stmt {
    Stmt::Assume(read(text))
}

fn check_survives(n_locs: usize, edges: &[(usize, Stmt, usize)]) {
    assert_eq!(check_edges(n_locs, edges), Ok(()));
}

/// The proof says nothing about the loop, which leads to the error but is never reached.
#[test]
fn a_cycle_without_a_way_from_the_entry() {
    check_survives(3, &[(1, Stmt::skip(), 1), (1, Stmt::skip(), 2), (0, assume("false"), 2)]);
}

/// Constants drop the edge back from 2 to 1; a proof of the rest has no cut point between them.
#[test]
fn a_cycle_of_which_an_edge_goes() {
    let [_, u, _] = vars();
    check_survives(
        4,
        &[
            (0, Stmt::assign(u, read("#b01")), 1),
            (1, assume("(bvult v #b10)"), 2),
            (2, assume("(= u #b10)"), 1),
            (2, assume("(= v #b11)"), 3),
        ],
    );
}

/// Constants cut the way to the loop.
#[test]
fn a_cycle_that_is_not_reached() {
    let [_, u, _] = vars();
    check_survives(
        5,
        &[
            (0, Stmt::assign(u, read("#b01")), 1),
            (1, assume("(= u #b10)"), 2),
            (2, assume("p"), 3),
            (3, Stmt::skip(), 2),
            (3, Stmt::skip(), 4),
        ],
    );
}
