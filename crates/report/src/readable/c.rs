//! Values of C programs as C writes them, with the names of the program.

use std::collections::BTreeSet;

use lapidary_expr::{IBig, Value, Var};
use lapidary_frontend::c::{Kind, Part, SourceMap};

/// Of an array so many new elements are told.
const MOST_ELEMENTS: usize = 4;

/// What a step writes to a variable, as assignments; nothing if it is not one of the program's.
pub(crate) fn assigned(map: &SourceMap, var: Var, before: &Value, after: &Value) -> Vec<String> {
    let Some(written) = map.names.written.get(&var) else { return Vec::new() };
    let Some(name) = &written.name else { return Vec::new() };
    let value = |value: &Value| plain(map, written.kind, value);
    let Value::Array(new) = after else {
        let text = value(after).map(|text| format!("{} = {text}", named(name, 0)));
        return text.into_iter().collect();
    };
    let Value::Array(old) = before else { return Vec::new() };
    let entries = old.entries().chain(new.entries());
    let indices: BTreeSet<&Value> = entries.map(|(index, _)| index).collect();
    let changed = indices.into_iter().filter(|index| old.get(index) != new.get(index));
    let mut texts: Vec<String> = changed
        .filter_map(|index| {
            let number = u64::try_from(number(index, true)).ok()?;
            Some(format!("{} = {}", named(name, number), value(new.get(index))?))
        })
        .collect();
    let n_more = texts.len().saturating_sub(MOST_ELEMENTS);
    if n_more > 0 {
        texts.truncate(MOST_ELEMENTS);
        texts.push(format!("… {n_more} more"));
    }
    texts
}

/// The value that a function returns.
pub(crate) fn returned(map: &SourceMap, function: &str, var: Var, value: &Value) -> Option<String> {
    let kind = map.names.written.get(&var)?.kind;
    let text = plain(map, kind, value)?;
    Some(format!("{function}() returned {text}"))
}

/// The name of a part, with its index in the arrays on the way.
fn named(parts: &[Part], index: u64) -> String {
    let mut rest = index;
    let mut reversed = Vec::with_capacity(parts.len());
    let mut n_open = parts.iter().filter(|part| matches!(part, Part::Index(_))).count();
    for part in parts.iter().rev() {
        reversed.push(match part {
            Part::Text(text) => text.clone(),
            Part::Index(length) => {
                n_open -= 1;
                // The first index has all the rest.
                let length = length.filter(|length| n_open > 0 && *length > 0).unwrap_or(u64::MAX);
                let own = rest % length;
                rest /= length;
                format!("[{own}]")
            }
        });
    }
    reversed.reverse();
    reversed.concat()
}

/// A value, if there is a way to say it.
fn plain(map: &SourceMap, kind: Kind, value: &Value) -> Option<String> {
    match (kind, value) {
        (Kind::Float, Value::Bv(bits)) => {
            let number = u64::try_from(bits.unsigned()).unwrap_or(0);
            Some(match bits.width() {
                32 => floating(f64::from(f32::from_bits(number as u32)), 9),
                _ => floating(f64::from_bits(number), 17),
            })
        }
        (Kind::Float, _) | (_, Value::Array(_) | Value::Rat(_)) => None,
        (Kind::Pointer, value) => {
            i128::try_from(number(value, false)).ok().and_then(|n| address(map, n))
        }
        (Kind::Char, value) => Some(letter(&number(value, true))),
        (Kind::Signed, value) => Some(number(value, true).to_string()),
        (Kind::Unsigned, value) => Some(number(value, false).to_string()),
    }
}

fn number(value: &Value, is_signed: bool) -> IBig {
    match value {
        Value::Int(number) => number.clone(),
        Value::Bv(bits) if is_signed => bits.signed(),
        Value::Bv(bits) => bits.unsigned().clone().into(),
        Value::Bool(truth) => IBig::from(u8::from(*truth)),
        Value::Rat(_) | Value::Array(_) => IBig::from(0),
    }
}

/// `'a' (97)`, or the number alone of what cannot be seen.
fn letter(number: &IBig) -> String {
    match u8::try_from(number) {
        Ok(code @ (b' '..=b'&' | b'('..=b'[' | b']'..=b'~')) => {
            format!("'{}' ({code})", char::from(code))
        }
        _ => number.to_string(),
    }
}

/// With the fewest digits that mean this number, in one of C's ways of writing it.
fn floating(number: f64, digits: usize) -> String {
    if !number.is_finite() {
        let sign = if number.is_sign_negative() { "-" } else { "" };
        return format!("{sign}{}", if number.is_nan() { "nan" } else { "inf" });
    }
    let is_same = |text: &str| match digits {
        9 => text.parse::<f32>().is_ok_and(|other| f64::from(other).to_bits() == number.to_bits()),
        _ => text.parse::<f64>().is_ok_and(|other| other.to_bits() == number.to_bits()),
    };
    let tries = (0..digits).map(|n| format!("{number:.n$e}"));
    let shortest = tries.into_iter().find(|text| is_same(text));
    let shortest = shortest.unwrap_or_else(|| format!("{number:e}"));
    let exponent = shortest.rsplit_once('e').and_then(|(_, digits)| digits.parse::<i32>().ok());
    match exponent {
        Some(-5..=15) => {
            let value: f64 = shortest.parse().unwrap_or(number);
            format!("{value:?}")
        }
        _ => shortest,
    }
}

/// What is at an address, if that has a name.
fn address(map: &SourceMap, address: i128) -> Option<String> {
    if address == 0 {
        return Some("NULL".into());
    }
    let next = map.names.targets.partition_point(|target| target.address <= address);
    let target = map.names.targets[..next].last()?;
    let distance = u64::try_from(address - target.address).ok()?;
    match target.stride {
        _ if target.is_function => (distance == 0).then(|| target.name.clone()),
        Some(stride) if stride > 0 && distance <= target.size => distance
            .is_multiple_of(stride)
            .then(|| format!("&{}[{}]", target.name, distance / stride)),
        _ => (distance == 0).then(|| format!("&{}", target.name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floating_numbers_are_short_and_exact() {
        for (number, digits, text) in [
            (0.5, 17, "0.5"),
            (-0.0, 17, "-0.0"),
            (1e300, 17, "1e300"),
            (f64::from(0.1_f32), 9, "0.1"),
            (f64::INFINITY, 17, "inf"),
        ] {
            assert_eq!(floating(number, digits), text);
        }
    }

    #[test]
    fn letters_are_seen_and_counted() {
        assert_eq!(letter(&IBig::from(97)), "'a' (97)");
        assert_eq!(letter(&IBig::from(-128)), "-128");
        assert_eq!(letter(&IBig::from(10)), "10");
    }

    #[test]
    fn indices_are_those_of_all_arrays() {
        let text = |text: &str| Part::Text(text.into());
        let parts = [text("a"), Part::Index(Some(3)), text(".b"), Part::Index(Some(4)), text("")];
        assert_eq!(named(&parts, 6), "a[1].b[2]");
        assert_eq!(named(&[text("x")], 0), "x");
    }
}
