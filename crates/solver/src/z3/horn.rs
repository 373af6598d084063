//! Horn clauses, solved by Spacer, Z3's engine for them.
//!
//! Whether Spacer finds the invariants of loops is a matter of luck, which depends on the order of everything, and that on
//! all that Z3 was told before. So systems with loops have a Z3 context of their own, and get the same answer whenever they
//! are asked.

use lapidary_expr::{Term, Var, VarSet};
use z3::ast::{Ast, Bool, Dynamic, forall_const};
use z3::{Config, Fixedpoint, FuncDecl, Params, SatResult, with_z3_config};

use super::Z3;
use crate::hard::n_hard;
use crate::horn::{Atom, Clause, Horn, System};
use crate::limits::{Watch, beside};
use crate::panics::{Refused, caught};
use crate::{Result, Stop};

/// With so many operators that are hard to reason about, as floating-point numbers have them, Spacer finds nothing, and
/// takes no notice of limits while it makes bits of them.
const HARD: usize = 4;

/// For systems with loops, within the budget.
#[derive(Debug)]
pub(super) struct Apart {
    watch: Watch,
}

impl Apart {
    pub(super) fn new(watch: &Watch) -> Self {
        Apart { watch: watch.clone() }
    }
}

impl Horn for Apart {
    fn solve(&mut self, system: &System) -> Result<Option<Vec<Term>>> {
        let watch = &self.watch;
        if system.clauses.iter().map(|clause| n_hard(clause.by)).sum::<usize>() >= HARD {
            return Err(Stop::Solver("clauses about words that are too hard".into()));
        }
        let in_context = || Spacer::for_loops(&Z3::new(watch)?).solve(system);
        with_z3_config(&Config::new(), || beside(watch, in_context))
    }
}

/// Spacer in the context of the thread.
#[derive(Debug)]
pub(super) struct Spacer {
    z3: Z3,
    /// The most effort for one system, in Z3's own deterministic unit.
    effort: u32,
    /// Whether lemmas are generalised by looking at several of them (global guidance), which keeps loops from
    /// being unrolled.
    is_global: bool,
}

impl Spacer {
    fn for_loops(z3: &Z3) -> Self {
        Spacer { z3: z3.clone(), effort: u32::MAX, is_global: true }
    }

    /// For systems without loops, each with so much effort at most.
    pub(super) fn for_paths(z3: &Z3, effort: u32) -> Self {
        Spacer { z3: z3.clone(), effort, is_global: false }
    }

    fn constants(&self, vars: &[Var]) -> Vec<Dynamic> {
        vars.iter().map(|var| self.z3.constant(*var)).collect()
    }

    fn relation(&self, number: usize, vars: &[Var]) -> FuncDecl {
        let sorts: Vec<z3::Sort> = self.constants(vars).iter().map(Ast::get_sort).collect();
        let sorts: Vec<&z3::Sort> = sorts.iter().collect();
        FuncDecl::new(format!("relation!{number}"), &sorts, &z3::Sort::bool())
    }

    fn atom(&self, relations: &[FuncDecl], atom: &Atom) -> Bool {
        let args = self.constants(&atom.args);
        let args: Vec<&dyn Ast> = args.iter().map(|arg| arg as &dyn Ast).collect();
        relations[atom.relation].apply(&args).as_bool().expect("relations are formulas")
    }

    /// The clause, for all values of its variables.
    fn rule(&self, relations: &[FuncDecl], clause: &Clause) -> Bool {
        let mut body = vec![self.z3.bool(clause.by)];
        body.extend(clause.from.iter().map(|atom| self.atom(relations, atom)));
        let rule = Bool::and(&body).implies(self.atom(relations, &clause.to));
        let mut vars: VarSet = clause.by.vars().iter().copied().collect();
        vars.extend(clause.from.iter().chain([&clause.to]).flat_map(|atom| &atom.args));
        let bound = self.constants(&vars.into_iter().collect::<Vec<_>>());
        let bound: Vec<&dyn Ast> = bound.iter().map(|constant| constant as &dyn Ast).collect();
        if bound.is_empty() { rule } else { forall_const(&bound, &[], &rule) }
    }

    fn solution(&self, system: &System) -> Result<Option<Vec<Term>>> {
        let fixedpoint = Fixedpoint::new();
        let is_linear = system.clauses.iter().all(|clause| clause.from.len() < 2);
        fixedpoint.set_params(&self.params(is_linear));
        let relations = system.relations.iter().enumerate();
        let relations: Vec<FuncDecl> = relations.map(|(i, vars)| self.relation(i, vars)).collect();
        relations.iter().for_each(|relation| fixedpoint.register_relation(relation));
        for clause in &system.clauses {
            fixedpoint.add_rule(&self.rule(&relations, clause), None);
        }
        match fixedpoint.query(&self.atom(&relations, &system.goal)) {
            SatResult::Unsat => relations
                .iter()
                .zip(&system.relations)
                .map(|(relation, vars)| self.formula(&fixedpoint, relation, vars))
                .collect::<Result<_>>()
                .map(Some),
            SatResult::Sat => Ok(None),
            SatResult::Unknown => Err(Z3::unknown(fixedpoint.get_reason_unknown())),
        }
    }

    fn formula(&self, fixedpoint: &Fixedpoint, relation: &FuncDecl, vars: &[Var]) -> Result<Term> {
        let cover = fixedpoint
            .get_cover_delta(-1, relation)
            .ok_or_else(|| Stop::Solver("spacer has no solution to show".into()))?;
        let names: Vec<String> = self.constants(vars).iter().map(ToString::to_string).collect();
        let text = with_names(&cover.to_string(), &names)
            .ok_or_else(|| Stop::Solver("spacer speaks of no parameter".into()))?;
        self.z3.translator.borrow().parse(&text)
    }

    fn params(&self, is_linear: bool) -> Params {
        let left = self.z3.watch.left().and_then(|left| u32::try_from(left).ok());
        let mut params = Params::new();
        params.set_symbol("engine", "spacer");
        // No limit is what zero says.
        params.set_u32("rlimit", left.unwrap_or(u32::MAX).clamp(1, self.effort));
        params.set_bool("spacer.global", self.is_global && is_linear);
        if !is_linear {
            // What a caller knows is asked for before what a callee does. The other way round, recursion is unrolled for ever.
            params.set_u32("spacer.order_children", 1);
        }
        // These would merge the relations that the solution is read from.
        params.set_bool("xform.slice", false);
        params.set_bool("xform.inline_linear", false);
        params.set_bool("xform.inline_eager", false);
        params
    }
}

/// The text with the parameters' names: Spacer writes them as `(:var 0)`, `(:var 1)`, …, and no name contains a
/// parenthesis, which the translator sees to.
fn with_names(text: &str, names: &[String]) -> Option<String> {
    let mut parts = text.split("(:var ");
    let mut named = parts.next()?.to_string();
    for part in parts {
        let (number, rest) = part.split_once(')')?;
        named.push_str(names.get(number.parse::<usize>().ok()?)?);
        named.push_str(rest);
    }
    Some(named)
}

impl Horn for Spacer {
    fn solve(&mut self, system: &System) -> Result<Option<Vec<Term>>> {
        self.z3.watch.check()?;
        let solution = caught(|| self.solution(system))
            .unwrap_or_else(|Refused| Err(Stop::Solver("no memory".into())));
        self.z3.meter.read(&z3::Solver::new());
        self.z3.watch.check()?;
        solution
    }
}
