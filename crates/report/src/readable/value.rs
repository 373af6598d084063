//! Values as people write them.

use std::collections::BTreeSet;

use lapidary_expr::{ArrayValue, Bv, Value, Var};

use super::var;

/// An integer in decimal, a bit-vector in decimal and hexadecimal, an array by its entries.
pub(crate) fn value(value: &Value) -> String {
    match value {
        Value::Bv(bits) => format!("{} ({})", bits.unsigned(), hexadecimal(bits)),
        Value::Array(entries) => array(entries, self::value),
        other => short(other),
    }
}

/// The same for bits that are floating numbers.
pub(crate) fn floating(value: &Value) -> String {
    match value {
        Value::Bv(bits) => {
            let number = u64::try_from(bits.unsigned()).unwrap_or(0);
            match bits.width() {
                32 => format!("{:?} ({number:#010x})", f32::from_bits(number as u32)),
                _ => format!("{:?} ({number:#018x})", f64::from_bits(number)),
            }
        }
        Value::Array(entries) => array(entries, floating),
        other => short(other),
    }
}

/// The same without the hexadecimal digits, for formulas.
pub(crate) fn short(value: &Value) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => i.to_string(),
        Value::Rat(r) if r.is_int() => r.numerator().to_string(),
        Value::Rat(r) => format!("{}/{}", r.numerator(), r.denominator()),
        Value::Bv(bits) => bits.unsigned().to_string(),
        Value::Array(entries) => array(entries, short),
    }
}

fn hexadecimal(bits: &Bv) -> String {
    let hexadecimal = format!("0x{}", bits.digits(16));
    match bits.sign() && bits.width() > 1 {
        true => format!("{hexadecimal}, signed {}", bits.signed()),
        false => hexadecimal,
    }
}

/// `[1: 5, 7: 0, else: 2]`.
fn array(array: &ArrayValue, element: fn(&Value) -> String) -> String {
    let entries =
        array.entries().map(|(index, value)| format!("{}: {}", short(index), element(value)));
    let default = std::iter::once(format!("else: {}", element(array.default())));
    format!("[{}]", entries.chain(default).collect::<Vec<_>>().join(", "))
}

/// What is new about a variable: of an array only the elements that change, if they can be listed.
pub(crate) fn changes(
    name: Var,
    before: &Value,
    after: &Value,
    value: fn(&Value) -> String,
) -> Vec<String> {
    match (before, after) {
        (old, new) if old == new => Vec::new(),
        (Value::Array(old), Value::Array(new)) if old.default() == new.default() => {
            let indices: BTreeSet<&Value> =
                old.entries().chain(new.entries()).map(|(index, _)| index).collect();
            let changed = indices.into_iter().filter(|index| old.get(index) != new.get(index));
            changed
                .map(|index| format!("{}[{}] = {}", var(name), short(index), value(new.get(index))))
                .collect()
        }
        _ => vec![format!("{} = {}", var(name), value(after))],
    }
}
