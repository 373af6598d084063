//! The circuit of a system: its statements as gates over latches and inputs.
//!
//! ```text
//! start –first→ run –step→ run –bad→ error
//! ```
//!
//! Each statement is executed symbolically. Its nondeterministic choices are inputs: the values of `havoc` and of relations, and
//! the branches of choices. So every latch has a function, also one without a next value. What a statement assumes is a
//! condition of its step: conditions of `step` belong to steps, those of `bad` to the last frame only.
//!
//! What both `first` and `step` assume at their ends holds in every frame: state-only constraints come like that.

use lapidary_expr::bits::Blaster;
use lapidary_expr::{Op, Sort, Term, Value, Var};
use lapidary_model::{Cfa, Decision, EdgeId, Stmt};
use lapidary_sat::Lit;
use rustc_hash::{FxHashMap, FxHashSet};

use super::aig::{Aig, no, yes};

/// The gates of a statement.
#[derive(Default)]
pub(super) struct Block {
    /// What the statement assumes.
    pub(super) assumed: Vec<Lit>,
    /// Its nondeterministic choices, in the order of decisions.
    pub(super) open: Vec<Open>,
    /// The values of variables afterwards.
    pub(super) values: FxHashMap<Var, Lit>,
}

/// A nondeterministic choice of a statement.
pub(super) enum Open {
    /// The value of a variable.
    Value(Lit),
    /// Which branch is taken: the first whose edge is true.
    Branch(Vec<(Lit, Vec<Open>)>),
}

/// A state variable.
pub(super) struct Latch {
    pub(super) var: Var,
    pub(super) current: Lit,
    /// Its next value.
    pub(super) next: Lit,
    /// Its first value, over the leaves of the first edge.
    pub(super) first: Lit,
}

/// A system as gates.
pub(super) struct Circuit {
    pub(super) aig: Aig,
    /// The latches that matter, by number.
    pub(super) latches: Vec<Latch>,
    /// The edges of the automaton.
    pub(super) edges: [EdgeId; 3],
    pub(super) first: Block,
    pub(super) step: Block,
    pub(super) bad: Block,
    /// The values of all variables at the start.
    pub(super) start: Vec<(Var, Lit)>,
    /// What holds in every frame, as formulas and as edges over latches.
    pub(super) invariants: Vec<(Term, Lit)>,
}

impl Circuit {
    /// None if the automaton is no system, or not made of truth values.
    pub(super) fn new(cfa: &Cfa) -> Option<Circuit> {
        let edges = edges(cfa)?;
        if cfa.vars().iter().any(|var| var.sort() != Sort::Bool) {
            return None;
        }
        let [first, step, bad] = edges.map(|edge| &cfa.edge(edge).stmt);
        let blaster = Blaster::new(&itself, MOST_GATES);
        let mut gates = Gates { aig: Aig::new(), blaster };
        let start: Vec<(Var, Lit)> =
            cfa.vars().iter().map(|var| (*var, gates.aig.leaf())).collect();
        let current: Vec<(Var, Lit)> =
            cfa.vars().iter().map(|var| (*var, gates.aig.leaf())).collect();
        let facts = facts(first, step);
        let first = gates.block(first, &start)?;
        let step = gates.block(step, &current)?;
        let bad = gates.block(bad, &current)?;
        let values: FxHashMap<Var, Lit> = current.iter().copied().collect();
        let mut known = FxHashMap::default();
        let invariants = facts
            .into_iter()
            .map(|fact| Some((fact, gates.edge(fact, &values, &mut known)?)))
            .collect::<Option<Vec<_>>>()?;
        let latches = current
            .iter()
            .map(|(var, current)| Latch {
                var: *var,
                current: *current,
                next: step.values[var],
                first: first.values[var],
            })
            .collect();
        let aig = gates.aig;
        let mut circuit = Circuit { aig, latches, edges, first, step, bad, start, invariants };
        circuit.keep_cone();
        Some(circuit)
    }

    /// Drops latches that neither the bad frames nor the conditions of steps depend on.
    fn keep_cone(&mut self) {
        let by_node: FxHashMap<u32, usize> =
            self.latches.iter().enumerate().map(|(i, latch)| (latch.current.var(), i)).collect();
        let invariants = self.invariants.iter().map(|(_, edge)| *edge);
        let roots = self.bad.assumed.iter().chain(&self.step.assumed).copied().chain(invariants);
        let mut open: Vec<u32> = roots.map(Lit::var).collect();
        let mut seen = vec![false; self.aig.n_nodes()];
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            open.extend(self.aig.gate(node).into_iter().flatten().map(Lit::var));
            open.extend(by_node.get(&node).map(|latch| self.latches[*latch].next.var()));
        }
        self.latches.retain(|latch| seen[latch.current.var() as usize]);
    }
}

/// The edges from the entry to the inner location, around it, and from it to the error.
fn edges(cfa: &Cfa) -> Option<[EdgeId; 3]> {
    let error = cfa.error()?;
    let run = cfa.locs().find(|loc| *loc != cfa.entry() && *loc != error)?;
    let ends = [(cfa.entry(), run), (run, run), (run, error)];
    let is_one = |ends: (_, _)| {
        let mut found = cfa.edges().filter(|(_, edge)| (edge.source, edge.target) == ends);
        let (id, _) = found.next()?;
        found.next().is_none().then_some(id)
    };
    let [first, step, bad] = ends.map(is_one);
    let from_error = cfa.edges().filter(|(_, edge)| edge.source == error).count();
    (cfa.is_system() && cfa.entry() != error && cfa.n_edges() == 3 + from_error)
        .then_some([first?, step?, bad?])
}

/// The formulas that both statements assume after their last change of a variable.
fn facts(first: &Stmt, step: &Stmt) -> Vec<Term> {
    let of_first: FxHashSet<Term> = last_assumed(first).into_iter().collect();
    last_assumed(step).into_iter().filter(|fact| of_first.contains(fact)).collect()
}

fn last_assumed(stmt: &Stmt) -> Vec<Term> {
    let parts = match stmt {
        Stmt::Seq(parts) => &parts[..],
        other => std::slice::from_ref(other),
    };
    let mut found = Vec::new();
    for part in parts.iter().rev() {
        let Stmt::Assume(condition) = part else { break };
        found.extend(condition.conjuncts());
    }
    found
}

/// A system with about this many gates is not worth the memory.
const MOST_GATES: usize = 2_000_000;

struct Gates {
    aig: Aig,
    /// Makes bits of the words within formulas: variables are truth values, but terms over them may be words.
    blaster: Blaster<'static>,
}

fn itself(var: Var) -> Vec<Term> {
    vec![Term::var(var)]
}

impl Gates {
    fn block(&mut self, stmt: &Stmt, before: &[(Var, Lit)]) -> Option<Block> {
        let values = before.iter().copied().collect();
        let mut block = Block { values, ..Block::default() };
        self.execute(stmt, &mut block)?;
        block.assumed.retain(|edge| *edge != yes());
        Some(block)
    }

    /// Adds a statement to those before it.
    fn execute(&mut self, stmt: &Stmt, block: &mut Block) -> Option<()> {
        match stmt {
            Stmt::Assume(condition) => {
                let mut known = FxHashMap::default();
                for conjunct in condition.conjuncts() {
                    block.assumed.push(self.edge(conjunct, &block.values, &mut known)?);
                }
            }
            Stmt::Assign(pairs) => {
                let mut known = FxHashMap::default();
                let new = pairs
                    .iter()
                    .map(|(var, term)| Some((*var, self.edge(*term, &block.values, &mut known)?)))
                    .collect::<Option<Vec<_>>>()?;
                block.values.extend(new);
            }
            Stmt::Havoc(vars) => vars.iter().for_each(|var| {
                let value = self.aig.leaf();
                block.values.insert(*var, value);
                block.open.push(Open::Value(value));
            }),
            Stmt::Relation { formula, written } => {
                let mut values = block.values.clone();
                for var in written {
                    let value = self.aig.leaf();
                    values.insert(var.at(1), value);
                    block.values.insert(*var, value);
                    block.open.push(Open::Value(value));
                }
                block.assumed.push(self.edge(*formula, &values, &mut FxHashMap::default())?);
            }
            Stmt::Seq(parts) => parts.iter().try_for_each(|part| self.execute(part, block))?,
            Stmt::Choice(parts) => self.choose(parts, block)?,
        }
        Some(())
    }

    fn choose(&mut self, parts: &[Stmt], block: &mut Block) -> Option<()> {
        let Some((last, others)) = parts.split_last() else {
            block.assumed.push(no());
            return Some(());
        };
        let mut branches = Vec::new();
        for (i, part) in others.iter().chain([last]).enumerate() {
            let taken = if i == others.len() { yes() } else { self.aig.leaf() };
            let mut branch = Block { values: block.values.clone(), ..Block::default() };
            self.execute(part, &mut branch)?;
            branches.push((taken, branch));
        }
        // From the last one, which is taken if no other is.
        let mut open = Vec::new();
        let mut merged: Option<(Lit, FxHashMap<Var, Lit>)> = None;
        for (taken, branch) in branches.into_iter().rev() {
            let assumed = self.aig.all(branch.assumed);
            merged = Some(match merged {
                None => (assumed, branch.values),
                Some((others, mut values)) => {
                    for (var, value) in in_order(&branch.values) {
                        let other = values[&var];
                        values.insert(var, self.aig.choice(taken, value, other));
                    }
                    (self.aig.choice(taken, assumed, others), values)
                }
            });
            open.push((taken, branch.open));
        }
        open.reverse();
        let (assumed, values) = merged?;
        block.assumed.push(assumed);
        block.values = values;
        block.open.push(Open::Branch(open));
        Some(())
    }

    /// The edge of a formula over variables with these values.
    fn edge(
        &mut self,
        formula: Term,
        values: &FxHashMap<Var, Lit>,
        known: &mut FxHashMap<Term, Lit>,
    ) -> Option<Lit> {
        let mut open = vec![(formula, 0)];
        while let Some((term, visited)) = open.last_mut() {
            let term = *term;
            let has_words = || term.args().iter().any(|arg| arg.sort() != Sort::Bool);
            if known.contains_key(&term) {
                open.pop();
            } else if *visited == 0 && has_words() {
                let of_bits = self.blaster.truth(term)?;
                match known.get(&of_bits).copied() {
                    Some(edge) => {
                        known.insert(term, edge);
                        open.pop();
                    }
                    None => open.push((of_bits, 0)),
                }
            } else if let Some(arg) = term.args().get(*visited) {
                *visited += 1;
                open.push((*arg, 0));
            } else {
                let edge = self.gate(term, values, known)?;
                known.insert(term, edge);
                open.pop();
            }
        }
        Some(known[&formula])
    }

    fn gate(
        &mut self,
        term: Term,
        values: &FxHashMap<Var, Lit>,
        known: &FxHashMap<Term, Lit>,
    ) -> Option<Lit> {
        let args: Vec<Lit> = term.args().iter().map(|arg| known[arg]).collect();
        Some(match (term.op(), &args[..]) {
            (Op::Var(var), _) => *values.get(var)?,
            (Op::Lit(Value::Bool(value)), _) => yes().negated_if(!value),
            (Op::Not, [arg]) => !*arg,
            (Op::And, _) => self.aig.all(args),
            (Op::Or, _) => !self.aig.all(args.into_iter().map(|arg| !arg)),
            (Op::Eq, [a, b]) => self.aig.equal(*a, *b),
            (Op::Ite, [condition, then, otherwise]) => {
                self.aig.choice(*condition, *then, *otherwise)
            }
            _ => return None,
        })
    }
}

#[expect(clippy::iter_over_hash_type, reason = "they are sorted")]
fn in_order(values: &FxHashMap<Var, Lit>) -> Vec<(Var, Lit)> {
    let mut pairs = Vec::with_capacity(values.len());
    for (var, value) in values {
        pairs.push((*var, *value));
    }
    pairs.sort_unstable_by_key(|(var, _)| *var);
    pairs
}

/// The decisions that leave open edges with the values that `value` gives.
pub(super) fn decisions(open: &[Open], value: &dyn Fn(Lit) -> bool, tape: &mut Vec<Decision>) {
    for open in open {
        match open {
            Open::Value(edge) => tape.push(Decision::Value(Value::Bool(value(*edge)))),
            Open::Branch(branches) => {
                let taken = branches.iter().position(|(taken, _)| value(*taken)).unwrap_or(0);
                tape.push(Decision::Branch(taken));
                if let Some((_, inner)) = branches.get(taken) {
                    decisions(inner, value, tape);
                }
            }
        }
    }
}
