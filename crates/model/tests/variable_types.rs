//! Domain types of variables: what each use makes of them.

use lapidary_expr::{Op, Sort, Term, Var, VarSet};
use lapidary_model::{Cfa, CfaBuilder, Stmt, VariableType, VariableTypes};

fn var(name: &str) -> (Var, Term) {
    let var = Var::new(name, Sort::Int);
    (var, var.into())
}

/// One location with a loop for each statement, or a chain without loops.
fn automaton(vars: &[Var], stmts: &[Stmt], in_loop: bool) -> Cfa {
    let mut builder = CfaBuilder::new("types", "entry");
    builder.vars(vars);
    let mut loc = builder.entry();
    for (i, stmt) in stmts.iter().enumerate() {
        let next = if in_loop { loc } else { builder.loc(&format!("l{i}")) };
        builder.edge(loc, stmt.clone(), next, None);
        loc = next;
    }
    builder.build().unwrap()
}

fn types(vars: &[Var], stmts: &[Stmt], in_loop: bool) -> Vec<VariableType> {
    let types = VariableTypes::of(&automaton(vars, stmts, in_loop));
    vars.iter().map(|var| types.get(*var)).collect()
}

fn one(stmts: &[Stmt]) -> VariableType {
    types(&[var("x").0], stmts, false)[0]
}

#[test]
fn each_use_has_its_type() {
    let (x, vx) = var("x");
    let assign = |term| Stmt::assign(x, term);
    let is = |number: i32| Stmt::Assume(vx.equals(Term::int(number)));
    assert_eq!(one(&[assign(Term::int(0)), is(0), assign(Term::int(1))]), VariableType::Boolean);
    assert_eq!(one(&[Stmt::Havoc(vec![x]), is(1)]), VariableType::Boolean);
    assert_eq!(one(&[assign(Term::int(0)), is(5)]), VariableType::Equality);
    assert_eq!(one(&[assign(Term::int(7))]), VariableType::Equality);
    assert_eq!(one(&[Stmt::Assume(vx.less(Term::int(3)))]), VariableType::Additive);
    assert_eq!(one(&[assign(vx.plus(Term::int(1)))]), VariableType::Additive);
    assert_eq!(one(&[assign(vx.times(Term::int(3)))]), VariableType::Additive);
    assert_eq!(one(&[assign(vx.times(vx))]), VariableType::Other);
    let modulo = Term::app(Op::Mod, vec![vx, Term::int(3)]).unwrap();
    assert_eq!(one(&[Stmt::Assume(modulo.equals(Term::int(0)))]), VariableType::Other);
}

#[test]
fn truth_values_are_boolean() {
    let b = Var::new("b", Sort::Bool);
    let (x, vx) = var("x");
    let stmts = [Stmt::assign(b, vx.less(Term::int(3))), Stmt::Assume(b.into())];
    assert_eq!(types(&[b, x], &stmts, false), [VariableType::Boolean, VariableType::Additive]);
    // A number that holds a truth value.
    let flag = Term::from(b).ite(Term::int(1), Term::int(0));
    assert_eq!(types(&[b, x], &[Stmt::assign(x, flag)], false), [VariableType::Boolean; 2]);
}

#[test]
fn copies_share_the_hardest_type() {
    let ((x, vx), (y, vy), (z, _)) = (var("x"), var("y"), var("z"));
    let stmts = [Stmt::assign(x, vy), Stmt::Assume(vy.less(Term::int(3))), Stmt::assign(z, vx)];
    assert_eq!(types(&[x, y, z], &stmts, false), [VariableType::Additive; 3]);
}

#[test]
fn loops_count() {
    let ((x, vx), (y, vy)) = (var("x"), var("y"));
    let step = Stmt::assign(x, vx.plus(Term::int(1)));
    let kinds = |stmts: &[Stmt], in_loop| types(&[x, y], stmts, in_loop);
    let (counter, additive) = (VariableType::LoopCounter, VariableType::Additive);
    assert_eq!(kinds(std::slice::from_ref(&step), true)[0], counter);
    assert_eq!(
        kinds(std::slice::from_ref(&step), false)[0],
        additive,
        "without a loop there is nothing to count"
    );
    // Through a copy, in a block, and by a relation.
    let through = Stmt::seq([Stmt::assign(y, vx.plus(Term::int(2))), Stmt::assign(x, vy)]);
    assert_eq!(kinds(&[Stmt::Choice(vec![through])], true), [counter; 2]);
    let formula = Term::var(x.primed()).equals(vx.plus(Term::int(1)));
    let relation = Stmt::Relation { formula, written: [x].into() };
    assert_eq!(kinds(&[relation], true)[0], counter);
    assert_eq!(kinds(&[Stmt::assign(x, vx.plus(vy))], true)[0], additive, "a sum is no step");
}

#[test]
fn scores_add_up() {
    let ((x, vx), (y, vy), (z, vz)) = (var("x"), var("y"), var("z"));
    let stmts = [
        Stmt::Assume(vx.equals(Term::int(0))),
        Stmt::Assume(vy.equals(Term::int(4))),
        Stmt::Assume(vz.less(Term::int(4))),
    ];
    let cfa = automaton(&[x, y, z], &stmts, false);
    let types = VariableTypes::of(&cfa);
    assert_eq!(types.score(&VarSet::new()), 1);
    assert_eq!(types.score(&[x, y].into()), 1 + 1 + 2);
    assert_eq!(types.score(&[x, y, z].into()), 1 + 1 + 2 + 4);
    let counting = automaton(&[x], &[Stmt::assign(x, vx.plus(Term::int(1)))], true);
    assert_eq!(VariableTypes::of(&counting).score(&[x].into()), u32::MAX);
    assert_eq!(types.to_string().lines().next(), Some("x  boolean       Int"));
}

/// Parts that occur again and again, as in circuits, are looked at once.
#[test]
fn shared_parts_take_no_time() {
    let x = Var::new("x", Sort::Bv(8));
    let mut term = Term::var(x);
    for i in 0..200 {
        let one = Term::bv(8, i % 7 + 1);
        let next = Term::app(Op::BvAdd, vec![term, one]).unwrap();
        term = next.equals(Term::bv(8, 0)).ite(term, next);
    }
    let stmts = [Stmt::assign(x, term), Stmt::Assume(term.equals(Term::bv(8, 3)))];
    assert_eq!(types(&[x], &stmts, false), [VariableType::Additive]);
}
