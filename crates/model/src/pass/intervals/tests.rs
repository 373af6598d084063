//! Sets of values against the evaluator: what an operator yields on elements is an element of what it yields on sets.

use std::sync::LazyLock;

use lapidary_expr::{Op, Sort, Term, Valuation, Value, Var};

use super::abs::Abs;
use super::operators;
use super::state::State;
use super::transfer::Transfer;
use lapidary_expr::interval::Range;

/// A small deterministic source of choices (xorshift).
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.below(2) == 0),
            Sort::Int => Value::int(self.below(25) as i128 - 12),
            Sort::Bv(width) => literal(width, self.below(1 << width)),
            other => Value::default_of(other),
        }
    }

    /// A set that is the join of a few values, or what two such sets have in common.
    fn set(&mut self, sort: Sort) -> Abs {
        let mut joined = || {
            let first = Abs::of(&self.value(sort));
            (0..self.below(4)).fold(first, |set, _| set.join(Abs::of(&self.value(sort))))
        };
        let (one, two) = (joined(), joined());
        let set = match self.below(8) {
            0 => Abs::all(sort),
            1..4 => one.meet(two).unwrap_or(one),
            4 => one.widen(two, &[-7, 0, 1, 5, 9]),
            5 => one.widen(two, &[]),
            _ => one,
        };
        // What two sets have in common may turn out to be nothing.
        if inside(set, sort).is_empty() { one } else { set }
    }

    fn term(&mut self, sort: Sort, depth: usize) -> Term {
        let vars: Vec<Var> = vars().into_iter().filter(|var| var.sort() == sort).collect();
        if depth == 0 || self.below(6) == 0 {
            return match self.below(3) {
                0 => Term::lit(self.value(sort)),
                _ => Term::var(vars[self.below(vars.len())]),
            };
        }
        let ops = &*OPERATORS;
        loop {
            let (op, args) = &ops[self.below(ops.len())];
            if op.sort_of(args) == Ok(sort) {
                let args = args.iter().map(|arg| self.term(*arg, depth - 1)).collect();
                return Term::verbatim(op.clone(), args).unwrap_or_else(|e| panic!("{e}"));
            }
        }
    }
}

fn literal(width: u32, bits: usize) -> Value {
    Value::Bv(lapidary_expr::Bv::new(width, bits.into()))
}

static OPERATORS: LazyLock<Vec<(Op, Vec<Sort>)>> = LazyLock::new(operators);

/// The sorts that tests use, with two variables of each.
const SORTS: [Sort; 5] = [Sort::Bool, Sort::Int, Sort::Bv(1), Sort::Bv(3), Sort::Bv(4)];

fn vars() -> Vec<Var> {
    let var = |sort: Sort| ["x", "y"].map(|name| Var::new(&format!("{name}{sort}"), sort));
    SORTS.into_iter().flat_map(var).collect()
}

/// All operators with arguments of these sorts that have a result of these sorts.
fn operators() -> Vec<(Op, Vec<Sort>)> {
    let mut ops = Op::PLAIN.to_vec();
    ops.extend([Op::Extract(1, 0), Op::Extract(2, 0), Op::Extract(3, 1), Op::Extract(3, 3)]);
    ops.extend([
        Op::ZeroExtend(1),
        Op::SignExtend(1),
        Op::SignExtend(2),
        Op::IntToBv(3),
        Op::IntToBv(4),
    ]);
    let mut tuples: Vec<Vec<Sort>> = vec![vec![]];
    let mut found = Vec::new();
    for _ in 0..3 {
        let extend = |tuple: &Vec<Sort>| SORTS.map(|sort| [&tuple[..], &[sort]].concat());
        tuples = tuples.iter().flat_map(extend).collect();
        for op in &ops {
            let fits = |args: &&Vec<Sort>| op.sort_of(args).is_ok_and(|sort| SORTS.contains(&sort));
            found.extend(tuples.iter().filter(fits).map(|args| (op.clone(), args.clone())));
        }
    }
    found
}

/// Some values of a sort: all, or integers around zero.
fn values(sort: Sort) -> Vec<Value> {
    match sort {
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Bv(width) => (0..1 << width).map(|bits| literal(width, bits)).collect(),
        _ => (-40..=40).map(|n: i128| Value::int(n)).collect(),
    }
}

fn inside(set: Abs, sort: Sort) -> Vec<Value> {
    values(sort).into_iter().filter(|value| has(set, value)).collect()
}

fn has(set: Abs, value: &Value) -> bool {
    Abs::of(value).is_subset(set)
}

#[test]
fn operators_on_sets_yield_all_values() {
    let mut rng = Rng(0x1234_5678_9abc_def1);
    for (op, sorts) in operators() {
        let sort = op.sort_of(&sorts).unwrap_or_else(|error| panic!("{error}"));
        for _ in 0..400 {
            let sets: Vec<Abs> = sorts.iter().map(|sort| rng.set(*sort)).collect();
            let result = operators::apply(&op, sort, &sets);
            for _ in 0..12 {
                let args = sorts.iter().zip(&sets).map(|(sort, set)| {
                    let inside = inside(*set, *sort);
                    inside[rng.below(inside.len())].clone()
                });
                let args: Vec<Value> = args.collect();
                let value = op.info().map(|info| (info.eval)(&op, &args));
                let value = value.unwrap_or_else(|| panic!("{op} is in the table"));
                assert!(has(result, &value), "{op} {sets:?} is {result:?}, {args:?} has {value}");
            }
        }
    }
}

/// The lattice of sets, and the formulas, by their elements.
#[test]
fn sets_are_what_their_formulas_say() {
    let mut rng = Rng(0x0dd_ba11);
    for round in 0..20_000 {
        let sort = SORTS[round % SORTS.len()];
        let var = Var::new("v", sort);
        let (one, two) = (rng.set(sort), rng.set(sort));
        let facts = Term::and(one.facts(var.into()));
        for value in values(sort) {
            let (in_one, in_two) = (has(one, &value), has(two, &value));
            let known: Valuation = [(var, value.clone())].into_iter().collect();
            assert_eq!(facts.holds(&known), Some(in_one), "{one:?} is not {facts} for {value}");
            assert!(has(one.join(two), &value) || !(in_one || in_two), "{one:?} {two:?} {value}");
            let met = one.meet(two).is_some_and(|met| has(met, &value));
            assert!(met || !(in_one && in_two), "{one:?} {two:?} {value}");
            let is_wide = has(one.widen(two, &[-3, 4]), &value);
            assert!(is_wide || !(in_one || in_two), "{one:?} {two:?} {value}");
            assert!(!one.is_subset(two) || !in_one || in_two, "{one:?} {two:?} {value}");
        }
    }
}

/// Conditions lose no valuation for which they hold, and terms have the values they are said to have.
#[test]
fn conditions_keep_what_satisfies_them() {
    let mut rng = Rng(0xfeed_beef);
    let transfer = Transfer::new(&vars());
    let mut narrowed = 0;
    for _ in 0..8_000 {
        let sets: Vec<Abs> = vars().iter().map(|var| rng.set(var.sort())).collect();
        let condition = rng.term(Sort::Bool, 4);
        let (before, mut after) = (State::new(&sets), State::new(&sets));
        let is_possible = transfer.refine(&mut after, condition, true, 0);
        narrowed += usize::from(!is_possible || !before.is_subset(&after));
        let result = transfer.eval(condition, &before);
        for _ in 0..6 {
            let value = |(var, set): (Var, &Abs)| {
                let inside = inside(*set, var.sort());
                (var, inside[rng.below(inside.len())].clone())
            };
            let known: Valuation = vars().into_iter().zip(&sets).map(value).collect();
            let holds = condition.holds(&known).unwrap_or_else(|| panic!("{condition}"));
            assert!(has(result, &Value::Bool(holds)), "{condition} for {}", known.to_term());
            if holds {
                assert!(is_possible, "{condition} for {}", known.to_term());
                for (i, var) in vars().into_iter().enumerate() {
                    let is_kept = known.get(var).is_some_and(|value| has(after.get(i), value));
                    assert!(is_kept, "{condition} for {}: {var}", known.to_term());
                }
            }
        }
    }
    assert!(narrowed > 1_500, "{narrowed} conditions say something");
}

#[test]
fn numbers_beyond_all_limits_are_not_told_apart() {
    let huge = Range::single(i128::MAX / 3);
    assert_eq!((huge.lo, huge.hi), (1 << 120, lapidary_expr::interval::GREATEST));
    let product = Range::between(5, 1 << 100).times(Range::between(-(1 << 90), 7));
    assert_eq!((product.lo, product.hi), (lapidary_expr::interval::LEAST, 7 << 100));
    assert_eq!(Range::between(3, 9).times(Range::ALL), Range::ALL);
    assert_eq!(Range::single(0).times(Range::ALL), Range::single(0));
}
