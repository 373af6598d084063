//! Shrinking: the smallest program or case, by small steps, on which something still fails.

use crate::case::Case;
use crate::program::{Expr, Program, Stmt};

/// A program like `program` that still `fails`, from which nothing can be taken away.
pub fn shrink(program: &Program, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    smallest(program, smaller_programs, fails)
}

/// A case like `case` that still `fails`, from which nothing can be taken away.
pub fn shrink_case(case: &Case, fails: &mut dyn FnMut(&Case) -> bool) -> Case {
    smallest(case, smaller_cases, fails)
}

fn smallest<T: Clone>(
    start: &T,
    smaller: impl Fn(&T) -> Vec<T>,
    fails: &mut dyn FnMut(&T) -> bool,
) -> T {
    let mut current = start.clone();
    while let Some(next) = smaller(&current).into_iter().find(|candidate| fails(candidate)) {
        current = next;
    }
    current
}

/// Cases with one thing less.
fn smaller_cases(case: &Case) -> Vec<Case> {
    let before =
        smaller_stmts(&case.before).into_iter().map(|before| Case { before, ..case.clone() });
    let step = smaller_stmts(&case.step).into_iter().map(|step| Case { step, ..case.clone() });
    let given = smaller_exprs(&case.given).into_iter().map(|given| Case { given, ..case.clone() });
    let coarse = smaller_lists(&case.coarse).into_iter();
    let coarse = coarse.map(|coarse| Case { coarse, ..case.clone() });
    let extra = smaller_lists(&case.extra).into_iter();
    let extra = extra.map(|extra| Case { extra, ..case.clone() });
    before.chain(step).chain(given).chain(coarse).chain(extra).collect()
}

/// Lists without an expression or with a smaller one.
fn smaller_lists(exprs: &[Expr]) -> Vec<Vec<Expr>> {
    let mut smaller = Vec::new();
    for i in 0..exprs.len() {
        let mut without = exprs.to_vec();
        without.remove(i);
        smaller.push(without);
        for expr in smaller_exprs(&exprs[i]) {
            let mut changed = exprs.to_vec();
            changed[i] = expr;
            smaller.push(changed);
        }
    }
    smaller
}

/// Programs with one thing less; their edges, but one, are the same.
pub fn smaller_programs(program: &Program) -> Vec<Program> {
    let mut candidates = Vec::new();
    for i in 0..program.edges.len() {
        let mut without = program.clone();
        without.edges.remove(i);
        candidates.push(without);
    }
    for (i, edge) in program.edges.iter().enumerate() {
        for stmt in smaller_stmts(&edge.stmt) {
            let mut changed = program.clone();
            changed.edges[i].stmt = stmt;
            candidates.push(changed);
        }
    }
    candidates
}

fn smaller_stmts(stmt: &Stmt) -> Vec<Stmt> {
    let in_list = |parts: &[Stmt], make: fn(Vec<Stmt>) -> Stmt| {
        let mut smaller: Vec<Stmt> = parts.to_vec();
        for i in 0..parts.len() {
            let mut without = parts.to_vec();
            without.remove(i);
            smaller.push(make(without));
            for part in smaller_stmts(&parts[i]) {
                let mut changed = parts.to_vec();
                changed[i] = part;
                smaller.push(make(changed));
            }
        }
        smaller
    };
    match stmt {
        Stmt::Assume(condition) => smaller_exprs(condition).into_iter().map(Stmt::Assume).collect(),
        Stmt::Assign(assignments) => {
            let mut smaller = Vec::new();
            for i in 0..assignments.len() {
                let mut without = assignments.clone();
                without.remove(i);
                smaller.push(Stmt::Assign(without));
                for expr in smaller_exprs(&assignments[i].1) {
                    let mut changed = assignments.clone();
                    changed[i].1 = expr;
                    smaller.push(Stmt::Assign(changed));
                }
            }
            smaller
        }
        Stmt::Havoc(_) => Vec::new(),
        Stmt::Seq(parts) => in_list(parts, Stmt::Seq),
        Stmt::Choice(parts) => in_list(parts, Stmt::Choice),
        Stmt::Relation(written, formula) => smaller_exprs(formula)
            .into_iter()
            .map(|formula| Stmt::Relation(written.clone(), formula))
            .collect(),
    }
}

/// Parts of an expression that have its kind.
fn smaller_exprs(expr: &Expr) -> Vec<Expr> {
    match expr {
        Expr::Lit(..) | Expr::Var(_) | Expr::Next(_) => Vec::new(),
        Expr::Not(inner) => {
            let below = smaller_exprs(inner).into_iter().map(|e| Expr::Not(Box::new(e)));
            std::iter::once((**inner).clone()).chain(below).collect()
        }
        Expr::Ite(parts) => vec![parts.1.clone(), parts.2.clone()],
        Expr::Binary(op, args) => {
            use crate::program::Binary::{Eq, Le, Lt, SignedLe, SignedLt};
            let mut smaller = Vec::new();
            if !matches!(op, Eq | Le | Lt | SignedLe | SignedLt) {
                smaller.extend([args.0.clone(), args.1.clone()]);
            }
            smaller.extend(
                smaller_exprs(&args.0)
                    .into_iter()
                    .map(|e| Expr::Binary(*op, Box::new((e, args.1.clone())))),
            );
            smaller.extend(
                smaller_exprs(&args.1)
                    .into_iter()
                    .map(|e| Expr::Binary(*op, Box::new((args.0.clone(), e)))),
            );
            smaller
        }
    }
}
