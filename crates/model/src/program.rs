//! Programs: procedures that call each other, over one store.
//!
//! A procedure is a graph of statements and calls. All variables are in one store, but each activation of a procedure has
//! its locals to itself; they have any values when it begins. A call passes values to parameters, which are locals of the
//! callee. Results are passed in variables that are no locals.
//!
//! [`inline()`] makes one automaton of a program.

mod cycles;
mod inline;
mod inlined;
mod replay;

use lapidary_expr::{Term, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cfa::{InvalidCfa, Loc, Position, check};
use crate::stmt::Stmt;

pub use cycles::{reached, within_cycles};
pub use inline::{Room, inline};
pub use inlined::{Activation, Cut, Inlined, Origin};

/// A procedure of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcedureId(pub u32);

/// An edge of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramEdgeId(pub u32);

/// A procedure.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: String,
    /// The locals that calls give values to.
    pub params: Vec<Var>,
    /// The variables that callers read after a call.
    pub results: Vec<Var>,
    /// The variables that each activation has to itself, parameters among them.
    pub locals: Vec<Var>,
    /// Where it begins.
    pub entry: Loc,
    /// Where it returns to its caller.
    pub exit: Loc,
    edges: Vec<ProgramEdgeId>,
}

impl Procedure {
    /// The edges, in the order in which they were added.
    pub fn edges(&self) -> &[ProgramEdgeId] {
        &self.edges
    }
}

/// What an edge does.
#[derive(Clone, Debug)]
pub enum Action {
    /// A statement.
    Stmt(Stmt),
    /// A call.
    Call(Call),
}

/// A call: the caller's statement, then the parameters get their values, then the callee runs to its exit.
#[derive(Clone, Debug)]
pub struct Call {
    /// What the caller does first.
    pub before: Stmt,
    /// Parameters of the callee with their values, over the variables of the caller.
    pub args: Vec<(Var, Term)>,
    /// What is called.
    pub callee: ProcedureId,
}

impl Call {
    /// Those of some locals of the callee that the call gives no value.
    fn without_value(&self, locals: &[Var]) -> Vec<Var> {
        let is_given = |local: &Var| self.args.iter().any(|(param, _)| param == local);
        locals.iter().filter(|local| !is_given(local)).copied().collect()
    }
}

/// An edge of a procedure.
#[derive(Clone, Debug)]
pub struct ProgramEdge {
    /// Where it starts.
    pub source: Loc,
    /// What it does.
    pub action: Action,
    /// Where it leads.
    pub target: Loc,
    /// Where it stands in the source.
    pub position: Option<Position>,
}

/// Procedures with an error location that belongs to none of them. The first procedure is where executions start.
#[derive(Clone, Debug)]
pub struct Program {
    name: String,
    vars: Vec<Var>,
    ranges: FxHashMap<Var, Term>,
    procedures: Vec<Procedure>,
    edges: Vec<ProgramEdge>,
    n_locs: u32,
    error: Option<Loc>,
    has_written_checks: bool,
}

impl Program {
    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All variables, in the order of their declaration.
    pub fn vars(&self) -> &[Var] {
        &self.vars
    }

    /// What the type of a variable says of its values, if it says anything. This is a hint: that the program keeps it has to be
    /// shown.
    pub fn range(&self, var: Var) -> Option<Term> {
        self.ranges.get(&var).copied()
    }

    /// All procedures.
    pub fn procedures(&self) -> &[Procedure] {
        &self.procedures
    }

    /// A procedure.
    pub fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id.0 as usize]
    }

    /// An edge.
    pub fn edge(&self, id: ProgramEdgeId) -> &ProgramEdge {
        &self.edges[id.0 as usize]
    }

    /// The number of edges of all procedures.
    pub fn n_edges(&self) -> usize {
        self.edges.len()
    }

    /// The number of locations of all procedures, and the error location.
    pub fn n_locs(&self) -> usize {
        self.n_locs as usize
    }

    /// What must not be reached.
    pub fn error(&self) -> Option<Loc> {
        self.error
    }
}

/// Why something is no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidProgram {
    /// A statement is not well-formed.
    #[error(transparent)]
    Stmt(#[from] InvalidCfa),
    /// An edge leads from one procedure to another without a call.
    #[error("an edge of `{0}` leads to a location of another procedure")]
    Jump(String),
    /// An edge leaves the exit of a procedure.
    #[error("an edge leaves the exit of `{0}`")]
    Exit(String),
    /// A call does not fit the procedure that is called.
    #[error(
        "a call of `{0}` gives a value to something that is no parameter, or a value of another sort"
    )]
    Argument(String),
    /// A local variable is used by another procedure.
    #[error("`{0}` is a local variable, and another procedure uses it")]
    Local(Var),
}

/// Makes programs.
#[derive(Clone, Debug)]
pub struct ProgramBuilder {
    program: Program,
}

impl ProgramBuilder {
    /// A program without procedures.
    pub fn new(name: &str) -> Self {
        ProgramBuilder {
            program: Program {
                name: name.into(),
                vars: Vec::new(),
                ranges: FxHashMap::default(),
                procedures: Vec::new(),
                edges: Vec::new(),
                n_locs: 0,
                error: None,
                has_written_checks: false,
            },
        }
    }

    /// Says that wrap-around and checks are written out ([`Cfa::has_written_checks`](crate::Cfa::has_written_checks)).
    pub fn written_checks(&mut self, are_there: bool) {
        self.program.has_written_checks = are_there;
    }

    /// Declares variables.
    pub fn vars(&mut self, vars: &[Var]) {
        self.program.vars.extend(vars);
    }

    /// Says what the type of a variable says of its values.
    pub fn range(&mut self, var: Var, range: Term) {
        self.program.ranges.insert(var, range);
    }

    /// Adds a location.
    pub fn loc(&mut self) -> Loc {
        self.program.n_locs += 1;
        Loc(self.program.n_locs - 1)
    }

    /// Makes `loc` the error location.
    pub fn error(&mut self, loc: Loc) {
        self.program.error = Some(loc);
    }

    /// Adds a procedure, the first of which is where executions start.
    pub fn procedure(&mut self, name: &str, entry: Loc, exit: Loc) -> ProcedureId {
        self.program.procedures.push(Procedure {
            name: name.into(),
            params: Vec::new(),
            results: Vec::new(),
            locals: Vec::new(),
            entry,
            exit,
            edges: Vec::new(),
        });
        ProcedureId(self.program.procedures.len() as u32 - 1)
    }

    /// A procedure, to say what its variables are.
    pub fn procedure_mut(&mut self, id: ProcedureId) -> &mut Procedure {
        &mut self.program.procedures[id.0 as usize]
    }

    /// For each variable that is used the procedure that uses it, if it is only one. Callers of a procedure do not use the
    /// parameters that they give values to; the callee does.
    pub fn users(&self) -> FxHashMap<Var, Option<ProcedureId>> {
        let mut users: FxHashMap<Var, Option<ProcedureId>> = FxHashMap::default();
        for (i, procedure) in self.program.procedures.iter().enumerate() {
            let id = ProcedureId(i as u32);
            for edge in &procedure.edges {
                let mut uses = |var: Var, id: ProcedureId| {
                    let user = users.entry(var).or_insert(Some(id));
                    *user = user.filter(|user| *user == id);
                };
                let action = &self.program.edge(*edge).action;
                used(action, &mut |var| uses(var.base(), id));
                if let Action::Call(call) = action {
                    call.args.iter().for_each(|(param, _)| uses(*param, call.callee));
                }
            }
        }
        users
    }

    /// The procedures that call themselves, perhaps by way of others.
    pub fn recursive(&self) -> Vec<ProcedureId> {
        self.program.recursive()
    }

    /// Adds an edge to a procedure.
    pub fn edge(&mut self, procedure: ProcedureId, edge: ProgramEdge) -> ProgramEdgeId {
        let id = ProgramEdgeId(self.program.edges.len() as u32);
        self.program.edges.push(edge);
        self.program.procedures[procedure.0 as usize].edges.push(id);
        id
    }

    /// The program, if it is well-formed.
    pub fn build(self) -> Result<Program, InvalidProgram> {
        let program = self.program;
        let declared: FxHashSet<Var> = program.vars.iter().copied().collect();
        let mut owners: FxHashMap<Loc, usize> = FxHashMap::default();
        for (i, procedure) in program.procedures.iter().enumerate() {
            for id in &procedure.edges {
                let edge = program.edge(*id);
                if edge.source == procedure.exit {
                    return Err(InvalidProgram::Exit(procedure.name.clone()));
                }
                for loc in [edge.source, edge.target] {
                    if Some(loc) != program.error && *owners.entry(loc).or_insert(i) != i {
                        return Err(InvalidProgram::Jump(procedure.name.clone()));
                    }
                }
                check_action(&program, &edge.action, &declared)?;
            }
        }
        check_locals(&program)?;
        Ok(program)
    }
}

fn check_action(
    program: &Program,
    action: &Action,
    declared: &FxHashSet<Var>,
) -> Result<(), InvalidProgram> {
    let Call { before, args, callee } = match action {
        Action::Stmt(stmt) => return Ok(check(stmt, declared)?),
        Action::Call(call) => call,
    };
    check(before, declared)?;
    check(&Stmt::Assign(args.clone()), declared)?;
    let callee = program.procedure(*callee);
    match args.iter().all(|(param, _)| callee.params.contains(param)) {
        true => Ok(()),
        false => Err(InvalidProgram::Argument(callee.name.clone())),
    }
}

/// Visits the variables that a procedure uses on an edge.
fn used(action: &Action, visit: &mut dyn FnMut(Var)) {
    let (Action::Stmt(stmt) | Action::Call(Call { before: stmt, .. })) = action;
    stmt.written().into_iter().for_each(&mut *visit);
    stmt.for_each_term(&mut |term| term.vars().iter().for_each(|var| visit(*var)));
    if let Action::Call(call) = action {
        let values = call.args.iter().map(|(_, value)| *value);
        values.for_each(|value| value.vars().iter().for_each(|var| visit(*var)));
    }
}

/// Only the procedure itself uses its locals; callers give values to parameters.
fn check_locals(program: &Program) -> Result<(), InvalidProgram> {
    let mut owners: FxHashMap<Var, usize> = FxHashMap::default();
    for (i, procedure) in program.procedures.iter().enumerate() {
        for local in &procedure.locals {
            if owners.insert(*local, i).is_some() {
                return Err(InvalidProgram::Local(*local));
            }
        }
    }
    for (i, procedure) in program.procedures.iter().enumerate() {
        for id in &procedure.edges {
            let action = &program.edge(*id).action;
            let mut stray = None;
            let mut mention = |var: Var| {
                let is_stray = owners.get(&var.base()).is_some_and(|owner| *owner != i);
                stray = stray.or(is_stray.then_some(var));
            };
            used(action, &mut mention);
            if let Some(var) = stray {
                return Err(InvalidProgram::Local(var));
            }
        }
    }
    Ok(())
}
