//! Random values and terms over the whole operator table.

#![allow(dead_code, reason = "each test uses its part")]

use lapidary_expr::op::Arity;
use lapidary_expr::{Bv, Func, FuncValue, IBig, Op, RBig, Sort, Term, UBig, Valuation, Value, Var};

/// A small deterministic source of choices (xorshift).
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    /// One of `n` integers from `least` on.
    pub(crate) fn number(&mut self, least: i32, n: usize) -> IBig {
        IBig::from(least) + IBig::from(self.below(n))
    }

    pub(crate) fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// A value that tends to be small, or at the edge of its sort.
    pub(crate) fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Array(array) => {
                let n = self.below(4);
                let entries =
                    (0..n).map(|_| (self.value(array.index()), self.value(array.element())));
                let entries = entries.collect();
                Value::array(array, self.value(array.element()), entries)
            }
            Sort::Bv(width) if self.below(2) == 0 => {
                let bits =
                    (0..width).fold(UBig::ZERO, |bits, _| (bits << 1) + UBig::from(self.below(2)));
                Value::Bv(Bv::new(width, bits))
            }
            _ => self.pick(&edges(sort)),
        }
    }
}

/// The values where operators tend to go wrong; of arrays, only the default.
pub(crate) fn edges(sort: Sort) -> Vec<Value> {
    let big = || IBig::from(10).pow(30);
    match sort {
        Sort::Bool => [false, true].map(Value::Bool).to_vec(),
        Sort::Int => {
            let small = [0, 1, -1, 2, -2, 3, 7, -7, i64::MAX, i64::MIN].map(Value::int);
            small.into_iter().chain([Value::Int(big()), Value::Int(-big())]).collect()
        }
        Sort::Rat => {
            let small = [(0, 1u8), (1, 1), (-1, 1), (1, 2), (-1, 2), (7, 3), (-7, 3), (5, 1)];
            let rational = |numerator: IBig, denominator: u8| {
                Value::Rat(RBig::from_parts(numerator, denominator.into()))
            };
            let small = small.map(|(n, d)| rational(n.into(), d));
            small.into_iter().chain([rational(big() + IBig::ONE, 3), rational(-big(), 7)]).collect()
        }
        Sort::Bv(width) => {
            let half = IBig::ONE << (width as usize - 1);
            let numbers = [
                IBig::ZERO,
                IBig::ONE,
                -IBig::ONE,
                half.clone(),
                half - IBig::ONE,
                width.into(),
                3.into(),
            ];
            let mut values: Vec<Value> =
                numbers.iter().map(|n| Value::Bv(Bv::wrap(width, n))).collect();
            values.sort();
            values.dedup();
            values
        }
        Sort::Array(_) => vec![Value::default_of(sort)],
    }
}

/// The sorts of the operator tests: every kind, narrow and wide, arrays over different indices.
pub(crate) fn sorts() -> Vec<Sort> {
    vec![
        Sort::Bool,
        Sort::Int,
        Sort::Rat,
        Sort::Bv(1),
        Sort::Bv(5),
        Sort::Bv(70),
        Sort::array(Sort::Int, Sort::Int),
        Sort::array(Sort::Bv(2), Sort::Bool),
        Sort::array(Sort::Bool, Sort::Bv(5)),
        Sort::array(Sort::Int, Sort::array(Sort::Int, Sort::Rat)),
    ]
}

pub(crate) fn funcs() -> [Func; 3] {
    [
        Func::new("f", &[Sort::Int], Sort::Int),
        Func::new("g", &[Sort::Bv(5), Sort::Bool], Sort::Bv(5)),
        Func::new("c", &[], Sort::Int),
    ]
}

/// Every operator of the table; of the indexed ones, some.
pub(crate) fn operators() -> Vec<Op> {
    let mut ops = Op::PLAIN.to_vec();
    ops.extend(
        [(0, 0), (4, 0), (4, 4), (3, 1), (69, 3), (69, 69)]
            .map(|(high, low)| Op::Extract(high, low)),
    );
    ops.extend([0, 1, 4, 65].into_iter().flat_map(|n| [Op::ZeroExtend(n), Op::SignExtend(n)]));
    ops.extend([1, 5, 64, 70].map(Op::IntToBv));
    ops.extend(sorts().into_iter().filter_map(|sort| match sort {
        Sort::Array(array) if sorts().contains(&array.element()) => Some(Op::ConstArray(array)),
        _ => None,
    }));
    ops
}

/// The sorts of arguments that the operator takes, found by asking its sort rule.
pub(crate) fn signatures(op: &Op, sorts: &[Sort]) -> Vec<Vec<Sort>> {
    let lengths = match (op, op.info().map(|info| info.arity)) {
        (Op::Apply(func), _) => vec![func.params().len()],
        (_, Some(Arity::Exactly(n))) => vec![n],
        _ => vec![2, 3],
    };
    let tuples = |length: u32| {
        (0..sorts.len().pow(length)).map(move |n| {
            (0..length).map(|i| sorts[n / sorts.len().pow(i) % sorts.len()]).collect()
        })
    };
    lengths
        .into_iter()
        .flat_map(|n| tuples(n as u32))
        .filter(|args: &Vec<Sort>| op.sort_of(args).is_ok())
        .collect()
}

/// Two variables of each sort.
pub(crate) fn vars(sort: Sort) -> [Var; 2] {
    ["x", "y"].map(|name| Var::new(name, sort))
}

/// Makes random terms, just as drawn.
pub(crate) struct Generator {
    pub(crate) rng: Rng,
    sorts: Vec<Sort>,
    /// Operators, the sorts they take, and what they make.
    rules: Vec<(Op, Vec<Sort>, Sort)>,
}

impl Generator {
    pub(crate) fn new(seed: u64, sorts: Vec<Sort>) -> Self {
        let ops = operators().into_iter().chain(funcs().map(Op::Apply));
        let rules = ops.flat_map(|op| {
            let args = signatures(&op, &sorts).into_iter();
            args.map(move |args| {
                (op.clone(), args.clone(), op.sort_of(&args).expect("a signature"))
            })
        });
        Generator { rng: Rng(seed), rules: rules.collect(), sorts }
    }

    pub(crate) fn term(&mut self, sort: Sort, depth: usize) -> Term {
        match self.rng.below(6) {
            0 => Term::lit(self.rng.value(sort)),
            n if n == 1 || depth == 0 => Term::var(self.rng.pick(&vars(sort))),
            _ => {
                let fitting: Vec<&(Op, Vec<Sort>, Sort)> =
                    self.rules.iter().filter(|(_, _, to)| *to == sort).collect();
                let (op, args, _) = fitting[self.rng.below(fitting.len())].clone();
                let args = args.into_iter().map(|sort| self.term(sort, depth - 1)).collect();
                Term::verbatim(op, args).expect("a signature")
            }
        }
    }

    /// Values for all variables and functions.
    pub(crate) fn valuation(&mut self) -> Valuation {
        let vars: Vec<Var> = self.sorts.iter().flat_map(|sort| vars(*sort)).collect();
        let mut valuation: Valuation =
            vars.into_iter().map(|var| (var, self.rng.value(var.sort()))).collect();
        for func in funcs() {
            let mut entry = || {
                let args: Vec<Value> =
                    func.params().iter().map(|sort| self.rng.value(*sort)).collect();
                (args, self.rng.value(func.result()))
            };
            let entries = [entry(), entry()].into_iter().collect();
            valuation.set_func(func, FuncValue { entries, default: self.rng.value(func.result()) });
        }
        valuation
    }
}
