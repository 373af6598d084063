//! Shrinking: the smallest program, by small steps, on which something still fails.

use crate::program::{Expr, Program, Stmt};

/// A program like `program` that still `fails`, from which nothing can be taken away.
pub fn shrink(program: &Program, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut current = program.clone();
    while let Some(smaller) =
        smaller_programs(&current).into_iter().find(|candidate| fails(candidate))
    {
        current = smaller;
    }
    current
}

/// Programs with one thing less.
fn smaller_programs(program: &Program) -> Vec<Program> {
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
