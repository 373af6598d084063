//! Against the machine's own floating point, on numbers at all the edges.

use super::Format;
use crate::term::Term;
use crate::value::Value;

fn bits(term: Term) -> u128 {
    match term.as_lit() {
        Some(Value::Bv(bits)) => bits.unsigned().clone().try_into().expect("of 128 bits at most"),
        _ => panic!("{term} is no value"),
    }
}

fn truth(term: Term) -> bool {
    assert!(term.is_true() || term.is_false(), "{term} is no value");
    term.is_true()
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// A number of a format: any, or one with an exponent and a fraction at an edge.
    fn float(&mut self, format: Format) -> u64 {
        let (e, f) = (format.exponent, format.significand - 1);
        let (most, bias) = ((1u64 << e) - 1, (1u64 << (e - 1)) - 1);
        let exponent = match self.below(8) {
            0 => 0,
            1 => self.below(3),
            2 => most,
            3 => most - 1 - self.below(2),
            4 | 5 => bias + self.below(5) - 2,
            6 => bias + self.below(80) - 10,
            _ => self.below(most + 1),
        };
        let any = self.next() & ((1 << f) - 1);
        let fraction = match self.below(6) {
            0 => 0,
            1 => 1 << self.below(u64::from(f)),
            2 => (1 << f) - 1,
            3 => (1 << f) - 1 - (1 << self.below(u64::from(f))),
            4 => any & !((1 << self.below(u64::from(f))) - 1),
            _ => any,
        };
        self.below(2) << (e + f) | exponent << f | fraction
    }

    /// An integer of so many bits, often a short one.
    fn integer(&mut self, width: u32) -> u128 {
        let any = u128::from(self.next()) << 64 | u128::from(self.next());
        let any = any >> (128 - width);
        let any = any >> self.below(u64::from(width));
        let low = [0, 1, u128::MAX, 1 << (width - 1)][self.below(4) as usize];
        let mixed = if self.below(3) == 0 { low } else { any };
        let mixed = if self.below(2) == 0 { mixed } else { mixed.wrapping_neg() };
        mixed & (u128::MAX >> (128 - width))
    }
}

const ROUNDS: usize = 5_000;

macro_rules! against_the_machine {
    ($name:ident, $float:ty, $other:ty, $format:expr, $other_format:expr) => {
        #[expect(clippy::float_cmp, reason = "what is equal is what is tested")]
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_wrap, reason = "so are these")]
        mod $name {
            use super::*;

            const FORMAT: Format = $format;

            fn term(x: $float) -> Term {
                Term::bv(FORMAT.width(), x.to_bits())
            }

            /// Of equal bits, or both NaN.
            fn check(what: &str, args: &[$float], term: Term, expected: $float) {
                let found = <$float>::from_bits(bits(term) as _);
                let is_same = found.to_bits() == expected.to_bits();
                let are_nan = found.is_nan() && expected.is_nan();
                assert!(is_same || are_nan, "{what} {args:?}: {found:?}, not {expected:?}");
                assert!(!are_nan || term == FORMAT.nan(), "{what} {args:?}: another NaN");
            }

            fn pairs() -> impl Iterator<Item = ($float, $float)> {
                let mut random = Random(0x9e37_79b9_7f4a_7c15);
                let mut float = move || <$float>::from_bits(random.float(FORMAT) as _);
                (0..ROUNDS).map(move |i| {
                    let (a, b) = (float(), float());
                    // Numbers that nearly cancel each other, and squares.
                    match i % 8 {
                        0 => (a, -<$float>::from_bits(a.to_bits() ^ 1)),
                        1 => (a, a),
                        _ => (a, b),
                    }
                })
            }

            #[test]
            fn arithmetic() {
                for (a, b) in pairs() {
                    let [x, y] = [a, b].map(term);
                    check("+", &[a, b], FORMAT.plus(x, y), a + b);
                    check("-", &[a, b], FORMAT.minus(x, y), a - b);
                    check("*", &[a, b], FORMAT.times(x, y), a * b);
                    check("/", &[a, b], FORMAT.over(x, y), a / b);
                }
            }

            #[test]
            fn roots() {
                for (a, _) in pairs().take(ROUNDS / 10) {
                    check("root", &[a], FORMAT.root(term(a)), a.sqrt());
                    let square = a * a;
                    check("root", &[square], FORMAT.root(term(square)), square.sqrt());
                }
            }

            #[test]
            fn comparisons_and_classes() {
                for (a, b) in pairs() {
                    let [x, y] = [a, b].map(term);
                    assert_eq!(truth(FORMAT.equals(x, y)), a == b, "{a:?} = {b:?}");
                    assert_eq!(truth(FORMAT.less(x, y)), a < b, "{a:?} < {b:?}");
                    assert_eq!(truth(FORMAT.at_most(x, y)), a <= b, "{a:?} <= {b:?}");
                    assert_eq!(truth(FORMAT.is_nan(x)), a.is_nan());
                    assert_eq!(truth(FORMAT.is_infinite(x)), a.is_infinite());
                    assert_eq!(truth(FORMAT.is_finite(x)), a.is_finite());
                    assert_eq!(truth(FORMAT.is_zero(x)), a == 0.0);
                    assert_eq!(truth(FORMAT.is_subnormal(x)), a.is_subnormal());
                    assert_eq!(truth(FORMAT.is_negative(x)), a.is_sign_negative());
                    assert_eq!(bits(FORMAT.negated(x)), (-a).to_bits().into());
                    assert_eq!(bits(FORMAT.absolute(x)), a.abs().to_bits().into());
                    assert_eq!(bits(FORMAT.copied_sign(x, y)), a.copysign(b).to_bits().into());
                    if !a.is_nan() && !b.is_nan() && a != b {
                        check("min", &[a, b], FORMAT.minimum(x, y), a.min(b));
                        check("max", &[a, b], FORMAT.maximum(x, y), a.max(b));
                    }
                    if a.is_nan() && !b.is_nan() {
                        assert_eq!([FORMAT.minimum(x, y), FORMAT.maximum(y, x)], [y, y]);
                    }
                }
            }

            #[test]
            fn whole_numbers() {
                for (a, _) in pairs().filter(|(a, _)| !a.is_nan()) {
                    check("trunc", &[a], FORMAT.truncated(term(a)), a.trunc());
                    check("floor", &[a], FORMAT.floor(term(a)), a.floor());
                    check("ceil", &[a], FORMAT.ceiling(term(a)), a.ceil());
                }
            }

            #[test]
            fn other_formats() {
                for (a, _) in pairs() {
                    let other = a as $other;
                    let found = bits(FORMAT.to_format(term(a), $other_format));
                    let found = <$other>::from_bits(found as _);
                    let is_same = found.to_bits() == other.to_bits();
                    assert!(is_same || found.is_nan() && other.is_nan(), "{a:?}: {found:?}");
                }
            }

            #[test]
            fn of_integers() {
                let mut random = Random(7);
                for i in 0..ROUNDS {
                    let width = [1, 8, 16, 32, 64, 128][i % 6];
                    let n = random.integer(width);
                    let signed = (n << (128 - width)) as i128 >> (128 - width);
                    let term = Term::bv(width, n);
                    check(&format!("{n}"), &[], FORMAT.of_integer(term, false), n as $float);
                    let found = FORMAT.of_integer(term, true);
                    check(&format!("{signed}"), &[], found, signed as $float);
                }
            }

            #[test]
            fn to_integers() {
                for (i, (a, _)) in pairs().enumerate() {
                    let width = [1, 8, 16, 32, 64][i % 5];
                    for is_signed in [false, true] {
                        let (found, fits) = FORMAT.to_integer(term(a), width, is_signed);
                        let whole = a.trunc();
                        let bound = (2 as $float).powi(width as i32 - i32::from(is_signed));
                        let least = if is_signed { -bound } else { 0.0 };
                        let is_within = whole >= least && whole < bound;
                        assert_eq!(truth(fits), is_within, "{a:?} in {width}, {is_signed}");
                        if is_within {
                            let expected = Term::bv(width, whole as i128);
                            assert_eq!(found, expected, "{a:?} in {width}, {is_signed}");
                        }
                    }
                }
            }
        }
    };
}

against_the_machine!(single, f32, f64, Format::SINGLE, Format::DOUBLE);
against_the_machine!(double, f64, f32, Format::DOUBLE, Format::SINGLE);

/// A term of variables says the same as one of values.
#[test]
fn circuits() {
    let format = Format::SINGLE;
    let all = |x: Term, y: Term| {
        [format.plus(x, y), format.times(x, y), format.over(x, y), format.root(x)]
    };
    let vars = ["a", "b"].map(|name| crate::Var::new(name, crate::Sort::Bv(32)));
    let results = all(vars[0].into(), vars[1].into());
    let mut random = Random(3);
    for _ in 0..1000 {
        let bits = [random.float(format), random.float(format)];
        let value = |bits: u64| Value::Bv(crate::Bv::wrap(32, &bits.into()));
        let values: crate::Valuation = vars.into_iter().zip(bits.map(value)).collect();
        let [left, right] = bits.map(|bits| Term::bv(32, bits));
        for (result, direct) in results.iter().zip(all(left, right)) {
            assert_eq!(result.eval(&values).as_ref(), direct.as_lit());
        }
    }
    let n_nodes = |term: Term| term.to_string().matches('(').count();
    assert!(results.iter().all(|result| n_nodes(*result) < 1000), "circuits stay small");
}
