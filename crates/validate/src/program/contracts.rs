//! The obligations of contracts, as automata that must be safe.
//!
//! ```text
//! begin ─ assume pre; copy what is entered with ─▶ entry … exit ─ assume ¬post ─▶ error
//! at a call:  l ─ before; arguments ─▶ m ─ assume ¬pre of the callee ─▶ error
//!                                      m ─ havoc writes of the callee; assume its post ─▶ l'
//! ```
//!
//! What a contract says of values at the entry is about copies that no statement writes, and of the parameters of a callee about
//! variables of their own, since a procedure may call itself. A parameter that is no local is a variable that calls write. A variable that a procedure does not write is its own copy; that it does
//! not write it is seen from its statements and the contracts of its callees.

use std::collections::BTreeMap;

use lapidary_expr::{Sort, Term, Var, VarSet};
use lapidary_model::program::{Action, Call, Procedure, ProcedureId, Program};
use lapidary_model::{Cfa, CfaBuilder, Contract, Loc, Proof, ProofState, Stmt};
use lapidary_solver::Solver;
use rustc_hash::FxHashSet;

use crate::{ProofCheck, Rejection, reject, validate_proof};

type Contracts<'a> = BTreeMap<ProcedureId, &'a Contract>;

pub(super) fn validate(
    program: &Program,
    contracts: &[Contract],
    solver: &mut dyn Solver,
) -> Result<ProofCheck, Rejection> {
    let by_procedure: Contracts<'_> =
        contracts.iter().map(|contract| (contract.procedure, contract)).collect();
    if by_procedure.len() != contracts.len() {
        return reject("a procedure has several contracts".into());
    }
    let obligations = Obligations::new(program, by_procedure);
    let mut count = ProofCheck::default();
    for id in obligations.called() {
        let (contract, procedure) = (obligations.contract(id)?, program.procedure(id));
        let name = &procedure.name;
        obligations.check_form(contract, procedure)?;
        if id == FIRST && !contract.pre.is_true() {
            return reject(format!("nothing is known where `{name}` starts"));
        }
        let (cfa, proof) = obligations.automaton(contract, procedure)?;
        let checked = match validate_proof(&cfa, &proof, solver) {
            Err(Rejection::Evidence(problem)) => {
                return reject(format!("the contract of `{name}`: {problem}"));
            }
            other => other?,
        };
        count.obligations += checked.obligations;
        count.by_evaluation += checked.by_evaluation;
        count.by_solver += checked.by_solver;
    }
    Ok(count)
}

/// Where executions start.
const FIRST: ProcedureId = ProcedureId(0);

struct Obligations<'a> {
    program: &'a Program,
    contracts: Contracts<'a>,
    /// The variables that are no locals.
    globals: VarSet,
    /// The names of variables that are in use.
    names: FxHashSet<&'static str>,
}

impl<'a> Obligations<'a> {
    fn new(program: &'a Program, contracts: Contracts<'a>) -> Self {
        let locals: FxHashSet<Var> =
            program.procedures().iter().flat_map(|of| &of.locals).copied().collect();
        let is_global = |var: &&Var| !locals.contains(var);
        let globals = program.vars().iter().filter(is_global).copied().collect();
        let names = program.vars().iter().map(|var| var.name()).collect();
        Obligations { program, contracts, globals, names }
    }

    fn contract(&self, id: ProcedureId) -> Result<&'a Contract, Rejection> {
        match self.contracts.get(&id) {
            Some(contract) => Ok(contract),
            None => reject(format!("`{}` has no contract", self.program.procedure(id).name)),
        }
    }

    /// The procedures that may be called, the first among them.
    fn called(&self) -> Vec<ProcedureId> {
        let Some(first) = self.program.procedures().first() else { return Vec::new() };
        let (mut called, mut open) = (vec![FIRST], vec![first]);
        while let Some(procedure) = open.pop() {
            for id in procedure.edges() {
                if let Action::Call(call) = &self.program.edge(*id).action
                    && !called.contains(&call.callee)
                {
                    called.push(call.callee);
                    open.push(self.program.procedure(call.callee));
                }
            }
        }
        called
    }

    /// Formulas speak of what they may speak of, and a procedure writes nothing but what its contract names.
    fn check_form(&self, contract: &Contract, procedure: &Procedure) -> Result<(), Rejection> {
        let name = &procedure.name;
        let params: FxHashSet<Var> = params(procedure).collect();
        let locals: FxHashSet<Var> = procedure.locals.iter().copied().collect();
        let is_global = |var: Var| self.globals.contains(&var);
        let is_entered = |var: Var| {
            var == Contract::entered(var.base())
                && (is_global(var.base()) || params.contains(&var.base()))
        };
        let check = |what: &str, formula: Term, may: &dyn Fn(Var) -> bool| {
            if formula.sort() != Sort::Bool {
                return reject(format!("{what} of `{name}` is no formula"));
            }
            match formula.vars().iter().find(|var| !may(**var)) {
                None => Ok(()),
                Some(var) => reject(format!("{what} of `{name}` mentions `{var}`")),
            }
        };
        check("the condition at the entry", contract.pre, &|var| {
            is_global(var) || params.contains(&var)
        })?;
        check("the condition at the exit", contract.post, &|var| {
            is_global(var) || is_entered(var)
        })?;
        for state in &contract.states {
            check("a state", state.formula, &|var| {
                is_global(var) || locals.contains(&var) || is_entered(var)
            })?;
        }
        let is_written = |var: &Var| !is_global(*var) || contract.writes.contains(var);
        for id in procedure.edges() {
            let mut written = match &self.program.edge(*id).action {
                Action::Stmt(stmt) => stmt.written(),
                Action::Call(call) => {
                    let mut written = call.before.written();
                    written.extend(call.args.iter().map(|(param, _)| *param));
                    written.extend(&self.contract(call.callee)?.writes);
                    written
                }
            };
            written.retain(|var| !is_written(var));
            if let Some(var) = written.first() {
                return reject(format!(
                    "`{name}` writes `{var}`, which its contract does not name"
                ));
            }
        }
        match contract.writes.iter().find(|var| !is_global(**var)) {
            None => Ok(()),
            Some(var) => reject(format!("`{name}` cannot be said to write the local `{var}`")),
        }
    }

    /// A variable that the program does not have.
    fn copy(&self, var: Var, what: &str) -> Var {
        let mut name = format!("{}!{what}", var.name());
        while self.names.contains(&name[..]) {
            name.push('!');
        }
        Var::new(&name, var.sort())
    }

    /// A formula of a contract inside its procedure: what a variable was at the entry is a copy, if it is written.
    fn inside(&self, contract: &Contract, formula: Term) -> Term {
        formula.map_vars(&|var| {
            let is_entered = var.version() > 0;
            is_entered.then(|| Term::var(self.entered(contract, var.base())))
        })
    }

    fn entered(&self, contract: &Contract, var: Var) -> Var {
        let is_constant = self.globals.contains(&var) && !contract.writes.contains(&var);
        if is_constant { var } else { self.copy(var, "entered") }
    }

    /// The automaton of a procedure that is safe if it keeps its contract, with what is to prove that.
    fn automaton(
        &self,
        contract: &Contract,
        procedure: &Procedure,
    ) -> Result<(Cfa, Proof), Rejection> {
        let mut made = Made::new(&procedure.name);
        let begin = made.builder.entry();
        let entered: Vec<Var> = contract.writes.iter().copied().chain(params(procedure)).collect();
        let copies: Vec<(Var, Term)> =
            entered.iter().map(|var| (self.entered(contract, *var), (*var).into())).collect();
        made.vars(self.globals.iter().chain(&procedure.locals).copied());
        made.vars(copies.iter().map(|(copy, _)| *copy));
        let entry = made.loc(procedure.entry);
        let start = Stmt::seq([Stmt::Assume(contract.pre), Stmt::Assign(copies)]);
        made.builder.edge(begin, start, entry, None);
        let exit = made.loc(procedure.exit);
        let broken = Stmt::Assume(self.inside(contract, contract.post).not());
        made.builder.edge(exit, broken, made.error, None);
        for id in procedure.edges() {
            let edge = self.program.edge(*id);
            let source = made.loc(edge.source);
            let is_error = Some(edge.target) == self.program.error();
            let target = if is_error { made.error } else { made.loc(edge.target) };
            match &edge.action {
                Action::Stmt(stmt) => {
                    made.builder.edge(source, stmt.clone(), target, None);
                }
                Action::Call(call) => self.call(&mut made, (source, target), call)?,
            }
        }
        let state = |state: &ProofState| {
            let formula = self.inside(contract, state.formula);
            Some(ProofState { loc: *made.locs.get(&state.loc)?, formula, successors: Vec::new() })
        };
        let states: Option<Vec<ProofState>> = contract.states.iter().map(state).collect();
        let Some(mut states) = states else {
            return reject(format!("a state of `{}` is at none of its locations", procedure.name));
        };
        states.push(ProofState { loc: begin, formula: true.into(), successors: Vec::new() });
        match made.builder.build() {
            Ok(cfa) => Ok((cfa, Proof::of(states))),
            Err(error) => reject(error.to_string()),
        }
    }

    /// The edges of a call.
    fn call(
        &self,
        made: &mut Made,
        (source, target): (Loc, Loc),
        call: &Call,
    ) -> Result<(), Rejection> {
        let callee = self.program.procedure(call.callee);
        let contract = self.contract(call.callee)?;
        let passed = |param: &Var| self.copy(*param, "passed");
        let before = |var: &Var| self.copy(*var, "before");
        let locals: Vec<Var> = params(callee).collect();
        made.vars(locals.iter().map(passed));
        made.vars(contract.writes.iter().map(before));
        let of_param = |var: Var| locals.contains(&var).then(|| passed(&var));
        let args =
            call.args.iter().map(|(param, value)| (of_param(*param).unwrap_or(*param), *value));
        let args = args.collect();
        let is_given = |param: &&Var| call.args.iter().any(|(given, _)| given == *param);
        let open = locals.iter().filter(|param| !is_given(param)).map(passed).collect();
        let pass = Stmt::seq([call.before.clone(), Stmt::Assign(args), Stmt::Havoc(open)]);
        let between = made.between();
        made.builder.edge(source, pass, between, None);
        let pre = contract.pre.map_vars(&|var| of_param(var).map(Term::var));
        made.builder.edge(between, Stmt::Assume(pre.not()), made.error, None);
        let post = contract.post.map_vars(&|var| {
            let base = var.base();
            match var.version() {
                0 => None,
                _ if contract.writes.contains(&base) => Some(before(&base).into()),
                _ => Some(of_param(base).unwrap_or(base).into()),
            }
        });
        let kept = contract.writes.iter().map(|var| (before(var), (*var).into())).collect();
        let returned = Stmt::seq([
            Stmt::Assign(kept),
            Stmt::Havoc(contract.writes.clone()),
            Stmt::Assume(post),
        ]);
        made.builder.edge(between, returned, target, None);
        Ok(())
    }
}

/// The parameters that are locals.
fn params(procedure: &Procedure) -> impl Iterator<Item = Var> {
    procedure.params.iter().filter(|param| procedure.locals.contains(param)).copied()
}

/// An automaton in the making.
struct Made {
    builder: CfaBuilder,
    error: Loc,
    locs: BTreeMap<Loc, Loc>,
    vars: VarSet,
    n_between: usize,
}

impl Made {
    fn new(name: &str) -> Self {
        let mut builder = CfaBuilder::new(name, "begin");
        let error = builder.loc("error");
        builder.error(error);
        Made { builder, error, locs: BTreeMap::new(), vars: VarSet::new(), n_between: 0 }
    }

    fn vars(&mut self, vars: impl Iterator<Item = Var>) {
        for var in vars {
            if self.vars.insert(var) {
                self.builder.var(var);
            }
        }
    }

    fn loc(&mut self, loc: Loc) -> Loc {
        *self.locs.entry(loc).or_insert_with(|| self.builder.loc(&format!("l{}", loc.0)))
    }

    fn between(&mut self) -> Loc {
        self.n_between += 1;
        self.builder.loc(&format!("call{}", self.n_between))
    }
}
