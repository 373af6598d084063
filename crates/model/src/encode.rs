//! Transition formulas: `tran(op)` along a path, over versions of the variables.

use std::collections::BTreeSet;

use lapidary_expr::{Term, Valuation, Var, Versions};

use crate::stmt::{Decision, Stmt};

/// The formula of `stmt` from the current versions; moves `versions` on to those after it.
///
/// Conjuncts come in the order of the statements, one per assumption and assigned variable, so that an
/// unsatisfiable core names the statements it needs. Variables that are not written keep their version.
pub fn encode(stmt: &Stmt, versions: &mut Versions) -> Term {
    let mut conjuncts = Vec::new();
    encode_into(stmt, versions, &mut conjuncts);
    Term::and(conjuncts)
}

fn encode_into(stmt: &Stmt, versions: &mut Versions, conjuncts: &mut Vec<Term>) {
    match stmt {
        Stmt::Assume(term) => conjuncts.push(versions.now(*term)),
        Stmt::Assign(assignments) => {
            let terms: Vec<Term> = assignments.iter().map(|(_, term)| *term).collect();
            let values = versions.now_all(&terms);
            for ((var, _), value) in assignments.iter().zip(values) {
                conjuncts.push(Term::var(versions.advance(*var)).equals(value));
            }
        }
        Stmt::Havoc(vars) => vars.iter().for_each(|var| {
            versions.advance(*var);
        }),
        Stmt::Seq(parts) => parts.iter().for_each(|part| encode_into(part, versions, conjuncts)),
        Stmt::Choice(parts) => conjuncts.push(encode_choice(parts, versions)),
        Stmt::Relation { formula, written } => {
            let before = versions.clone();
            written.iter().for_each(|var| {
                versions.advance(*var);
            });
            conjuncts.push(before.step(versions, *formula));
        }
    }
}

/// Branches start from the same versions and are brought to common ones by equalities.
fn encode_choice(parts: &[Stmt], versions: &mut Versions) -> Term {
    let before = versions.clone();
    let mut branches: Vec<(Vec<Term>, Versions)> = Vec::new();
    for part in parts {
        let (mut conjuncts, mut after) = (Vec::new(), before.clone());
        encode_into(part, &mut after, &mut conjuncts);
        branches.push((conjuncts, after));
    }
    let written: BTreeSet<Var> = parts.iter().flat_map(Stmt::written).collect();
    for (_, after) in &branches {
        for var in &written {
            versions.raise(*var, after.current(*var).version());
        }
    }
    Term::or(branches.into_iter().map(|(mut conjuncts, after)| {
        for var in &written {
            let (own, common) = (after.current(*var), versions.current(*var));
            conjuncts.push(Term::var(common).equals(own.into()));
        }
        Term::and(conjuncts)
    }))
}

/// The formulas of a path, one per statement, with the versions between them.
#[derive(Clone, Debug)]
pub struct Path {
    /// `tran(opᵢ)` over the versions of the path.
    pub formulas: Vec<Term>,
    /// The versions before each statement, and after the last.
    pub versions: Vec<Versions>,
}

impl Path {
    /// The formulas of these statements, one after the other.
    pub fn new<'a>(stmts: impl IntoIterator<Item = &'a Stmt>) -> Path {
        let mut path = Path { formulas: Vec::new(), versions: vec![Versions::new()] };
        let mut versions = Versions::new();
        for stmt in stmts {
            path.formulas.push(encode(stmt, &mut versions));
            path.versions.push(versions.clone());
        }
        path
    }
}

/// What `stmt` decides in `model`, an assignment to the versions that [`encode`] makes from `versions` on.
/// Variables that the model leaves open get a value of their sort.
pub(crate) fn decisions(
    stmt: &Stmt,
    versions: &mut Versions,
    model: &Valuation,
    tape: &mut Vec<Decision>,
) {
    let value = |var: Var| match model.get(var) {
        Some(value) => Decision::Value(value.clone()),
        None => Decision::Value(lapidary_expr::Value::default_of(var.sort())),
    };
    match stmt {
        Stmt::Assume(_) => {}
        Stmt::Assign(assignments) => assignments.iter().for_each(|(var, _)| {
            versions.advance(*var);
        }),
        Stmt::Havoc(vars) => tape.extend(vars.iter().map(|var| value(versions.advance(*var)))),
        Stmt::Relation { written, .. } => {
            tape.extend(written.iter().map(|var| value(versions.advance(*var))));
        }
        Stmt::Seq(parts) => parts.iter().for_each(|part| decisions(part, versions, model, tape)),
        Stmt::Choice(parts) => {
            let before = versions.clone();
            let all = encode_choice(parts, versions);
            let taken = taken_branch(parts, &before, versions, all, model);
            tape.push(Decision::Branch(taken));
            if let Some(part) = parts.get(taken) {
                decisions(part, &mut before.clone(), model, tape);
            }
        }
    }
}

/// The first branch that is true in the model; the first one if none is, which replay will notice.
fn taken_branch(
    parts: &[Stmt],
    before: &Versions,
    after: &Versions,
    all: Term,
    model: &Valuation,
) -> usize {
    let complete = |term: Term| {
        let missing = term.vars().iter().filter(|var| model.get(**var).is_none());
        let mut completed = model.clone();
        for var in missing {
            completed.set(*var, lapidary_expr::Value::default_of(var.sort()));
        }
        term.holds(&completed) == Some(true)
    };
    if !complete(all) {
        return 0;
    }
    let written: BTreeSet<Var> = parts.iter().flat_map(Stmt::written).collect();
    let holds = |part: &Stmt| {
        let mut own = before.clone();
        let formula = encode(part, &mut own);
        let joined = written
            .iter()
            .map(|var| Term::var(after.current(*var)).equals(own.current(*var).into()));
        complete(Term::and(std::iter::once(formula).chain(joined)))
    };
    parts.iter().position(holds).unwrap_or(0)
}
