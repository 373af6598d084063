//! Gates as clauses (Tseitin's transformation), made once and copied for each frame.
//!
//! A variable of the solver is a leaf, a choice, or a conjunction of any number of edges: gates that only one other gate
//! reads, and that reads them without negation, are part of it and need no variable.

use std::rc::Rc;

use lapidary_sat::{Cones, Lit, Solver};

use super::aig::{Aig, Choice};

/// Stands for a node without a variable.
const NONE: u32 = u32::MAX;

/// A solver with the clauses of gates.
pub(super) struct Clauses {
    pub(super) solver: Solver,
    /// The variable of each node.
    vars: Vec<u32>,
}

/// How a node is expressed.
enum Shape {
    Leaf,
    Choice(Choice),
    And(Vec<Lit>),
}

impl Clauses {
    /// The clauses of what `roots` depend on; the leaves in `first` have the variables from 1 on.
    pub(super) fn new(aig: &Aig, first: &[Lit], roots: &[Lit]) -> Clauses {
        let readers = readers(aig, roots);
        let mut encoder = Encoder {
            aig,
            readers,
            clauses: Clauses { solver: Solver::new(), vars: vec![NONE; aig.n_nodes()] },
            cones: Cones::new(),
        };
        encoder.define(0, &[]);
        encoder.clauses.solver.add_clause(&[!Lit::positive(0)]);
        first.iter().for_each(|leaf| encoder.define(leaf.var(), &[]));
        roots.iter().for_each(|root| encoder.encode(root.var()));
        let Encoder { mut clauses, cones, .. } = encoder;
        clauses.solver.keep_to(Rc::new(cones));
        clauses
    }

    /// The literal of an edge that the roots depend on.
    pub(super) fn literal(&self, edge: Lit) -> Lit {
        self.known(edge).expect("roots and leaves below them have variables")
    }

    /// The literal of an edge, if it has one.
    pub(super) fn known(&self, edge: Lit) -> Option<Lit> {
        let var = self.vars[edge.var() as usize];
        (var != NONE).then(|| Lit::new(var, edge.is_positive()))
    }
}

/// How often each node is read; roots count twice, so that they get variables.
fn readers(aig: &Aig, roots: &[Lit]) -> Vec<u32> {
    let mut readers = vec![0_u32; aig.n_nodes()];
    let mut open: Vec<u32> = Vec::new();
    for root in roots {
        if readers[root.var() as usize] == 0 {
            open.push(root.var());
        }
        readers[root.var() as usize] += 2;
    }
    while let Some(node) = open.pop() {
        for fanin in aig.gate(node).into_iter().flatten() {
            if readers[fanin.var() as usize] == 0 {
                open.push(fanin.var());
            }
            readers[fanin.var() as usize] += 1;
        }
    }
    readers
}

struct Encoder<'a> {
    aig: &'a Aig,
    readers: Vec<u32>,
    clauses: Clauses,
    cones: Cones,
}

impl Encoder<'_> {
    fn define(&mut self, node: u32, inputs: &[Lit]) {
        if self.clauses.vars[node as usize] == NONE {
            self.clauses.vars[node as usize] = self.clauses.solver.new_var();
            self.cones.add(inputs.iter().map(|input| self.clauses.vars[input.var() as usize]));
        }
    }

    /// Encodes a node after its inputs.
    fn encode(&mut self, root: u32) {
        let mut open = vec![root];
        while let Some(node) = open.last().copied() {
            if self.clauses.vars[node as usize] != NONE {
                open.pop();
                continue;
            }
            let shape = self.shape(node);
            let inputs = match &shape {
                Shape::Leaf => Vec::new(),
                Shape::Choice(it) => vec![it.condition, it.then, it.otherwise],
                Shape::And(inputs) => inputs.clone(),
            };
            let before = open.len();
            let is_missing = |lit: &&Lit| self.clauses.vars[lit.var() as usize] == NONE;
            open.extend(inputs.iter().filter(is_missing).map(|lit| lit.var()));
            if open.len() == before {
                self.define(node, &inputs);
                self.add(node, &shape);
                open.pop();
            }
        }
    }

    fn shape(&self, node: u32) -> Shape {
        let Some(fanins) = self.aig.gate(node) else { return Shape::Leaf };
        if let Some(choice) = self.aig.as_choice(node) {
            return Shape::Choice(choice);
        }
        let mut inputs = Vec::new();
        let mut open = fanins.to_vec();
        while let Some(edge) = open.pop() {
            let is_part = edge.is_positive()
                && self.readers[edge.var() as usize] == 1
                && self.aig.as_choice(edge.var()).is_none();
            match self.aig.gate(edge.var()).filter(|_| is_part) {
                Some(fanins) => open.extend(fanins),
                None => inputs.push(edge),
            }
        }
        inputs.sort_unstable();
        inputs.dedup();
        Shape::And(inputs)
    }

    fn add(&mut self, node: u32, shape: &Shape) {
        let gate = self.clauses.literal(Lit::positive(node));
        let literal = |edge: Lit, clauses: &Clauses| clauses.literal(edge);
        match shape {
            Shape::Leaf => {}
            Shape::Choice(choice) => {
                let [c, t, e] = [choice.condition, choice.then, choice.otherwise]
                    .map(|edge| literal(edge, &self.clauses));
                // The node is the negation of the choice.
                let clauses = [[!c, !t, !gate], [!c, t, gate], [c, !e, !gate], [c, e, gate]];
                clauses.iter().for_each(|clause| {
                    self.clauses.solver.add_clause(clause);
                });
                if t != !e {
                    self.clauses.solver.add_clause(&[!t, !e, !gate]);
                    self.clauses.solver.add_clause(&[t, e, gate]);
                }
            }
            Shape::And(inputs) => {
                let inputs: Vec<Lit> =
                    inputs.iter().map(|edge| literal(*edge, &self.clauses)).collect();
                for input in &inputs {
                    self.clauses.solver.add_clause(&[!gate, *input]);
                }
                let all: Vec<Lit> = inputs.iter().map(|input| !*input).chain([gate]).collect();
                self.clauses.solver.add_clause(&all);
            }
        }
    }
}
