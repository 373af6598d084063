//! Laws that every operator of the table obeys: simplification and text keep the meaning that `eval` gives.
//!
//! Terms are drawn over the whole table, so an operator joins by being in it.

mod common;

use common::{Generator, read, signatures, vars};
use lapidary_expr::op::Arity;
use lapidary_expr::{Assignment, Op, Sort, Term, Valuation, Value, Var};

/// A law about a term under a valuation; an error tells what is wrong.
type Law = fn(Term, &Valuation) -> Result<(), String>;

/// Checks `law` on random terms, some with each operator at the head, under random valuations. A failure is
/// reported for the smallest part that fails.
fn check(law: Law) {
    let mut generator = Generator::new(0x9E37_79B9_7F4A_7C15);
    let signatures = signatures();
    for ways in signatures.chunk_by(|left, right| left.op == right.op) {
        for _ in 0..80 {
            let way = generator.rng.pick(ways).clone();
            let depth = generator.rng.below(4);
            let term = generator.apply(&way, depth);
            for _ in 0..4 {
                let valuation = generator.valuation();
                if law(term, &valuation).is_err() {
                    let (part, problem) = smallest(term, law, &valuation);
                    panic!("{part}\n{problem}\nunder {valuation:?}");
                }
            }
        }
    }
}

fn smallest(term: Term, law: Law, valuation: &Valuation) -> (Term, String) {
    let part = term.args().iter().find(|arg| law(**arg, valuation).is_err());
    match part {
        Some(part) => smallest(*part, law, valuation),
        None => (term, law(term, valuation).err().unwrap_or_default()),
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, left: &T, right: &T) -> Result<(), String> {
    if left == right { Ok(()) } else { Err(format!("{what}: {left:?} and {right:?}")) }
}

#[test]
fn every_operator_can_be_drawn() {
    let signatures = signatures();
    for op in Op::PLAIN {
        assert!(signatures.iter().any(|s| s.op == *op), "`{op}` needs a sort in `sorts`");
    }
}

#[test]
fn words_agree_with_values() {
    // Also if some values are unknown.
    check(|term, valuation| {
        let half = || valuation.iter().step_by(2).map(|(var, value)| (var, value.clone()));
        [valuation.clone(), half().collect()].iter().try_for_each(|known| {
            match term.as_word(known) {
                Ok(word) => {
                    let value = word.map(|word| Value::unpack(term.sort(), word));
                    same("values", &value, &term.eval(known))
                }
                Err(_) => same("values", &term.eval_packed(known), &term.eval(known)),
            }
        })
    });
}

#[test]
fn values_have_the_sort_of_the_term() {
    check(|term, valuation| {
        same("sorts", &term.eval(valuation).map(|v| v.sort()), &Some(term.sort()))
    });
}

#[test]
fn simplification_keeps_the_value() {
    check(|term, valuation| {
        let simple = term.simplified();
        same(&format!("value of {simple}"), &simple.eval(valuation), &term.eval(valuation))
    });
}

#[test]
fn normal_forms_stay() {
    check(|term, _| {
        let simple = term.simplified();
        same("simplified twice", &simple.simplified(), &simple)?;
        let stray = simple.vars().iter().find(|var| !term.mentions(**var));
        same("variables that were not there", &stray, &None)
    });
}

#[test]
fn what_is_known_decides_for_every_completion() {
    check(|term, valuation| {
        for known in parts_of(valuation) {
            for term in [term, term.simplified()] {
                if let Some(value) = term.eval(&known) {
                    same("early and late value", &Some(value), &term.eval(valuation))?;
                }
            }
        }
        Ok(())
    });
}

/// What is left of a valuation when fewer and fewer variables are known.
fn parts_of(valuation: &Valuation) -> impl Iterator<Item = Valuation> {
    (0..4).map(|n| {
        let mut known = valuation.clone();
        let vars = valuation.iter().enumerate().filter(|(i, _)| (i + i / 2) % 4 >= n);
        vars.for_each(|(_, (var, _))| known.forget(var));
        known
    })
}

/// The same value with and without recursion, also where it is unknown.
#[test]
fn large_terms_are_evaluated_like_small_ones() {
    fn large(term: Term) -> Term {
        let condition = vars(Sort::Bool).map(Term::var);
        let double = |(i, term)| Term::verbatim(Op::Ite, vec![condition[i % 2], term, term]);
        let mut doubled = term;
        while doubled.size() <= 64 {
            doubled = double((doubled.size() as usize, doubled)).expect("two branches of one sort");
        }
        doubled
    }
    check(|term, valuation| {
        let args: Vec<Term> = term.args().iter().map(|arg| large(*arg)).collect();
        let large = Term::verbatim(term.op().clone(), args).expect("the same sorts");
        let mut known = parts_of(valuation).chain([valuation.clone()]);
        known.try_for_each(|known| same("large", &large.eval(&known), &term.eval(&known)))
    });
}

#[test]
fn text_is_read_back() {
    check(|term, _| {
        same("read", &read(&term.to_string()), &Ok(term.simplified()))?;
        let simple = term.simplified();
        same("read simplified", &read(&simple.to_string()), &Ok(simple))
    });
}

#[test]
fn substitution_is_evaluation_in_two_steps() {
    check(|term, valuation| {
        for var in term.vars() {
            let [x, y] = vars(var.sort()).map(Term::var);
            let replacement = if var.sort() == Sort::Int { x.plus(y) } else { y };
            let mut after = valuation.clone();
            after.set(*var, replacement.eval(valuation).expect("all variables have values"));
            let substituted = term.substitute(*var, replacement);
            same("substituted", &substituted.eval(valuation), &term.eval(&after))?;
        }
        Ok(())
    });
}

#[test]
fn a_formula_and_its_negation_have_one_positive_form() {
    check(|term, valuation| {
        let formula = term.simplified();
        if formula.sort() != Sort::Bool || formula.as_lit().is_some() {
            return Ok(());
        }
        let negation = formula.not();
        let flipped = formula.eval(valuation).map(|value| Value::Bool(value == Value::Bool(false)));
        same("negation", &negation.eval(valuation), &flipped)?;
        same("negated twice", &negation.not(), &formula)?;
        same("positive", &negation.positive(), &formula.positive())?;
        same("positive twice", &formula.positive().positive(), &formula.positive())?;
        let positive = formula.positive();
        same("one of the two", &(positive == formula || positive == negation), &true)
    });
}

/// The truth value of a formula depends on that of its atoms only.
#[test]
fn atoms_decide_a_formula() {
    struct Atoms<'a>(&'a Valuation, Vec<(Term, Var)>);
    impl Assignment for Atoms<'_> {
        fn value(&self, var: Var) -> Option<Value> {
            let atom = self.1.iter().find(|(_, name)| *name == var).map(|(atom, _)| *atom);
            atom.unwrap_or(Term::var(var)).eval(self.0)
        }
    }
    fn named(term: Term, atoms: &Atoms) -> Term {
        if let Some((_, name)) = atoms.1.iter().find(|(atom, _)| *atom == term) {
            return Term::var(*name);
        }
        if let Some((_, name)) = atoms.1.iter().find(|(atom, _)| *atom == term.positive()) {
            return Term::verbatim(Op::Not, vec![Term::var(*name)]).expect("a formula");
        }
        let args = term.args().iter().map(|arg| named(*arg, atoms)).collect();
        Term::verbatim(term.op().clone(), args).expect("the same sorts")
    }
    check(|term, valuation| {
        let formula = term.simplified();
        if formula.sort() != Sort::Bool {
            return Ok(());
        }
        let name = |(i, atom)| (atom, Var::new(&format!("atom{i}"), Sort::Bool));
        let atoms = Atoms(valuation, formula.atoms().into_iter().enumerate().map(name).collect());
        let skeleton = named(formula, &atoms);
        let left = skeleton.vars().iter().any(|var| !var.name().starts_with("atom"));
        same("variables outside of atoms", &left, &false)?;
        same("skeleton", &skeleton.eval(&atoms), &formula.eval(valuation))
    });
}

/// Every operator on every combination of variables and values of small sorts, under all valuations.
#[test]
fn every_identity_of_the_simplifier_holds() {
    for signature in
        signatures().iter().filter(|s| s.args.iter().all(|sort| !values(*sort).is_empty()))
    {
        let is_long = signature.op.info().is_some_and(|info| info.arity == Arity::Many);
        if is_long && signature.args.len() > 2 || matches!(signature.op, Op::Apply(_)) {
            continue;
        }
        let atoms: Vec<Vec<Term>> = signature.args.iter().map(|sort| atoms(*sort)).collect();
        for args in product(&atoms) {
            let plain = Term::verbatim(signature.op.clone(), args.clone()).expect("well-sorted");
            let simple = Term::app(signature.op.clone(), args).expect("well-sorted");
            for valuation in valuations(plain.vars()) {
                assert_eq!(simple.eval(&valuation), plain.eval(&valuation), "{plain} is {simple}");
            }
        }
    }
}

/// Linear comparisons with all small coefficients: collecting, dividing and rounding lose no solution.
#[test]
fn linear_comparisons_keep_their_solutions() {
    for sort in [Sort::Int, Sort::Rat] {
        let [x, y] = vars(sort);
        let number = |n: i32| match sort {
            Sort::Int => Value::int(n),
            _ => Value::Rat(n.into()),
        };
        let app =
            |op: &Op, args: [Term; 2]| Term::verbatim(op.clone(), args.into()).expect("numbers");
        let times = |n: i32, var: Var| app(&Op::Mul, [Term::lit(number(n)), Term::var(var)]);
        let rows =
            product(&[vec![-4, -3, 0, 1, 2, 6], vec![-6, -1, 0, 3, 4], vec![-5, -2, 0, 1, 3]]);
        for (row, op) in rows.iter().flat_map(|row| [Op::Le, Op::Lt, Op::Eq].map(|op| (row, op))) {
            let sum = app(&Op::Add, [times(row[0], x), Term::lit(number(row[2]))]);
            let [plain, flipped] =
                [[sum, times(row[1], y)], [times(row[1], y), sum]].map(|args| app(&op, args));
            for (plain, simple) in [plain, flipped].map(|plain| (plain, plain.simplified())) {
                for values in product(&[(-4..5).collect::<Vec<_>>(), (-4..5).collect()]) {
                    let pairs = [x, y].into_iter().zip(values.into_iter().map(number));
                    let valuation: Valuation = pairs.collect();
                    assert_eq!(
                        simple.eval(&valuation),
                        plain.eval(&valuation),
                        "{plain} is {simple}"
                    );
                }
            }
        }
    }
}

fn values(sort: Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Int => [-2, -1, 0, 1, 3].map(Value::int).to_vec(),
        Sort::Rat => ["-1", "-1/2", "0", "1", "3/2"]
            .map(|text| Value::Rat(text.parse().expect("a rational")))
            .to_vec(),
        Sort::Bv(width @ 1..=2) => {
            let value = |n: u32| Term::bv(width, n).as_lit().cloned().expect("a value");
            (0..1 << width).map(value).collect()
        }
        _ => Vec::new(),
    }
}

fn atoms(sort: Sort) -> Vec<Term> {
    vars(sort).map(Term::var).into_iter().chain(values(sort).into_iter().map(Term::lit)).collect()
}

fn product<T: Clone>(choices: &[Vec<T>]) -> Vec<Vec<T>> {
    choices.iter().fold(vec![Vec::new()], |rows, choice| {
        let extend = |row: &Vec<T>| {
            let row = row.clone();
            choice.iter().map(move |item| [&row[..], std::slice::from_ref(item)].concat())
        };
        rows.iter().flat_map(extend).collect()
    })
}

fn valuations(vars: &[Var]) -> impl Iterator<Item = Valuation> {
    let rows = product(&vars.iter().map(|var| values(var.sort())).collect::<Vec<_>>());
    let vars = vars.to_vec();
    rows.into_iter().map(move |row| vars.iter().copied().zip(row).collect())
}
