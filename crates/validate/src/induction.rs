//! Proofs of systems by k-induction.
//!
//! A system runs at one location. Let `F` be the disjunction of the proof's states there, `ok` what excludes the error
//! in the next step, `wp(bad, false)`, and `wp(P)` what makes `P` hold after one more step. Then
//!
//! 1. `wp(init, F ∧ Bₖ)`, where `B₀` is true and `Bⱼ` is `ok ∧ wp(Bⱼ₋₁)`: `F` holds at first, and the first k steps
//!    are without an error;
//! 2. `F ⇒ wp(F)`;
//! 3. `F ⇒ Sₖ`, where `S₀` is `ok` and `Sⱼ` is `ok ⇒ wp(F ⇒ Sⱼ₋₁)`: a step after k steps without an error is one without.
//!
//! Take the shortest run to the error. By 1 it has more than k steps, by 1 and 2 `F` holds throughout, and before its
//! last step `ok` holds everywhere; so 3 for its last k steps contradicts it.
//!
//! Preconditions are found by substitution as in the [crate](crate). What statements leave open becomes a
//! fresh variable for each step, which validity quantifies universally. As a premise, `ok` is about all values of what
//! the error edge leaves open; two cases of it are taken: those that the step itself has, and those of the last step. This
//! is less than is known, so that nothing is accepted that is no proof.
//!
//! What must hold after a step may be large, and substituting in it once for each step before it would take quadratic
//! time. So it gets a name: instead of `W` there is `x = f ⇒ B` with fresh `f` and `B`, where `B` is defined as `W[f/x]`.

use lapidary_expr::{Sort, Term, Var};
use lapidary_model::{Cfa, Edge, Loc, Proof, Stmt};
use lapidary_solver::{Solver, Stop};
use rustc_hash::FxHashMap;

use crate::{ProofCheck, Rejection, reject};

/// The fresh variables of the last step; those of the steps before it have the numbers that follow.
const LAST: u32 = 2;

/// Nobody makes longer inductions.
const LONGEST: u32 = 10_000;

/// The first numbers of variables that stand for the states after steps, and of names for what must hold there.
const STATES: u32 = LAST + LONGEST + 1;
const NAMES: u32 = STATES + LONGEST + 1;

/// Formulas that have more nodes than this get a name.
const LARGE: u32 = 250;

/// Checks a proof whose states have been checked for their form.
pub(crate) fn validate(
    cfa: &Cfa,
    proof: &Proof,
    solver: &mut dyn Solver,
) -> Result<ProofCheck, Rejection> {
    let system = System::of(cfa)?;
    let known = proof.invariant(system.run);
    let Some(length) = u32::try_from(proof.induction).ok().filter(|length| *length <= LONGEST)
    else {
        return reject(format!("an induction over {} steps is too long", proof.induction));
    };
    let (mut of_first, mut of_after) = (Vec::new(), Vec::new());
    let first = Term::and([known, system.first(length, &mut of_first)?]);
    let first = wp_all(&system.init, first, LAST + length)?;
    let kept = wp_all(&system.steps, known, LAST)?;
    let after = system.after(known, length, &mut of_after)?;
    let goals = [
        (of_first, first, "it does not hold at first"),
        (vec![known], kept, "what it says is not kept"),
        ([vec![known], of_after].concat(), after, "an error can follow"),
    ];
    for (premises, goal, problem) in &goals {
        if !follows(premises, *goal, solver)? {
            return reject(format!("induction over {length} steps: {problem}"));
        }
    }
    Ok(ProofCheck { obligations: goals.len(), by_evaluation: 0, by_solver: goals.len() })
}

fn follows(premises: &[Term], goal: Term, solver: &mut dyn Solver) -> Result<bool, Stop> {
    solver.push();
    premises.iter().for_each(|premise| solver.assert(*premise));
    solver.assert(goal.not());
    let is_sat = solver.is_sat();
    solver.pop();
    is_sat.map(|is_sat| !is_sat)
}

/// The statements of a system, by what they lead from and to.
struct System<'a> {
    run: Loc,
    init: Vec<&'a Stmt>,
    steps: Vec<&'a Stmt>,
    bad: Vec<&'a Stmt>,
}

impl<'a> System<'a> {
    /// Rejects an automaton with other edges than those of a system.
    fn of(cfa: &'a Cfa) -> Result<Self, Rejection> {
        let is_inner = |loc: &Loc| *loc != cfa.entry() && Some(*loc) != cfa.error();
        let inner: Vec<Loc> = cfa.locs().filter(is_inner).collect();
        let [run] = inner[..] else {
            return reject("induction is about systems, which run at one location".into());
        };
        if cfa.error() == Some(cfa.entry()) {
            return reject("induction is about systems, which do not begin with the error".into());
        }
        let mut system = System { run, init: Vec::new(), steps: Vec::new(), bad: Vec::new() };
        for Edge { source, target, stmt, .. } in cfa.edges().map(|(_, edge)| edge) {
            let kind = match (*source, *target) {
                (source, _) if Some(source) == cfa.error() => continue,
                (source, target) if source == cfa.entry() && target == run => &mut system.init,
                (source, target) if source == run && target == run => &mut system.steps,
                (source, target) if source == run && Some(target) == cfa.error() => &mut system.bad,
                _ => return reject("induction is about systems, and this has another edge".into()),
            };
            kind.push(stmt);
        }
        Ok(system)
    }

    /// What excludes the error in the next step, with these numbers for what is open.
    fn ok(&self, fresh: u32) -> Result<Term, Rejection> {
        wp_all(&self.bad, false.into(), fresh)
    }

    /// That the first steps are without an error, and what the names in it stand for.
    fn first(&self, length: u32, names: &mut Vec<Term>) -> Result<Term, Rejection> {
        (0..length).try_fold(true.into(), |later, i| {
            let step = wp_all(&self.steps, named(later, i, names), LAST + i)?;
            Ok(Term::and([self.ok(LAST + i)?, step]))
        })
    }

    /// That no error follows so many steps without one, and what the names in it stand for.
    fn after(&self, known: Term, length: u32, names: &mut Vec<Term>) -> Result<Term, Rejection> {
        (1..=length).try_fold(self.ok(LAST)?, |later, i| {
            let later = named(known.implies(later), i, names);
            let step = wp_all(&self.steps, later, LAST + i)?;
            Ok(Term::and([self.ok(LAST + i)?, self.ok(LAST)?]).implies(step))
        })
    }
}

/// A formula that says the same after a step and is cheap to substitute in; `names` gets what its name stands for.
fn named(formula: Term, step: u32, names: &mut Vec<Term>) -> Term {
    if formula.size() <= LARGE {
        return formula;
    }
    let of_state = |var: &&Var| var.version() == 0;
    let vars: Vec<Var> = formula.vars().iter().filter(of_state).copied().collect();
    let copy = |var: Var| Term::var(var.at(STATES + step));
    let body = formula.map_vars(&|var| (var.version() == 0).then(|| copy(var)));
    let name = Term::var(Var::new("later", Sort::Bool).at(NAMES + step));
    names.push(name.equals(body));
    let differs = |var: &Var| Term::var(*var).equals(copy(*var)).not();
    Term::or(vars.iter().map(differs).chain([name]))
}

/// What must hold so that `post` does after each of the statements.
fn wp_all(stmts: &[&Stmt], post: Term, fresh: u32) -> Result<Term, Rejection> {
    let all = stmts.iter().map(|stmt| wp(stmt, post, fresh));
    Ok(Term::and(all.collect::<Result<Vec<_>, _>>()?))
}

/// What must hold before a statement, with variables of this number for what it leaves open.
fn wp(stmt: &Stmt, post: Term, fresh: u32) -> Result<Term, Rejection> {
    match stmt {
        Stmt::Assume(condition) => Ok(Term::or([condition.not(), post])),
        Stmt::Assign(assignments) => {
            let values: FxHashMap<Var, Term> = assignments.iter().copied().collect();
            Ok(post.map_vars(&|var| values.get(&var).copied()))
        }
        Stmt::Havoc(vars) => renamed(post, vars.iter().copied(), fresh),
        Stmt::Seq(parts) => parts.iter().rev().try_fold(post, |post, part| wp(part, post, fresh)),
        Stmt::Choice(parts) => {
            let parts = parts.iter().map(|part| wp(part, post, fresh));
            Ok(Term::and(parts.collect::<Result<Vec<_>, _>>()?))
        }
        Stmt::Relation { formula, written } => {
            let post = renamed(post, written.iter().copied(), fresh)?;
            let relation =
                formula.map_vars(&|var| (var.version() == 1).then(|| var.at(fresh).into()));
            Ok(Term::or([relation.not(), post]))
        }
    }
}

/// The formula with fresh variables for `vars`. A statement that leaves a variable open twice would have two for one.
fn renamed(formula: Term, vars: impl Iterator<Item = Var>, fresh: u32) -> Result<Term, Rejection> {
    let new: FxHashMap<Var, Term> = vars.map(|var| (var, var.at(fresh).into())).collect();
    if let Some(var) =
        formula.vars().iter().find(|var| var.version() == fresh && new.contains_key(&var.base()))
    {
        return reject(format!(
            "induction is about systems, and this leaves `{}` open twice",
            var.base()
        ));
    }
    Ok(formula.map_vars(&|var| new.get(&var).copied()))
}
