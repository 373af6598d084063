//! Random formulas over bit-vectors and integers, and values for them.

use std::collections::BTreeMap;

use lapidary_expr::{Bv, Func, FuncValue, IBig, Op, Sort, Term, UBig, Valuation, Value, Var};

/// A deterministic source of choices (xorshift).
pub(super) struct Random(u64);

const WIDTHS: [u32; 11] = [1, 2, 3, 4, 5, 6, 7, 8, 32, 64, 70];

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Random(0x9e37_79b9_7f4a_7c15 ^ seed)
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    fn app(&mut self, op: Op, args: Vec<Term>) -> Term {
        let make = if self.below(3) == 0 { Term::verbatim } else { Term::app };
        make(op, args).expect("well-sorted")
    }

    /// Bits that are likely to matter: at the ends of the intervals, small, masks, any.
    fn word(&mut self, width: u32) -> Bv {
        let end = IBig::ONE << self.below(width as usize + 1);
        let near = IBig::from(self.below(5)) - IBig::from(2);
        let bits = (0..3).map(|i| UBig::from(self.below(1 << 30)) << (30 * i)).sum::<UBig>();
        match self.below(4) {
            0 => Bv::wrap(width, &(end + near)),
            1 => Bv::wrap(width, &near),
            2 => Bv::wrap(width, &(end - (IBig::ONE << self.below(width as usize + 1)))),
            _ => Bv::new(width, bits),
        }
    }

    pub(super) fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.below(2) == 0),
            Sort::Int => Value::Int(Bv::signed(&self.word(10))),
            Sort::Bv(width) => Value::Bv(self.word(width)),
            Sort::Array(array) => {
                let entries =
                    (0..3).map(|_| (self.value(array.index()), self.value(array.element())));
                let entries: BTreeMap<Value, Value> = entries.collect();
                Value::array(array, self.value(array.element()), entries)
            }
            Sort::Rat => Value::default_of(sort),
        }
    }

    pub(super) fn valuation(&mut self, formulas: &[Term]) -> Valuation {
        let vars = formulas.iter().flat_map(|formula| formula.vars());
        let mut valuation: Valuation = vars.map(|var| (*var, self.value(var.sort()))).collect();
        for width in 1..=80 {
            let default = self.value(Sort::Bv(width));
            valuation.set_func(function(width), FuncValue { entries: BTreeMap::new(), default });
        }
        valuation
    }

    fn var(&mut self, sort: Sort) -> Term {
        let name = self.pick(&["x", "y"]);
        Term::var(Var::new(&format!("{name}{sort}"), sort).at(self.below(2) as u32))
    }

    pub(super) fn formula(&mut self, depth: usize) -> Term {
        let width = self.pick(&WIDTHS);
        let inner = depth.saturating_sub(1);
        match self.below(if depth == 0 { 4 } else { 9 }) {
            0 => self.var(Sort::Bool),
            1 => {
                let op = self.pick(&[Op::Le, Op::Lt, Op::Eq]);
                let args = vec![self.integer(inner), self.integer(inner)];
                self.app(op, args)
            }
            2 | 3 => {
                let op = self.pick(&[Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle, Op::Eq]);
                let args = vec![self.bits(width, inner), self.bits(width, inner)];
                self.app(op, args)
            }
            4 => {
                let arrays = Sort::array(Sort::Bv(2), Sort::Bv(width));
                let (left, right) = (self.var(arrays), self.var(arrays));
                left.equals(right.store(self.bits(2, inner), self.bits(width, inner)))
            }
            5 => {
                let args = vec![self.formula(inner)];
                self.app(Op::Not, args)
            }
            6 => {
                let args = vec![self.formula(inner), self.formula(inner), self.formula(inner)];
                self.app(Op::Ite, args)
            }
            _ => {
                let op = self.pick(&[Op::And, Op::Or, Op::Eq]);
                let args = vec![self.formula(inner), self.formula(inner)];
                self.app(op, args)
            }
        }
    }

    fn integer(&mut self, depth: usize) -> Term {
        let inner = depth.saturating_sub(1);
        let width = self.pick(&WIDTHS);
        match self.below(if depth == 0 { 2 } else { 6 }) {
            0 => self.var(Sort::Int),
            1 => Term::lit(self.value(Sort::Int)),
            2 | 3 => {
                let op = self.pick(&[Op::BvToInt, Op::BvToSigned]);
                let args = vec![self.bits(width, inner)];
                self.app(op, args)
            }
            _ => {
                let op = self.pick(&[Op::Add, Op::Mul, Op::Div, Op::Mod, Op::Rem]);
                let args = vec![self.integer(inner), self.integer(inner)];
                self.app(op, args)
            }
        }
    }

    /// A term of this width under any operator that makes bits.
    fn bits(&mut self, width: u32, depth: usize) -> Term {
        let inner = depth.saturating_sub(1);
        let (lower, higher) = (1 + self.below(width as usize) as u32, self.below(9) as u32);
        match self.below(if depth == 0 { 3 } else { 14 }) {
            0 => Term::lit(self.value(Sort::Bv(width))),
            1 | 2 => self.var(Sort::Bv(width)),
            3 => {
                let op = self.pick(&[Op::BvNot, Op::BvNeg]);
                let args = vec![self.bits(width, inner)];
                self.app(op, args)
            }
            4 => {
                let op = self.pick(&[Op::ZeroExtend(width - lower), Op::SignExtend(width - lower)]);
                let args = vec![self.bits(lower, inner)];
                self.app(op, args)
            }
            5 => {
                let low = self.below(higher as usize + 1) as u32;
                let args = vec![self.bits(width + higher, inner)];
                self.app(Op::Extract(width + low - 1, low), args)
            }
            6 if lower < width => {
                let args = vec![self.bits(width - lower, inner), self.bits(lower, inner)];
                self.app(Op::Concat, args)
            }
            7 => {
                let args =
                    vec![self.formula(inner), self.bits(width, inner), self.bits(width, inner)];
                self.app(Op::Ite, args)
            }
            8 => match self.below(3) {
                0 => {
                    self.var(Sort::array(Sort::Bv(2), Sort::Bv(width))).select(self.bits(2, inner))
                }
                1 => {
                    let args = vec![self.bits(width, inner)];
                    self.app(Op::Apply(function(width)), args)
                }
                _ => {
                    let args = vec![self.integer(inner)];
                    self.app(Op::IntToBv(width), args)
                }
            },
            9 | 10 => {
                let op =
                    self.pick(&[Op::BvAdd, Op::BvSub, Op::BvMul, Op::BvXor, Op::BvAnd, Op::BvOr]);
                let n = if op == Op::BvSub { 2 } else { 2 + self.below(2) };
                let args = (0..n).map(|_| self.bits(width, inner)).collect();
                self.app(op, args)
            }
            _ => {
                let divisions = [Op::BvUdiv, Op::BvUrem, Op::BvSdiv, Op::BvSrem, Op::BvSmod];
                let shifts = [Op::BvShl, Op::BvLshr, Op::BvAshr, Op::BvMul, Op::BvAnd, Op::BvOr];
                let op = self.pick(&[&divisions[..], &shifts[..]].concat());
                let left = self.bits(width, inner);
                let right = match self.below(5) {
                    0 => self.bits(width, inner),
                    1 => Term::bv(width, self.below(width as usize + 2)),
                    _ => Term::lit(self.value(Sort::Bv(width))),
                };
                self.app(op, vec![left, right])
            }
        }
    }

    /// A comparison of sums of these variables, as engines for integers make them, or a few such.
    pub(super) fn integers(&mut self, vars: &[Var]) -> Term {
        let op = self.pick(&[Op::Le, Op::Lt, Op::Eq]);
        match self.below(8) {
            0 => {
                let args = vec![self.integers(vars), self.integers(vars).not()];
                self.app(Op::Or, args)
            }
            1 => {
                let modulus = Term::int(IBig::ONE << self.below(12));
                let remainder = self.sum(vars);
                let args = vec![remainder, modulus];
                let remainder = self.app(Op::Mod, args);
                remainder.equals(Term::int(self.below(5)))
            }
            2 => {
                let divide = self.pick(&[Op::Mod, Op::Div]);
                let args = vec![self.sum(vars), Term::int(1 + self.below(12))];
                let divided = self.app(divide, args);
                let args = vec![divided, self.sum(vars)];
                self.app(op, args)
            }
            3 => {
                let args = vec![self.var(Sort::Int), self.sum(vars)];
                self.app(op, args)
            }
            4 => {
                let condition = self.sum(vars).at_most(self.sum(vars));
                let args = vec![condition.ite(self.sum(vars), self.sum(vars)), self.sum(vars)];
                self.app(op, args)
            }
            5 => {
                let (x, y) = (self.pick(vars), self.pick(vars));
                let near = Term::int(IBig::from(self.below(4)) - IBig::ONE);
                let args = vec![Term::var(x).plus(near), y.into()];
                self.app(op, args)
            }
            _ => {
                let args = vec![self.sum(vars), self.sum(vars)];
                self.app(op, args)
            }
        }
    }

    fn sum(&mut self, vars: &[Var]) -> Term {
        let mut sum = Term::lit(self.value(Sort::Int));
        for _ in 0..self.below(3) {
            let factor = if self.below(2) == 0 { 1 } else { self.pick(&[-4, -3, -2, -1, 2, 3, 4]) };
            sum = sum.plus(Term::int(factor).times(self.pick(vars).into()));
        }
        sum
    }
}

fn function(width: u32) -> Func {
    Func::new(&format!("f{width}"), &[Sort::Bv(width)], Sort::Bv(width))
}
