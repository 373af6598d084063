//! Lifting: the states of a cube all do what one state did.
//!
//! With the inputs of a model fixed, some latches suffice for the target: the conditions of the step and the literals of
//! the next cube, or the conditions of a bad frame. Conditions are a part of the target. If they were asserted instead,
//! the cube could have states without that step, and counterexamples would be spurious.
//!
//! First the gates justify their values from the target down: a conjunction that is false needs one of its inputs only,
//! the one that takes the fewest latches. (This is what ternary simulation leaves, without a try for each latch;
//! Eén, Mishchenko & Brayton, FMCAD 2011, section III.) Then a query whose answer must be no drops more:
//! `x = latches ∧ i = inputs ∧ ¬target` (Chockler, Ivrii, Matsliah, Moran & Nevo, *Incremental Formal Verification of
//! Hardware*, FMCAD 2011).

use lapidary_sat::{Lit, Solver};

use super::aig::Aig;
use super::cube::{Cube, latch_literal};
use super::frames::Activity;
use super::query::{Meter, Stopped};

pub(super) struct Lifter {
    /// The gates, and nothing that holds.
    solver: Solver,
    /// The latch of each node; [`NONE`] for others.
    latches: Vec<u32>,
    /// The nodes of the last cone, inputs of gates before them, with the values and costs of all nodes in it.
    cone: Vec<u32>,
    stamps: Vec<u32>,
    stamp: u32,
    values: Vec<bool>,
    costs: Vec<u32>,
    is_needed: Vec<bool>,
}

const NONE: u32 = u32::MAX;

/// What is lifted.
pub(super) struct Target<'a> {
    /// Edges that are true.
    pub(super) edges: Vec<Lit>,
    /// The same as literals of the solver.
    pub(super) literals: Vec<Lit>,
    /// The values of leaves.
    pub(super) value: &'a dyn Fn(Lit) -> bool,
    /// The literal of a leaf in the solver.
    pub(super) literal: &'a dyn Fn(Lit) -> Option<Lit>,
}

impl Lifter {
    pub(super) fn new(aig: &Aig, latches: impl Iterator<Item = Lit>, solver: Solver) -> Self {
        let n = aig.n_nodes();
        let mut of_node = vec![NONE; n];
        latches.enumerate().for_each(|(i, edge)| of_node[edge.var() as usize] = i as u32);
        Lifter {
            solver,
            latches: of_node,
            cone: Vec::new(),
            stamps: vec![0; n],
            stamp: 0,
            values: vec![false; n],
            costs: vec![0; n],
            is_needed: vec![false; n],
        }
    }

    /// Latch literals of the state that suffice for the target.
    pub(super) fn lift(
        &mut self,
        aig: &Aig,
        target: &Target<'_>,
        activity: &Activity,
        meter: &mut Meter<'_>,
    ) -> Result<Cube, Stopped> {
        self.evaluate(aig, target);
        debug_assert!(
            target.edges.iter().all(|edge| self.value(*edge)),
            "the model has the target"
        );
        let cube = self.justified(aig, target);
        if cube.len() < 2 {
            return Ok(cube);
        }
        self.reduced(aig, cube, target, activity, meter)
    }

    fn value(&self, edge: Lit) -> bool {
        self.values[edge.var() as usize] == edge.is_positive()
    }

    /// The values of the cone of the target, and how many latches they take at most.
    fn evaluate(&mut self, aig: &Aig, target: &Target<'_>) {
        self.stamp += 1;
        self.cone.clear();
        let mut open: Vec<u32> = target.edges.iter().map(|edge| edge.var()).collect();
        while let Some(node) = open.last().copied() {
            let at = node as usize;
            if self.stamps[at] == self.stamp {
                open.pop();
                continue;
            }
            let Some([a, b]) = aig.gate(node) else {
                self.values[at] = node != 0 && (target.value)(Lit::positive(node));
                self.costs[at] = u32::from(self.latches[at] != NONE);
                self.finish(node);
                open.pop();
                continue;
            };
            let before = open.len();
            let is_open = |edge: &Lit| self.stamps[edge.var() as usize] != self.stamp;
            open.extend([a, b].into_iter().filter(is_open).map(Lit::var));
            if open.len() > before {
                continue;
            }
            open.pop();
            let cost = |edge: Lit| self.costs[edge.var() as usize];
            let (first, second) = (self.value(a), self.value(b));
            self.values[at] = first && second;
            self.costs[at] = match (first, second) {
                (true, true) => cost(a).saturating_add(cost(b)),
                (false, true) => cost(a),
                (true, false) => cost(b),
                (false, false) => cost(a).min(cost(b)),
            };
            self.finish(node);
        }
    }

    fn finish(&mut self, node: u32) {
        self.stamps[node as usize] = self.stamp;
        self.is_needed[node as usize] = false;
        self.cone.push(node);
    }

    /// The latches from which the values of the target follow, gate by gate.
    fn justified(&mut self, aig: &Aig, target: &Target<'_>) -> Cube {
        for edge in &target.edges {
            self.is_needed[edge.var() as usize] = true;
        }
        let mut cube = Cube::new();
        for i in (0..self.cone.len()).rev() {
            let node = self.cone[i];
            if !self.is_needed[node as usize] {
                continue;
            }
            let Some([a, b]) = aig.gate(node) else {
                if self.latches[node as usize] != NONE {
                    let latch = self.latches[node as usize] as usize;
                    cube.push(latch_literal(latch, self.values[node as usize]));
                }
                continue;
            };
            if self.values[node as usize] {
                self.is_needed[a.var() as usize] = true;
                self.is_needed[b.var() as usize] = true;
                continue;
            }
            let is_needed = |edge: Lit| self.is_needed[edge.var() as usize];
            let rank = |edge: Lit| (!is_needed(edge), self.costs[edge.var() as usize]);
            let chosen = match (self.value(a), self.value(b)) {
                (false, true) => a,
                (true, false) => b,
                _ if rank(b) < rank(a) => b,
                _ => a,
            };
            self.is_needed[chosen.var() as usize] = true;
        }
        cube.sort_unstable();
        cube
    }

    /// The part of the cube that the solver needs.
    fn reduced(
        &mut self,
        aig: &Aig,
        cube: Cube,
        target: &Target<'_>,
        activity: &Activity,
        meter: &mut Meter<'_>,
    ) -> Result<Cube, Stopped> {
        let is_input = |node: &&u32| {
            self.latches[**node as usize] == NONE && **node != 0 && aig.gate(**node).is_none()
        };
        let literal = |node: &u32| {
            let literal = (target.literal)(Lit::positive(*node))?;
            Some(literal.negated_if(!self.values[*node as usize]))
        };
        let inputs = self.cone.iter().filter(is_input);
        let mut assumed: Vec<Lit> = inputs.filter_map(literal).collect();
        assumed.extend(activity.rising(&cube).iter().rev());
        let clause: Vec<Lit> = target.literals.iter().map(|lit| !*lit).collect();
        if self.solver.solve(&assumed, &clause, meter)? {
            debug_assert!(false, "the cube suffices");
            return Ok(cube);
        }
        let is_latch = |lit: &Lit| cube.binary_search(lit).is_ok();
        let mut core: Cube = self.solver.core().iter().copied().filter(is_latch).collect();
        core.sort_unstable();
        Ok(core)
    }
}
