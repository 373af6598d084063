//! Floating constants: the number that is written, rounded to its type.

use lapidary_expr::float::Format;
use lapidary_expr::{BitTest, UBig};

/// A number `mantissa · 2^exponent`, or infinity if the exponent is that large. It holds all of `long double`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::c) struct Constant {
    mantissa: u64,
    exponent: i64,
}

/// How many bits the mantissa of a type has, and the exponent of its least normal number.
#[derive(Clone, Copy)]
struct Precision {
    bits: u32,
    least: i64,
}

/// That of `long double`.
const EXTENDED: Precision = Precision { bits: 64, least: -16382 };

/// Beyond these, everything is infinite or zero.
const FARTHEST: i64 = 100_000;

fn precision(format: Option<Format>) -> Precision {
    format.map_or(EXTENDED, |format| Precision {
        bits: format.significand,
        least: 2 - (1 << (format.exponent - 1)),
    })
}

impl Constant {
    /// The number of a format, or of `long double`, that is nearest to a text without its suffix; none if it is no number.
    pub(in crate::c) fn parse(text: &str, format: Option<Format>) -> Option<Constant> {
        let (digits, radix, mark) = match text.strip_prefix("0x") {
            Some(digits) => (digits, 16, 'p'),
            None => (text, 10, 'e'),
        };
        let (digits, exponent) = match digits.split_once(mark) {
            Some((digits, exponent)) => (digits, far(exponent)?),
            None if radix == 16 => return None,
            None => (digits, 0),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all = format!("{whole}{fraction}");
        let is_digits = !all.is_empty() && all.chars().all(|c| c.is_digit(radix));
        let number = UBig::from_str_radix(&all, radix).ok().filter(|_| is_digits)?;
        if number == UBig::ZERO {
            return Some(Constant { mantissa: 0, exponent: 0 });
        }
        let places = i64::try_from(fraction.len()).ok()?;
        let precision = precision(format);
        Some(match radix {
            16 => nearest(number, &UBig::ONE, exponent - 4 * places, precision),
            _ => {
                let exponent = exponent - places;
                // Also of those with very many digits.
                if exponent.abs() > FARTHEST {
                    return Some(far_away(exponent));
                }
                let power = UBig::from(10u8).pow(exponent.unsigned_abs() as usize);
                match exponent >= 0 {
                    true => nearest(number * power, &UBig::ONE, 0, precision),
                    false => nearest(number, &power, 0, precision),
                }
            }
        })
    }

    /// The bits of the number in a format.
    pub(in crate::c) fn bits(self, format: Format) -> u64 {
        let precision = precision(Some(format));
        let fraction = format.significand - 1;
        let infinite = ((1u64 << format.exponent) - 1) << fraction;
        let Constant { mantissa, exponent } =
            rounded(self.mantissa.into(), false, self.exponent, precision);
        if mantissa == 0 {
            return 0;
        }
        // Now all bits of the mantissa are used, unless the number is subnormal.
        let is_normal = mantissa >> fraction == 1;
        let field =
            if is_normal { exponent + i64::from(fraction) + 1 - precision.least } else { 0 };
        match u64::try_from(field) {
            Ok(field) if field < (1 << format.exponent) - 1 => {
                field << fraction | mantissa & ((1 << fraction) - 1)
            }
            _ => infinite,
        }
    }
}

/// An exponent, not farther away than matters.
fn far(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|c| c.is_ascii_digit()) {
        return None;
    }
    let exponent = digits.parse().unwrap_or(i64::MAX).min(10 * FARTHEST);
    Some(if text.starts_with('-') { -exponent } else { exponent })
}

fn far_away(exponent: i64) -> Constant {
    match exponent > 0 {
        true => Constant { mantissa: 1, exponent: FARTHEST },
        false => Constant { mantissa: 0, exponent: 0 },
    }
}

/// What is nearest to `numerator / denominator · 2^exponent`.
fn nearest(numerator: UBig, denominator: &UBig, exponent: i64, precision: Precision) -> Constant {
    if exponent.abs() > 8 * FARTHEST {
        return far_away(exponent);
    }
    // Enough bits, and whether there are more.
    let length = |number: &UBig| i64::try_from(number.bit_len()).unwrap_or(i64::MAX);
    let by = i64::from(precision.bits) + 2 - (length(&numerator) - length(denominator));
    let by_bits = by.unsigned_abs() as usize;
    let (numerator, denominator) = match by >= 0 {
        true => (numerator << by_bits, denominator.clone()),
        false => (numerator, denominator.clone() << by_bits),
    };
    let quotient = &numerator / &denominator;
    let has_rest = &quotient * &denominator != numerator;
    let bits = u128::try_from(quotient).unwrap_or(0);
    rounded(bits, has_rest, exponent - by, precision)
}

/// What is nearest to `bits · 2^exponent`, or to a little more than that.
fn rounded(bits: u128, is_more: bool, exponent: i64, precision: Precision) -> Constant {
    if bits == 0 {
        return Constant { mantissa: 0, exponent: 0 };
    }
    let n = i64::from(precision.bits) - 1;
    let highest = exponent + i64::from(bits.ilog2());
    let unit = highest.max(precision.least) - n;
    let dropped = unit - exponent;
    let mut mantissa = match dropped {
        ..=0 => bits << dropped.unsigned_abs(),
        1..=127 => {
            let (kept, half) = (bits >> dropped, 1u128 << (dropped - 1));
            let rest = bits & (2 * half).wrapping_sub(1);
            let is_up = rest > half || rest == half && (is_more || kept & 1 == 1);
            kept + u128::from(is_up)
        }
        _ => 0,
    };
    let mut exponent = unit;
    if mantissa >> precision.bits != 0 {
        (mantissa, exponent) = (mantissa >> 1, exponent + 1);
    }
    Constant { mantissa: mantissa as u64, exponent }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(text: &str) -> u64 {
        let format = Format::DOUBLE;
        Constant::parse(text, Some(format)).expect(text).bits(format)
    }

    fn single(text: &str) -> u64 {
        let format = Format::SINGLE;
        Constant::parse(text, Some(format)).expect(text).bits(format)
    }

    #[test]
    fn decimals_are_what_rust_reads() {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for i in 0..20_000 {
            let text = match i % 5 {
                0 => format!("{:e}", f64::from_bits(next() >> 1 & !(1 << 62))),
                1 => format!("{:e}", f32::from_bits(next() as u32 >> 1)),
                2 => format!("{}.{}", next() % 1000, next()),
                3 => format!("{}e{}", next(), next() % 80),
                _ => format!("{}.{}e-{}", next(), next() % 1000, next() % 360),
            };
            if text.contains(['N', 'i']) {
                continue;
            }
            let (d, f): (f64, f32) = (text.parse().unwrap(), text.parse().unwrap());
            assert_eq!(double(&text), d.to_bits(), "{text}");
            assert_eq!(single(&text), u64::from(f.to_bits()), "{text}");
        }
    }

    #[test]
    fn edges() {
        let bits = |x: f64| x.to_bits();
        assert_eq!(double("0.0"), 0);
        assert_eq!(double("1."), bits(1.0));
        assert_eq!(double(".5"), bits(0.5));
        assert_eq!(double("1e999999999999"), bits(f64::INFINITY));
        assert_eq!(double("1e-999999999999"), 0);
        assert_eq!(double("0x1.8p3"), bits(12.0));
        assert_eq!(double("0x.8p-1074"), 0, "half of the least number, to even");
        assert_eq!(double("0x.80000001p-1074"), 1);
        assert_eq!(double("0x1.fffffffffffffp1023"), bits(f64::MAX));
        assert_eq!(double("0x1.fffffffffffff8p1023"), bits(f64::INFINITY));
        assert_eq!(single("0x1.fffffep127"), u64::from(f32::MAX.to_bits()));
        assert_eq!(single("0x1p-149"), 1);
        for text in ["", ".", "e5", "1e", "0x1", "1x", "0x.p1", "1e+", "1.2.3", "+1.0"] {
            assert_eq!(Constant::parse(text, Some(Format::DOUBLE)), None, "{text}");
        }
    }

    /// A number is rounded to `long double` first, and that may be the middle of two others.
    #[test]
    fn long_double_is_rounded_twice() {
        let text = "0x1.00000000000008001p0";
        let long = Constant::parse(text, None).unwrap().bits(Format::DOUBLE);
        assert_eq!((long, double(text)), (1f64.to_bits(), 1f64.to_bits() + 1));
        let most = Constant::parse("1.79769313486231570814527423731704357e+308", None).unwrap();
        assert_eq!(most.bits(Format::DOUBLE), f64::MAX.to_bits());
        let least = Constant::parse("4.94065645841246544176568792868221372e-324", None).unwrap();
        assert_eq!(least.bits(Format::DOUBLE), 1);
    }
}
