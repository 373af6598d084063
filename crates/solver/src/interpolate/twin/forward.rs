//! From bit-vectors to integers.

use std::collections::BTreeMap;

use lapidary_expr::{Bv, IBig, Op, Sort, Term, Value, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::range::{Num, Reading, modulo, power};
use super::{WIDEST, bottom_up};

/// Sums of more terms are wrapped on the way, so that sums of sums do not become long.
const LONGEST: usize = 16;

/// Translates the parts of a path one by one.
pub(super) struct Forward {
    pub(super) reading: Reading,
    pub(super) originals: BTreeMap<Var, Term>,
    /// For each bit-vector term so far, an integer that is congruent to it.
    bits: FxHashMap<Term, Num>,
    /// What the terms of other sorts have become.
    others: FxHashMap<Term, Term>,
    /// The twins of variables at version 0.
    twins: FxHashMap<Var, Var>,
    opaque: FxHashMap<Term, Var>,
    names: FxHashSet<String>,
    /// The intervals of the variables that are new in this part.
    intervals: Vec<Term>,
}

impl Forward {
    /// Ready to translate these parts; none if no bit-vectors occur, or too wide ones.
    pub(super) fn new(parts: &[Term]) -> Option<Forward> {
        let (mut signed, mut unsigned, mut widest) = (0, 0, 0);
        for term in bottom_up(parts, |_| true) {
            match (term.op(), term.sort()) {
                (Op::BvSlt | Op::BvSle, _) => signed += 1,
                (Op::BvUlt | Op::BvUle, _) => unsigned += 1,
                (_, Sort::Bv(width)) => widest = width.max(widest),
                _ => {}
            }
        }
        let names = parts.iter().flat_map(|part| part.vars()).map(|var| var.name().to_string());
        (widest > 0 && widest <= WIDEST).then(|| Forward {
            reading: if signed > unsigned { Reading::Signed } else { Reading::Unsigned },
            originals: BTreeMap::new(),
            bits: FxHashMap::default(),
            others: FxHashMap::default(),
            twins: FxHashMap::default(),
            opaque: FxHashMap::default(),
            names: names.collect(),
            intervals: Vec::new(),
        })
    }

    /// The next part over integers, with the intervals of the variables that are new in it.
    pub(super) fn part(&mut self, part: Term) -> Term {
        let enter = |term| {
            is_linear(term) && !self.bits.contains_key(&term) && !self.others.contains_key(&term)
        };
        for term in bottom_up(&[part], enter) {
            if self.bits.contains_key(&term) || self.others.contains_key(&term) {
                continue;
            }
            if let Sort::Bv(width) = term.sort() {
                let number = self.congruent(term, width);
                self.bits.insert(term, number);
            } else {
                let other = self.other(term);
                self.others.insert(term, other);
            }
        }
        let translated = self.others.get(&part).copied().unwrap_or(part);
        Term::and([translated].into_iter().chain(self.intervals.drain(..)))
    }

    /// A term that is no bit-vector.
    fn other(&self, term: Term) -> Term {
        let read = |reading| -> Vec<Term> {
            term.args().iter().map(|arg| self.read(*arg, reading).term).collect()
        };
        let (op, args) = match term.op() {
            _ if term.args().is_empty() || !is_linear(term) => return term,
            Op::BvToInt => return read(Reading::Unsigned)[0],
            Op::BvToSigned => return read(Reading::Signed)[0],
            Op::BvUlt => (Op::Lt, read(Reading::Unsigned)),
            Op::BvUle => (Op::Le, read(Reading::Unsigned)),
            Op::BvSlt => (Op::Lt, read(Reading::Signed)),
            Op::BvSle => (Op::Le, read(Reading::Signed)),
            Op::Eq if matches!(term.args()[0].sort(), Sort::Bv(_)) => (Op::Eq, read(self.reading)),
            op => (op.clone(), term.args().iter().map(|arg| self.others[arg]).collect()),
        };
        Term::app(op, args).unwrap_or_else(|error| unreachable!("integers for bits: {error}"))
    }

    /// The integer that the bits of a translated term say.
    fn read(&self, term: Term, reading: Reading) -> Num {
        let width = width_of(term);
        self.bits[&term].wrapped(&reading.least(width), &power(width))
    }

    /// An integer that is congruent to the bits of the term.
    fn congruent(&mut self, term: Term, width: u32) -> Num {
        let number = match (term.op(), term.args()) {
            // Constants with the sign bit count as negative: adding 255 to a byte is subtracting 1.
            (Op::Lit(Value::Bv(bits)), _) => Num::constant(bits.signed()),
            (Op::Var(var), _) => self.variable(*var, width),
            (Op::BvMul, _) => self.product(term, width),
            _ if !is_linear(term) => self.opaque(term, width),
            (Op::IntToBv(_), [arg]) => modulo(self.others[arg], &power(width)),
            (Op::Ite, [condition, then, otherwise]) => Num::choice(
                self.others[condition],
                &self.read(*then, self.reading),
                &self.read(*otherwise, self.reading),
            ),
            (op, args) => self.linear(op, args, width),
        };
        self.shortened(number, width)
    }

    /// The number itself, or wrapped if it has become long or its coefficients large.
    fn shortened(&self, number: Num, width: u32) -> Num {
        let bound = power(2 * width + 8);
        let is_long = *number.term.op() == Op::Add && number.term.args().len() > LONGEST;
        match is_long || !number.within(&-&bound, &bound) {
            true => number.wrapped(&self.reading.least(width), &power(width)),
            false => number,
        }
    }

    fn linear(&self, op: &Op, args: &[Term], width: u32) -> Num {
        let first = &self.bits[&args[0]];
        match op {
            Op::BvNot => first.negated().plus(&Num::constant(IBig::NEG_ONE)),
            Op::BvNeg => first.negated(),
            Op::BvAdd => args[1..].iter().fold(first.clone(), |sum, arg| sum.plus(&self.bits[arg])),
            Op::BvSub => first.plus(&self.bits[&args[1]].negated()),
            // Whatever multiple of 2^width is added, it is a multiple of 2^low after the division.
            Op::Extract(_, low) => first.div(&power(*low)),
            Op::ZeroExtend(_) => self.read(args[0], Reading::Unsigned),
            Op::SignExtend(_) => self.read(args[0], Reading::Signed),
            Op::Concat => args[1..].iter().fold(first.clone(), |high, low| {
                let factor = power(width_of(*low));
                high.times(&factor).plus(&self.read(*low, Reading::Unsigned))
            }),
            Op::BvAnd | Op::BvOr => self.masked(op, args),
            Op::BvShl | Op::BvLshr | Op::BvAshr => {
                self.shifted(op, args[0], distance(args[1]), width)
            }
            _ => self.divided(op, args[0], args[1]),
        }
    }

    /// The product with the constant factors; the other factors, if they are many, are opaque.
    fn product(&mut self, term: Term, width: u32) -> Num {
        let (values, others): (Vec<Term>, Vec<Term>) =
            term.args().iter().partition(|arg| arg.as_lit().is_some());
        let factors = values.into_iter().filter_map(constant).map(Bv::signed);
        let factor = factors.fold(IBig::ONE, |product, factor| product * factor);
        let factor = Bv::wrap(width, &factor).signed();
        match others[..] {
            [] => Num::constant(factor),
            [only] => self.bits[&only].times(&factor),
            _ => {
                let rest = Term::app(Op::BvMul, others)
                    .unwrap_or_else(|error| unreachable!("factors of a product: {error}"));
                self.opaque(rest, width).times(&factor)
            }
        }
    }

    /// `bvand` with a run of ones, `bvor` with the complement of one.
    fn masked(&self, op: &Op, args: &[Term]) -> Num {
        let Some((arg, mask)) = mask(op, args) else { unreachable!("only masks are linear") };
        let (width, bits) = (width_of(arg), &self.bits[&arg]);
        let run = bits.div(&power(mask.low));
        // A run up to the highest bit is all that is above its lowest one.
        let run = match mask.high == width {
            true => run,
            false => run.wrapped(&IBig::ZERO, &power(mask.high - mask.low)),
        };
        let kept = run.times(&power(mask.low));
        match op {
            Op::BvAnd => kept,
            // The ones that are set are those that the run leaves out.
            _ => kept.plus(&Num::constant(power(mask.low) - power(mask.high) - IBig::ONE)),
        }
    }

    fn shifted(&self, op: &Op, arg: Term, distance: u32, width: u32) -> Num {
        match op {
            Op::BvShl if distance >= width => Num::constant(IBig::ZERO),
            Op::BvShl => self.bits[&arg].times(&power(distance)),
            Op::BvLshr => self.read(arg, Reading::Unsigned).div(&power(distance.min(width))),
            _ => self.read(arg, Reading::Signed).div(&power(distance.min(width))),
        }
    }

    /// Division by a constant that is not zero.
    fn divided(&self, op: &Op, arg: Term, divisor: Term) -> Num {
        let Some(divisor) = constant(divisor) else { unreachable!("only constants are linear") };
        let unsigned = IBig::from(divisor.unsigned().clone());
        let signed = divisor.signed();
        let size = if divisor.sign() { -&signed } else { signed.clone() };
        let dividend = match op {
            Op::BvUdiv | Op::BvUrem => self.read(arg, Reading::Unsigned),
            _ => self.read(arg, Reading::Signed),
        };
        match op {
            Op::BvUdiv => dividend.div(&unsigned),
            Op::BvUrem => dividend.modulo(&unsigned),
            Op::BvSdiv => {
                let quotient = by_sign(&dividend, |size_of| size_of.div(&size));
                if divisor.sign() { quotient.negated() } else { quotient }
            }
            Op::BvSrem if dividend.within(&(IBig::ONE - &size), &(&size - IBig::ONE)) => dividend,
            Op::BvSrem => by_sign(&dividend, |size_of| size_of.modulo(&size)),
            // `bvsmod`: the remainder has the sign of the divisor.
            _ if divisor.sign() => dividend.negated().modulo(&size).negated(),
            _ => dividend.modulo(&size),
        }
    }

    fn variable(&mut self, var: Var, width: u32) -> Num {
        let base = var.base();
        let twin = match self.twins.get(&base) {
            Some(twin) => *twin,
            None => {
                let twin = self.fresh(&format!("{}!int", var.name()));
                self.twins.insert(base, twin);
                twin
            }
        };
        self.bounded(twin.at(var.version()), var.into(), width)
    }

    fn opaque(&mut self, term: Term, width: u32) -> Num {
        let var = match self.opaque.get(&term) {
            Some(known) => *known,
            None => {
                let name = term.op().info().map_or("opaque", |info| info.name);
                let new = self.fresh(&format!("{name}!{}", self.opaque.len() + 1));
                self.opaque.insert(term, new);
                new
            }
        };
        self.bounded(var, term, width)
    }

    /// An integer variable whose name is not taken.
    fn fresh(&mut self, name: &str) -> Var {
        let mut name = name.to_string();
        while !self.names.insert(name.clone()) {
            name.push('!');
        }
        Var::new(&name, Sort::Int)
    }

    /// The integer variable for a term; the first time, its interval is noted.
    fn bounded(&mut self, var: Var, term: Term, width: u32) -> Num {
        let range = (self.reading.least(width), self.reading.greatest(width));
        if self.originals.insert(var, term).is_none() {
            self.intervals.push(Term::int(range.0.clone()).at_most(var.into()));
            self.intervals.push(Term::var(var).at_most(Term::int(range.1.clone())));
        }
        Num { term: var.into(), range }
    }
}

/// `f` of the absolute value, with the sign of the number. Rounds toward zero where `f` rounds down.
fn by_sign(number: &Num, f: impl Fn(&Num) -> Num) -> Num {
    let zero = IBig::ZERO;
    let positive = || f(&Num { range: (zero.clone(), number.range.1.clone()), ..number.clone() });
    let negative = || {
        let size = number.negated();
        f(&Num { range: (zero.clone(), size.range.1.clone()), ..size }).negated()
    };
    if number.range.0 >= zero {
        positive()
    } else if number.range.1 <= zero {
        negative()
    } else {
        let is_positive = Term::int(0).at_most(number.term);
        Num::choice(is_positive, &positive(), &negative())
    }
}

/// Whether the term is translated by way of its arguments; otherwise it is opaque or stays as it is.
fn is_linear(term: Term) -> bool {
    let args = term.args();
    match term.op() {
        Op::Select | Op::Store | Op::ConstArray(_) | Op::Apply(_) | Op::BvXor => false,
        Op::Eq => !matches!(args[0].sort(), Sort::Array(_)),
        Op::BvMul => args.iter().filter(|arg| arg.as_lit().is_none()).count() <= 1,
        Op::BvAnd | Op::BvOr => mask(term.op(), args).is_some(),
        Op::BvShl | Op::BvLshr | Op::BvAshr => constant(args[1]).is_some(),
        Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod => {
            constant(args[1]).is_some_and(|divisor| !divisor.unsigned().is_zero())
        }
        _ => !matches!(term.sort(), Sort::Array(_)),
    }
}

/// Ones from the lowest bit up to, and without, the highest.
struct Mask {
    low: u32,
    high: u32,
}

/// The masked term and the bits that are kept of it, if one argument is a constant that keeps a run of bits.
fn mask(op: &Op, args: &[Term]) -> Option<(Term, Mask)> {
    let (arg, bits) = match *args {
        [arg, value] if constant(value).is_some() => (arg, constant(value)?),
        [value, arg] => (arg, constant(value)?),
        _ => return None,
    };
    let width = bits.width();
    let kept = match op {
        Op::BvAnd => IBig::from(bits.unsigned().clone()),
        _ => power(width) - IBig::ONE - IBig::from(bits.unsigned().clone()),
    };
    // A run of ones plus its lowest one is a power of two.
    let low = (0..width).find(|low| !(&kept % power(low + 1)).is_zero())?;
    let high = (low + 1..=width).find(|high| power(*high) == &kept + power(low))?;
    Some((arg, Mask { low, high }))
}

fn constant(term: Term) -> Option<&'static Bv> {
    match term.as_lit() {
        Some(Value::Bv(bits)) => Some(bits),
        _ => None,
    }
}

/// The distance of a shift by a constant; a great one, if it is too large to say.
fn distance(by: Term) -> u32 {
    constant(by).and_then(|bits| u32::try_from(bits.unsigned()).ok()).unwrap_or(u32::MAX)
}

fn width_of(term: Term) -> u32 {
    match term.sort() {
        Sort::Bv(width) => width,
        other => unreachable!("bit-vector expected, found a term of sort {other}"),
    }
}
