//! The operators on numbers, from their definitions.

use std::collections::{BTreeMap, BTreeSet};

use lapidary_expr::{IBig, UBig};

use crate::btor2::{Operator, Sort};

/// The value of a node.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// The bits as a number.
    Bits(UBig),
    /// Some elements, and what all others are.
    Array { elements: BTreeMap<UBig, UBig>, default: UBig },
}

/// Whether two values of a sort are the same. Arrays are if all their elements are, whichever of them are listed.
pub(super) fn is_same(left: &Value, right: &Value, sort: Sort) -> bool {
    match (left, right) {
        (Value::Bits(left), Value::Bits(right)) => left == right,
        (
            Value::Array { elements: left, default: left_default },
            Value::Array { elements: right, default: right_default },
        ) => {
            let listed: BTreeSet<&UBig> = left.keys().chain(right.keys()).collect();
            let is_same_at = |at: &&UBig| {
                left.get(*at).unwrap_or(left_default) == right.get(*at).unwrap_or(right_default)
            };
            let are_all = matches!(sort, Sort::Array(width, _) if is_power(listed.len(), width));
            (are_all || left_default == right_default) && listed.iter().all(is_same_at)
        }
        _ => false,
    }
}

/// Whether a number is two to the power of another.
fn is_power(number: usize, exponent: u32) -> bool {
    1usize.checked_shl(exponent) == Some(number)
}

/// An operator on values of these sorts, which fit.
pub(super) fn compute(operator: Operator, args: &[Value], sorts: &[Sort]) -> Value {
    use Operator::*;
    match (operator, args) {
        (Ite, [Value::Bits(condition), then, otherwise]) => {
            if condition.is_one() {
                then.clone()
            } else {
                otherwise.clone()
            }
        }
        (Eq | Iff, [left, right]) => bit(is_same(left, right, sorts[0])),
        (Neq, [left, right]) => bit(!is_same(left, right, sorts[0])),
        (Read, [Value::Array { elements, default }, Value::Bits(at)]) => {
            Value::Bits(elements.get(at).unwrap_or(default).clone())
        }
        (Write, [Value::Array { elements, default }, Value::Bits(at), Value::Bits(new)]) => {
            let mut elements = elements.clone();
            match new == default {
                true => elements.remove(at),
                false => elements.insert(at.clone(), new.clone()),
            };
            Value::Array { elements, default: default.clone() }
        }
        (_, [Value::Bits(only)]) => unary(operator, only, width(sorts[0])),
        (_, [Value::Bits(left), Value::Bits(right)]) => {
            binary(operator, left, right, [width(sorts[0]), width(sorts[1])])
        }
        _ => unreachable!("parsing checks the sorts of {operator:?}"),
    }
}

fn width(sort: Sort) -> usize {
    match sort {
        Sort::Bits(width) | Sort::Array(_, width) => width as usize,
    }
}

fn bit(value: bool) -> Value {
    Value::Bits(if value { UBig::ONE } else { UBig::ZERO })
}

fn power(width: usize) -> UBig {
    UBig::ONE << width
}

/// The low bits of a number, negative ones in two's complement.
fn wrap(number: &IBig, width: usize) -> UBig {
    let modulus = IBig::from(power(width));
    let rest = number % &modulus;
    let rest = if rest < IBig::ZERO { rest + modulus } else { rest };
    UBig::try_from(rest).unwrap_or(UBig::ZERO)
}

/// The two's complement number.
fn signed(bits: &UBig, width: usize) -> IBig {
    let value = IBig::from(bits.clone());
    if *bits >= power(width - 1) { value - IBig::from(power(width)) } else { value }
}

fn unary(operator: Operator, arg: &UBig, width: usize) -> Value {
    use Operator::*;
    let ones = power(width) - UBig::ONE;
    let number = IBig::from(arg.clone());
    match operator {
        Not => Value::Bits(ones - arg),
        Inc => Value::Bits(wrap(&(number + IBig::ONE), width)),
        Dec => Value::Bits(wrap(&(number - IBig::ONE), width)),
        Neg => Value::Bits(wrap(&-number, width)),
        Redand => bit(*arg == ones),
        Redor => bit(!arg.is_zero()),
        Redxor => bit(arg.in_radix(2).to_string().matches('1').count() % 2 == 1),
        Sext(more) => Value::Bits(wrap(&signed(arg, width), width + more as usize)),
        Uext(_) => Value::Bits(arg.clone()),
        Slice(high, low) => Value::Bits((arg >> low as usize) % power((high - low + 1) as usize)),
        _ => unreachable!("{operator:?} has more operands"),
    }
}

fn binary(operator: Operator, left: &UBig, right: &UBig, widths: [usize; 2]) -> Value {
    use Operator::*;
    let width = widths[0];
    let [a, b] = [IBig::from(left.clone()), IBig::from(right.clone())];
    let (sa, sb) = (signed(left, width), signed(right, widths[1]));
    let ones = power(width) - UBig::ONE;
    let fits = |number: &IBig| {
        let half = IBig::from(power(width - 1));
        *number >= -half.clone() && *number < half
    };
    let bits = |number: IBig| Value::Bits(wrap(&number, width));
    match operator {
        Implies => bit(left.is_zero() || right.is_one()),
        Sgt => bit(sa > sb),
        Ugt => bit(a > b),
        Sgte => bit(sa >= sb),
        Ugte => bit(a >= b),
        Slt => bit(sa < sb),
        Ult | Usubo => bit(a < b),
        Slte => bit(sa <= sb),
        Ulte => bit(a <= b),
        And => Value::Bits(left & right),
        Nand => Value::Bits(ones - (left & right)),
        Or => Value::Bits(left | right),
        Nor => Value::Bits(ones - (left | right)),
        Xor => Value::Bits(left ^ right),
        Xnor => Value::Bits(ones - (left ^ right)),
        Rol | Ror => {
            let by = usize::try_from(right % UBig::from(width)).unwrap_or(0);
            let by = if operator == Rol || by == 0 { by } else { width - by };
            Value::Bits(((left << by) | (left >> (width - by))) & ones)
        }
        Sll | Srl | Sra => shift(operator, left, right, width),
        Add => bits(a + b),
        Sub => bits(a - b),
        Mul => bits(a * b),
        Udiv => Value::Bits(if right.is_zero() { ones } else { left / right }),
        Urem => Value::Bits(if right.is_zero() { left.clone() } else { left % right }),
        // Division of integers rounds toward zero, remainders have the sign of the dividend.
        Sdiv if right.is_zero() => Value::Bits(if sa < IBig::ZERO { UBig::ONE } else { ones }),
        Sdiv => bits(sa / sb),
        Srem | Smod if right.is_zero() => Value::Bits(left.clone()),
        Srem => bits(sa % sb),
        Smod => {
            let rest = &sa % &sb;
            let differs = (rest < IBig::ZERO) != (sb < IBig::ZERO);
            bits(if rest != IBig::ZERO && differs { rest + sb } else { rest })
        }
        Saddo => bit(!fits(&(sa + sb))),
        Uaddo => bit(a + b >= IBig::from(power(width))),
        Ssubo => bit(!fits(&(sa - sb))),
        Smulo => bit(!fits(&(sa * sb))),
        Umulo => bit(a * b >= IBig::from(power(width))),
        Sdivo => bit(!right.is_zero() && !fits(&(sa / sb))),
        Udivo => bit(false),
        Concat => Value::Bits((left << widths[1]) | right),
        _ => unreachable!("{operator:?} is computed before"),
    }
}

fn shift(operator: Operator, left: &UBig, right: &UBig, width: usize) -> Value {
    let by = usize::try_from(right).unwrap_or(width).min(width);
    let is_negative = *left >= power(width - 1);
    Value::Bits(match operator {
        Operator::Sll => (left << by) % power(width),
        Operator::Sra if is_negative => {
            let signs = power(width) - power(width - by);
            (left >> by) | signs
        }
        _ => left >> by,
    })
}
