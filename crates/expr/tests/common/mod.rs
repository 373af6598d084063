//! Random well-sorted terms over the whole operator table, and valuations for them.

use std::collections::BTreeMap;

use lapidary_expr::op::Arity;
use lapidary_expr::text::{Scope, SyntaxError, parse};
use lapidary_expr::{Bv, Func, FuncValue, Op, RBig, Sort, Term, UBig, Valuation, Value, Var};

/// A small deterministic source of choices (xorshift).
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    fn between(&mut self, low: i32, high: i32) -> i32 {
        let n_values = low.abs_diff(high) as usize + 1;
        (low..=high).nth(self.below(n_values)).unwrap_or(low)
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

pub(crate) fn sorts() -> Vec<Sort> {
    let mut sorts = vec![Sort::Bool, Sort::Int, Sort::Rat];
    sorts.extend((1..=4).map(Sort::Bv));
    sorts.push(Sort::array(Sort::Bv(2), Sort::Bool));
    sorts.push(Sort::array(Sort::Bool, Sort::Bv(2)));
    sorts.push(Sort::array(Sort::Int, Sort::Int));
    sorts
}

/// Two variables of each sort, with names that tell the sort.
pub(crate) fn vars(sort: Sort) -> [Var; 2] {
    let number = sorts().iter().position(|s| *s == sort).expect("a sort of the generator");
    ["x", "y"].map(|letter| Var::new(&format!("{letter}{number}"), sort))
}

fn funcs() -> [Func; 3] {
    [
        Func::new("f", &[Sort::Int], Sort::Int),
        Func::new("g", &[Sort::Bv(2), Sort::Bool], Sort::Bv(2)),
        Func::new("c", &[], Sort::Int),
    ]
}

/// An operator with sorts that it takes.
#[derive(Clone)]
pub(crate) struct Signature {
    pub(crate) op: Op,
    pub(crate) args: Vec<Sort>,
    pub(crate) result: Sort,
}

/// Every operator of the table; of the indexed ones, those over the sorts of [`sorts`].
pub(crate) fn operators() -> Vec<Op> {
    let mut ops = Op::PLAIN.to_vec();
    let pairs = (0..4).flat_map(|high| (0..=high).map(move |low| (high, low)));
    ops.extend(pairs.map(|(high, low)| Op::Extract(high, low)));
    ops.extend((0..4).flat_map(|n| [Op::ZeroExtend(n), Op::SignExtend(n), Op::IntToBv(n)]));
    ops.extend(sorts().into_iter().filter_map(|sort| match sort {
        Sort::Array(array) => Some(Op::ConstArray(array)),
        _ => None,
    }));
    ops.extend(funcs().map(Op::Apply));
    ops
}

/// All ways to apply the operators within the sorts, found by asking their sort rules.
pub(crate) fn signatures() -> Vec<Signature> {
    operators().iter().flat_map(signatures_of).collect()
}

fn signatures_of(op: &Op) -> Vec<Signature> {
    let lengths = match (op, op.info().map(|info| info.arity)) {
        (Op::Apply(func), _) => vec![func.params().len()],
        (_, Some(Arity::Exactly(n))) => vec![n],
        _ => vec![2, 3],
    };
    let sorts = sorts();
    let mut found = Vec::new();
    for length in lengths {
        for n in 0..sorts.len().pow(length as u32) {
            let digit = |i| n / sorts.len().pow(i as u32) % sorts.len();
            let args: Vec<Sort> = (0..length).map(|i| sorts[digit(i)]).collect();
            if let Ok(result) = op.sort_of(&args)
                && sorts.contains(&result)
            {
                found.push(Signature { op: op.clone(), args, result });
            }
        }
    }
    found
}

/// Makes random terms.
pub(crate) struct Generator {
    pub(crate) rng: Rng,
    /// The operators that make a term of each sort, each with its signatures.
    by_result: BTreeMap<Sort, Vec<Vec<Signature>>>,
}

impl Generator {
    pub(crate) fn new(seed: u64) -> Self {
        let mut by_result: BTreeMap<Sort, Vec<Vec<Signature>>> = BTreeMap::new();
        for signature in signatures() {
            let groups = by_result.entry(signature.result).or_default();
            match groups.iter_mut().find(|group| group[0].op == signature.op) {
                Some(group) => group.push(signature),
                None => groups.push(vec![signature]),
            }
        }
        Self { rng: Rng(seed), by_result }
    }

    /// A term of the given sort, just as drawn.
    pub(crate) fn term(&mut self, sort: Sort, depth: usize) -> Term {
        match self.rng.below(6) {
            0 => Term::lit(self.value(sort)),
            1 => Term::var(*self.rng.pick(&vars(sort))),
            _ if depth == 0 => Term::var(*self.rng.pick(&vars(sort))),
            _ => {
                let group = self.rng.pick(&self.by_result[&sort][..]);
                let signature = self.rng.pick(group).clone();
                self.apply(&signature, depth - 1)
            }
        }
    }

    /// The operator of a signature on random arguments. One in four has an argument twice.
    pub(crate) fn apply(&mut self, signature: &Signature, depth: usize) -> Term {
        let mut args: Vec<Term> =
            signature.args.iter().map(|sort| self.term(*sort, depth)).collect();
        if args.len() > 1 && self.rng.below(4) == 0 && signature.args[0] == signature.args[1] {
            args[1] = args[0];
        }
        Term::verbatim(signature.op.clone(), args).expect("signatures are well-sorted")
    }

    pub(crate) fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.rng.below(2) == 0),
            Sort::Int if self.rng.below(20) == 0 => {
                Value::int(i128::MIN + self.rng.below(3) as i128)
            }
            Sort::Int => Value::int(self.rng.between(-4, 4)),
            Sort::Rat => {
                let (n, d) = (self.rng.between(-6, 6), self.rng.below(3) + 1);
                Value::Rat(RBig::from_parts(n.into(), d.into()))
            }
            Sort::Bv(width) => Value::Bv(Bv::new(width, UBig::from(self.rng.below(1 << width)))),
            Sort::Array(array) => {
                let entries = (0..self.rng.below(5))
                    .map(|_| (self.value(array.index()), self.value(array.element())))
                    .collect();
                Value::array(array, self.value(array.element()), entries)
            }
        }
    }

    /// Values for all variables and functions.
    pub(crate) fn valuation(&mut self) -> Valuation {
        let mut valuation: Valuation = Valuation::new();
        for var in sorts().into_iter().flat_map(vars) {
            valuation.set(var, self.value(var.sort()));
        }
        for func in funcs() {
            let mut entry = || {
                let args: Vec<Value> = func.params().iter().map(|sort| self.value(*sort)).collect();
                (args, self.value(func.result()))
            };
            let entries = [entry(), entry()].into_iter().collect();
            let default = self.value(func.result());
            valuation.set_func(func, FuncValue { entries, default });
        }
        valuation
    }
}

/// The variables and functions of the generator by name.
struct Names;

impl Scope for Names {
    fn var(&self, name: &str) -> Option<Var> {
        sorts().into_iter().flat_map(vars).find(|var| var.name() == name)
    }

    fn func(&self, name: &str) -> Option<Func> {
        funcs().into_iter().find(|func| func.name() == name)
    }
}

/// Reads a term of the generator.
pub(crate) fn read(text: &str) -> Result<Term, SyntaxError> {
    parse(text, &Names)
}
