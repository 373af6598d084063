//! Elimination against brute force: over small ranges, `∃x. φ` is a disjunction over the values of `x`.

mod common;

use common::Rng;
use lapidary_expr::{Op, Sort, Term, Value, Var, VarSet};
use lapidary_solver::eliminate::{Elimination, Methods, by_syntax};
use lapidary_solver::limits::Watch;
use lapidary_solver::z3::Z3;
use lapidary_solver::{Backend, Solver};

fn app(op: Op, args: &[Term]) -> Term {
    Term::app(op, args.to_vec()).expect("well-sorted")
}

fn verbatim(op: Op, args: &[Term]) -> Term {
    Term::verbatim(op, args.to_vec()).expect("well-sorted")
}

/// The values that a quantified variable can have in the formulas of these tests.
fn values(sort: Sort) -> Vec<Term> {
    match sort {
        Sort::Bool => vec![false.into(), true.into()],
        Sort::Bv(width) => (0..1 << width).map(|n| Term::bv(width, n)).collect(),
        // The formulas bound integers to this range.
        Sort::Int => (-4..=4).map(Term::int).collect(),
        other => panic!("{other} has too many values"),
    }
}

fn by_brute_force(vars: &VarSet, formula: Term) -> Term {
    vars.iter().fold(formula, |formula, var| {
        Term::or(values(var.sort()).into_iter().map(|value| formula.substitute(*var, value)))
    })
}

/// Random literals over `x`, `y`, `z` of one sort.
struct Literals {
    rng: Rng,
    sort: Sort,
}

impl Literals {
    fn var(&mut self) -> Term {
        Term::var(Var::new(["x", "y", "z"][self.rng.below(3)], self.sort))
    }

    fn number(&mut self) -> Term {
        match self.sort {
            Sort::Bool => Term::from(self.rng.below(2) == 0),
            Sort::Bv(width) => Term::bv(width, self.rng.below(1 << width)),
            _ => Term::int(self.rng.number(-3, 7)),
        }
    }

    fn side(&mut self) -> Term {
        let (x, y, n) = (self.var(), self.var(), self.number());
        match (self.sort, self.rng.below(4)) {
            (Sort::Bool, 0) => x.equals(y),
            (Sort::Bv(_), 0) => app(Op::BvAdd, &[x, y]),
            (Sort::Bv(_), 1) => {
                app([Op::BvXor, Op::BvSub, Op::BvMul][self.rng.below(3)].clone(), &[x, n])
            }
            (Sort::Bv(_), 2) => app([Op::BvNot, Op::BvNeg][self.rng.below(2)].clone(), &[x]),
            (Sort::Int, 0) => x.plus(y.negated()),
            (Sort::Int, 1) => x.plus(n),
            (Sort::Int, 2) => Term::int([2, -2, 3, -1][self.rng.below(4)]).times(x).plus(y),
            _ => x,
        }
    }

    fn literal(&mut self) -> Term {
        let left = self.side();
        let right = if self.rng.below(2) == 0 { self.number() } else { self.side() };
        let comparisons: &[Op] = match self.sort {
            Sort::Bv(_) => &[Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle],
            Sort::Int => &[Op::Eq, Op::Le, Op::Lt, Op::Le],
            _ => &[Op::Eq],
        };
        let op = self.rng.pick(comparisons);
        // Not everything is in normal form.
        let atom = if self.rng.below(4) == 0 {
            verbatim(op, &[left, right])
        } else {
            app(op, &[left, right])
        };
        match self.rng.below(3) {
            0 if self.rng.below(2) == 0 => verbatim(Op::Not, &[atom]),
            0 => atom.not(),
            _ => atom,
        }
    }

    fn conjunction(&mut self, vars: &VarSet) -> Term {
        let n = 1 + self.rng.below(4);
        let mut conjuncts: Vec<Term> = (0..n).map(|_| self.literal()).collect();
        if self.rng.below(4) == 0 {
            conjuncts.push(Term::or([self.literal(), self.literal()]));
        }
        if self.sort == Sort::Int {
            let bounds = |x: Term| [Term::int(-4).at_most(x), x.at_most(Term::int(4))];
            conjuncts.extend(vars.iter().flat_map(|var| bounds(Term::var(*var))));
        }
        Term::and(conjuncts)
    }
}

/// The methods whose bits are set.
fn subset(bits: u32) -> Methods {
    let mut methods = Methods::NONE;
    for (bit, name) in Methods::NAMES.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1) {
        assert!(methods.add(name), "method {bit}");
    }
    methods
}

fn agree(sort: Sort, rounds: usize) {
    let backend = Z3::new(&Watch::default()).expect("Z3 is there");
    let mut solver = backend.solver();
    let mut eliminator = backend.eliminator().expect("Z3 has one");
    let mut eliminations: Vec<(Methods, Elimination)> =
        (0..16).map(subset).map(|methods| (methods, Elimination::new(&backend, methods))).collect();
    let mut literals = Literals { rng: Rng(31), sort };
    let mut done = 0;
    for round in 0..rounds {
        let names: &[&str] = if round % 3 == 0 { &["x", "y"] } else { &["x"] };
        let vars: VarSet = names.iter().map(|name| Var::new(name, sort)).collect();
        let formula = literals.conjunction(&vars);
        let expected = by_brute_force(&vars, formula);
        let same = |solver: &mut dyn Solver, result: Term, how: &str| {
            let both = [solver.entails(result, expected), solver.entails(expected, result)];
            assert_eq!(both, [Ok(true), Ok(true)], "{how}: ∃{vars:?}. {formula} is not {result}");
        };
        let partial = by_syntax(&vars, formula);
        assert!(partial.left.iter().all(|var| vars.contains(var)));
        same(&mut *solver, by_brute_force(&partial.left, partial.formula), "by syntax");
        for (methods, elimination) in &mut eliminations {
            let Some(result) = elimination.exactly(&vars, formula).expect("decidable") else {
                continue;
            };
            assert!(vars.iter().all(|var| !result.mentions(*var)), "{result}");
            same(&mut *solver, result, &format!("{methods:?}"));
            done += usize::from(*methods == Methods::ALL);
        }
        if let Some(result) = eliminator.eliminate(&vars, formula).expect("decidable") {
            same(&mut *solver, result, "by projection");
        }
    }
    assert!(done * 10 >= rounds * 9, "{sort}: only {done} of {rounds}");
}

#[test]
fn truth_values() {
    agree(Sort::Bool, 150);
}

#[test]
fn bits() {
    agree(Sort::Bv(2), 150);
}

#[test]
fn integers() {
    agree(Sort::Int, 200);
}

/// Formulas with one answer that one wants to see.
#[test]
fn nice_ones() {
    let [x, y, z] = ["x", "y", "z"].map(|name| Var::new(name, Sort::Int));
    let check = |formula: Term, expected: Term| {
        let partial = by_syntax(&[x].into(), formula);
        assert_eq!((partial.formula, partial.left.len()), (expected, 0), "{formula}");
    };
    let [tx, ty, tz]: [Term; 3] = [x.into(), y.into(), z.into()];
    check(Term::and([tx.equals(ty), tx.less(tz)]), ty.less(tz));
    check(Term::and([tx.at_most(ty), tz.at_most(tx)]), tz.at_most(ty));
    check(Term::and([tx.at_most(ty), tx.equals(tz).not()]), true.into());
    check(tx.plus(tx).at_most(ty).not(), true.into());
    check(
        Term::and([ty.plus(tx).equals(tz), tx.at_most(Term::int(3))]),
        tz.at_most(ty.plus(Term::int(3))),
    );
    // Strict bounds of integers leave room for one between them.
    let strict = Term::and([verbatim(Op::Lt, &[ty, tx]), verbatim(Op::Lt, &[tx, tz])]);
    check(strict, ty.plus(Term::int(1)).less(tz));
    // Neither of these is for syntax: 2·x = y, and an excluded value between bounds.
    for formula in [
        Term::int(2).times(tx).equals(ty),
        Term::and([tx.at_most(ty), tz.at_most(tx), tx.equals(Term::int(0)).not()]),
    ] {
        assert_eq!(by_syntax(&[x].into(), formula).left.len(), 1, "{formula}");
    }
}

#[test]
fn rationals() {
    let [x, y, z] = ["x", "y", "z"].map(|name| Term::var(Var::new(name, Sort::Rat)));
    let var: VarSet = x.vars().iter().copied().collect();
    let half = Term::lit(Value::Rat(lapidary_expr::RBig::from_parts(1.into(), 2u8.into())));
    let check = |formula: Term, expected: Term| {
        let partial = by_syntax(&var, formula);
        assert_eq!((partial.formula, partial.left.len()), (expected, 0), "{formula}");
    };
    check(Term::and([y.less(x), x.less(z)]), y.less(z));
    check(Term::and([y.at_most(x), x.less(z)]), y.less(z));
    check(Term::and([y.at_most(x), x.at_most(z)]), y.at_most(z));
    check(Term::and([y.at_most(x.plus(x)), x.at_most(z)]), half.times(y).at_most(z));
    check(Term::and([x.plus(x).equals(y), x.less(z)]), half.times(y).less(z));
}
