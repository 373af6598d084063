//! A program as Horn clauses: for each procedure a relation for what it is called with, one for what it does, and one for each
//! location inside.
//!
//! ```text
//! S_l(in, x) ∧ tran(op)(x, x')                      →  S_l'(in, x')          for each statement
//! S_l(in, x) ∧ y = args(x)                          →  Entry_f(y)            for each call of f
//! S_l(in, x) ∧ y = args(x) ∧ Summary_f(y, x')       →  S_l'(in, x')
//! Entry_f(in)  →  S_entry(in, in)        S_exit(in, x)  →  Summary_f(in, x)
//! ```
//!
//! `in` is what a procedure is entered with. A solution in which the error is empty gives each procedure a contract; the clauses of
//! calls are not linear. That there is no solution the solver may say, but it has no run to show.

use lapidary_expr::{Term, Var, Versions};
use lapidary_model::program::{Action, Call, ProcedureId, Program};
use lapidary_model::{Contract, Loc, ProgramProof, ProofState, Stmt, encode};
use lapidary_solver::horn::{Atom, Clause, System};
use lapidary_solver::{Backend, Result, Stop};
use rustc_hash::FxHashMap;

use super::visible::{Visible, called, visible};
use super::{prune, ranges};

/// What the clauses of a program come to.
#[derive(Clone, Debug)]
pub enum Solved {
    /// They have a solution.
    Safe(ProgramProof),
    /// They have none, so that the error can be reached.
    Unsafe,
}

/// Looks for contracts; an error if the back end has no Horn solver.
pub fn summaries(program: &Program, backend: &dyn Backend) -> Result<Solved> {
    let mut solver =
        backend.horn().ok_or_else(|| Stop::Solver("it does not solve Horn clauses".into()))?;
    let clauses = Clauses::new(program);
    let system = clauses.system(backend)?;
    let known = prune::known(&system);
    let smaller = prune::pruned(&system, &known);
    let ranges = ranges::kept(&smaller, &|var| clauses.range(var), backend)?;
    let found = solver.solve(&ranges::strengthened(&smaller, &ranges))?;
    let Some(found) = found else { return Ok(Solved::Unsafe) };
    let formulas = found.into_iter().zip(ranges).zip(known);
    let formulas = formulas
        .map(|((formula, range), known)| known.unwrap_or_else(|| Term::and([range, formula])));
    let formulas: Vec<Term> = formulas.collect();
    // A wrong solution is the solver's fault, and no reason to end the run as a wrong proof of our own would be.
    if !system.is_solved_by(&formulas, &mut *backend.solver())? {
        return Err(Stop::Solver("wrong solution of Horn clauses".into()));
    }
    Ok(Solved::Safe(ProgramProof::Contracts(clauses.contracts(&formulas))))
}

/// The states that a relation describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Relation {
    /// The arguments and globals at the entry of a procedure.
    Entry(ProcedureId),
    /// What it does.
    Summary(ProcedureId),
    /// What holds at a location.
    At(Loc),
    /// The error.
    Error,
}

struct Clauses<'a> {
    program: &'a Program,
    visible: Vec<Visible>,
    /// The procedures that are called, with their locations.
    called: Vec<(ProcedureId, Vec<Loc>)>,
    numbers: FxHashMap<Relation, usize>,
    parameters: Vec<Vec<Var>>,
    /// The variables whose values at the entry others are.
    bases: FxHashMap<Var, Var>,
}

/// What a variable was at the entry.
fn entered(var: Var) -> Var {
    Var::new(&format!("{}!entered", var.name()), var.sort())
}

/// What is passed to a parameter.
fn passed(var: Var) -> Var {
    Var::new(&format!("{}!passed", var.name()), var.sort())
}

impl<'a> Clauses<'a> {
    fn new(program: &'a Program) -> Self {
        let locs = |id: ProcedureId| {
            let procedure = program.procedure(id);
            let edges = procedure.edges().iter().map(|id| program.edge(*id));
            let ends = edges.flat_map(|edge| [edge.source, edge.target]);
            let mut locs: Vec<Loc> = ends.chain([procedure.entry, procedure.exit]).collect();
            locs.sort_unstable();
            locs.dedup();
            locs.retain(|loc| Some(*loc) != program.error());
            (id, locs)
        };
        let called = called(program).into_iter().map(locs).collect();
        let visible = visible(program);
        let (numbers, parameters) = (FxHashMap::default(), Vec::new());
        let bases = FxHashMap::default();
        let mut clauses = Clauses { program, visible, called, numbers, parameters, bases };
        clauses.relation(Relation::Error, Vec::new());
        for (id, locs) in clauses.called.clone() {
            let visible = clauses.visible(id).clone();
            let at_entry: Vec<Var> =
                visible.inputs.iter().chain(&visible.params).copied().collect();
            let ins: Vec<Var> = at_entry.iter().map(|var| entered(*var)).collect();
            clauses.bases.extend(ins.iter().copied().zip(at_entry.iter().copied()));
            clauses.relation(Relation::Entry(id), at_entry);
            let outs = ins.iter().chain(&visible.writes).copied().collect();
            clauses.relation(Relation::Summary(id), outs);
            for loc in locs {
                let live = visible.live.get(&loc).cloned().unwrap_or_default();
                clauses.relation(Relation::At(loc), ins.iter().copied().chain(live).collect());
            }
        }
        clauses
    }

    /// What the type of a variable says of it.
    fn range(&self, var: Var) -> Option<Term> {
        let base = self.bases.get(&var).copied().unwrap_or(var);
        let range = self.program.range(base)?;
        Some(range.map_vars(&|of| (of == base).then(|| Term::var(var))))
    }

    fn visible(&self, id: ProcedureId) -> &Visible {
        &self.visible[id.0 as usize]
    }

    fn relation(&mut self, relation: Relation, parameters: Vec<Var>) {
        self.numbers.insert(relation, self.parameters.len());
        self.parameters.push(parameters);
    }

    /// The relation of what variables are now.
    fn atom(&self, relation: Relation, now: &dyn Fn(Var) -> Var) -> Atom {
        let number = self.numbers[&relation];
        Atom {
            relation: number,
            args: self.parameters[number].iter().map(|var| now(*var)).collect(),
        }
    }

    fn system(&self, backend: &dyn Backend) -> Result<System> {
        let mut clauses = Vec::new();
        let same = |var: Var| var;
        let main = self.atom(Relation::Entry(ProcedureId(0)), &same);
        clauses.push(Clause { from: Vec::new(), by: true.into(), to: main });
        for (id, _) in &self.called {
            backend.check()?;
            self.procedure(*id, &mut clauses);
        }
        let goal = self.atom(Relation::Error, &same);
        Ok(System { relations: self.parameters.clone(), clauses, goal })
    }

    fn procedure(&self, id: ProcedureId, clauses: &mut Vec<Clause>) {
        let (procedure, visible) = (self.program.procedure(id), self.visible(id));
        let is_in = |var: Var| visible.inputs.contains(&var) || visible.params.contains(&var);
        let begin = |var: Var| if is_in(var) { entered(var) } else { var };
        let from = vec![self.atom(Relation::Entry(id), &entered)];
        let to = self.atom(Relation::At(procedure.entry), &begin);
        clauses.push(Clause { from, by: true.into(), to });
        let same = |var: Var| var;
        let from = vec![self.atom(Relation::At(procedure.exit), &same)];
        let to = self.atom(Relation::Summary(id), &same);
        clauses.push(Clause { from, by: true.into(), to });
        for edge in procedure.edges().iter().map(|edge| self.program.edge(*edge)) {
            let from = self.atom(Relation::At(edge.source), &same);
            let mut after = Now { visible, versions: Versions::new() };
            let target = match Some(edge.target) == self.program.error() {
                true => Relation::Error,
                false => Relation::At(edge.target),
            };
            match &edge.action {
                Action::Stmt(stmt) => {
                    let by = after.stmt(stmt);
                    let to = self.atom(target, &|var| after.var(var));
                    clauses.push(Clause { from: vec![from], by, to });
                }
                Action::Call(call) => self.call(call, from, target, &mut after, clauses),
            }
        }
    }

    /// The clauses of a call.
    fn call(
        &self,
        call: &Call,
        from: Atom,
        target: Relation,
        now: &mut Now<'_>,
        clauses: &mut Vec<Clause>,
    ) {
        let callee = self.visible(call.callee);
        let mut by = vec![now.stmt(&call.before)];
        let values: Vec<(Var, Term)> =
            call.args.iter().map(|(param, value)| (*param, now.term(*value))).collect();
        for (param, value) in values {
            let is_local = self.program.procedure(call.callee).locals.contains(&param);
            let to = if is_local { passed(param) } else { now.versions.advance(param) };
            by.push(Term::var(to).equals(value));
        }
        let by = Term::and(by);
        let given = |var: Var| {
            if callee.params.contains(&var) { passed(var) } else { now.var(var) }
        };
        let to = self.atom(Relation::Entry(call.callee), &given);
        clauses.push(Clause { from: vec![from.clone()], by, to });
        let ins: FxHashMap<Var, Var> = callee
            .inputs
            .iter()
            .chain(&callee.params)
            .map(|var| (entered(*var), given(*var)))
            .collect();
        let mut after = Now { visible: now.visible, versions: now.versions.clone() };
        for var in &callee.writes {
            after.versions.advance(*var);
        }
        let done = self.atom(Relation::Summary(call.callee), &|var| {
            ins.get(&var).copied().unwrap_or_else(|| after.versions.current(var))
        });
        let to = self.atom(target, &|var| after.var(var));
        clauses.push(Clause { from: vec![from, done], by, to });
    }

    /// The solution as contracts.
    fn contracts(&self, formulas: &[Term]) -> Vec<Contract> {
        let of = |relation: Relation| formulas[self.numbers[&relation]];
        let contract = |(id, locs): &(ProcedureId, Vec<Loc>)| {
            let visible = self.visible(*id);
            let at_entry = visible.inputs.iter().chain(&visible.params);
            let back: FxHashMap<Var, Var> = at_entry
                .map(|var| {
                    let is_same = visible.inputs.contains(var) && !visible.writes.contains(var);
                    (entered(*var), if is_same { *var } else { Contract::entered(*var) })
                })
                .collect();
            let told =
                |formula: Term| formula.map_vars(&|var| back.get(&var).map(|var| Term::var(*var)));
            let state = |loc: &Loc| ProofState {
                loc: *loc,
                formula: told(of(Relation::At(*loc))),
                successors: Vec::new(),
            };
            let is_first = *id == ProcedureId(0);
            Contract {
                procedure: *id,
                pre: if is_first { true.into() } else { of(Relation::Entry(*id)) },
                post: told(of(Relation::Summary(*id))),
                writes: visible.writes.iter().copied().collect(),
                states: locs.iter().map(state).collect(),
            }
        };
        self.called.iter().map(contract).collect()
    }
}

/// The variables at a point of a procedure.
struct Now<'a> {
    visible: &'a Visible,
    versions: Versions,
}

impl Now<'_> {
    /// The variable that has the value of another now. What a procedure does not write is as it was entered.
    fn var(&self, var: Var) -> Var {
        let is_constant = self.visible.inputs.contains(&var) && !self.visible.writes.contains(&var);
        match is_constant {
            true => entered(var),
            false if var.version() == 0 => self.versions.current(var),
            false => var,
        }
    }

    fn term(&self, term: Term) -> Term {
        term.map_vars(&|var| Some(self.var(var).into()))
    }

    /// The formula of a statement, after which the variables are others.
    fn stmt(&mut self, stmt: &Stmt) -> Term {
        let formula = encode(stmt, &mut self.versions);
        let is_constant =
            |var: Var| self.visible.inputs.contains(&var) && !self.visible.writes.contains(&var);
        formula.map_vars(&|var| is_constant(var).then(|| entered(var).into()))
    }
}
